package execute_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/otherservers"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/target"
	"plantstore/conformance/internal/verdict"
)

func TestACollectionIsDeletedAfterAllCasesBesideWhichItWouldHarm(t *testing.T) {
	text, err := os.ReadFile("../otherservers/testdata/notes.yaml")
	require.NoError(t, err)
	d := fake.Of(t, string(text), plan.Mutator{Name: "some", Doc: "Baseline requests.", Classes: func(*plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilyValid, Kind: "k", Cases: 20, Build: func(g *generate.Gen, _ int) []plan.Step {
			return []plan.Step{{Message: g.Baseline()}}
		}}}
	}})
	d.Endpoint.NameCases = true
	j := verdict.New(d.Set, d.Rules, d.Plan, d.Endpoint)
	c := &fake.Client{Serve: fake.Handled(otherservers.Notes(""))}
	to := target.New(d.Over(c))
	j.Facts = to.Facts
	run := execute.New(to, j, execute.Settings{Workers: 4}, d.Plan.Cases, to.Learn(t.Context()))
	j.Cover(d.Plan.Cases)
	run.All(t.Context())
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
