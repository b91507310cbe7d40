package execute_test

import (
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/otherservers"
)

func TestACollectionIsDeletedAfterAllCasesBesideWhichItWouldHarm(t *testing.T) {
	text, err := os.ReadFile("../otherservers/testdata/notes.yaml")
	require.NoError(t, err)
	d := fake.Of(t, string(text), singles("some", 20))
	d.Endpoint.NameCases = true
	run, c := against(t, d, otherservers.Notes(""), execute.Settings{Workers: 4}, func(*explore.Target) {})
	for _, one := range d.Plan.Cases {
		assert.Empty(t, run.Record(one).Failures, one.ID)
	}
	cleared := 0
	for _, call := range c.Calls() {
		switch slug, _, _ := strings.Cut(call.Case, "/valid/"); slug {
		case "delete-notes":
			cleared++
			assert.Equal(t, 1, call.Concurrent)
		case "get-notes-key", "put-notes-key", "delete-notes-key":
			assert.Zero(t, cleared, call.Case)
		}
	}
	assert.Equal(t, 20, cleared)
}

func TestACollectionIsDeletedAfterCasesThatWait(t *testing.T) {
	text, err := os.ReadFile("../otherservers/testdata/notes.yaml")
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		d := fake.Of(t, string(text), singles("some", 5), waiting("idle", 2))
		d.Endpoint.NameCases = true
		run, c := against(t, d, otherservers.Notes(""), execute.Settings{Workers: 8}, func(*explore.Target) {})
		for _, one := range d.Plan.Cases {
			assert.Empty(t, run.Record(one).Failures, one.ID)
		}
		cleared := false
		for _, call := range c.Calls() {
			cleared = cleared || strings.HasPrefix(call.Case, "delete-notes/valid/")
			if cleared {
				assert.NotContains(t, call.Case, "-notes-key/valid/idle/", "what it is about would be gone")
			}
		}
		assert.True(t, cleared)
	})
}
