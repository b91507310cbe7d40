package reach_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/reach"
)

func load(t *testing.T) (*contract.Contract, *reach.Map) {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/crud/openapi.yaml")
	require.NoError(t, err)
	c, err := contract.Load("openapi.yaml", text)
	require.NoError(t, err)
	return c, reach.Analyse(c)
}

func TestANamedWayIsTheOnlyOneAndReadsAsItIsWritten(t *testing.T) {
	for what, want := range map[string]reach.Way{
		"/id":              {Pointer: "/id"},
		"Location":         {Header: "Location", Template: "/users/{userId}"},
		"X-User":           {Header: "X-User"},
		"request/name":     {Request: "/name"},
		"request.query/id": {Request: "query/id"},
	} {
		c, m := load(t)
		op := c.Find("getUser")
		want.Kind, want.From = reach.Named, c.Find("createUser")
		m.Use(op, contract.Origin{Place: "path/userId", From: want.From, What: what})
		require.Len(t, m.Of(op), 1)
		assert.Equal(t, []reach.Way{want}, m.Of(op)[0].Ways)
		assert.Equal(t, "createUser#"+what, m.Of(op)[0].Ways[0].String())
	}
}

func TestAPlaceThatTheDocumentDoesNotTieIsTied(t *testing.T) {
	c, m := load(t)
	op := c.Find("listProjects")
	require.Empty(t, m.Of(op))
	m.Use(op, contract.Origin{Place: "query/status", From: c.Find("createProject"), What: "/status", Optional: true})
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
