package resource_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

func load(t *testing.T) (*openapi.Contract, *resource.Map) {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/crud/openapi.yaml")
	require.NoError(t, err)
	c, err := openapi.Load("openapi.yaml", text)
	require.NoError(t, err)
	return c, resource.Analyse(c)
}

func TestANamedWayIsTheOnlyOneAndReadsAsItIsWritten(t *testing.T) {
	for what, want := range map[string]resource.Way{
		"/id":              {Pointer: "/id"},
		"Location":         {Header: "Location", Template: "/users/{userId}"},
		"X-User":           {Header: "X-User"},
		"request/name":     {Request: "/name"},
		"request.query/id": {Request: "query/id"},
	} {
		c, m := load(t)
		op := c.Find("getUser")
		want.Kind, want.From = resource.Named, c.Find("createUser")
		m.Use(op, openapi.Origin{Place: "path/userId", From: want.From, What: what})
		require.Len(t, m.Of(op), 1)
		assert.Equal(t, []resource.Way{want}, m.Of(op)[0].Ways)
		assert.Equal(t, "createUser#"+what, m.Of(op)[0].Ways[0].String())
	}
}

func TestAPlaceThatTheDocumentDoesNotTieIsTied(t *testing.T) {
	c, m := load(t)
	op := c.Find("listProjects")
	require.Empty(t, m.Of(op))
	m.Use(op, openapi.Origin{Place: "query/status", From: c.Find("createProject"), What: "/status", Optional: true})
	require.Len(t, m.Of(op), 1)
	assert.True(t, m.Of(op)[0].Optional)
	assert.Equal(t, []string{"query/status"}, op.Bind)
}

func TestWhatCannotBeReachedIsNoWay(t *testing.T) {
	c, m := load(t)
	m.Without(c.Find("createUser"))
	for _, w := range m.Of(c.Find("getUser"))[0].Ways {
		assert.NotEqual(t, c.Find("createUser"), w.From)
	}
}
