package checks_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

func TestAThingIsMadeOnceInEachOfFewStatesTheLastOneFirst(t *testing.T) {
	t.Parallel()
	p := planned(t, load(t, "workshop"), 1, plan.Effort{})
	var got []string
	for _, c := range p.Cases {
		if c.Class.Mutator == "in-state" && c.Op.ID == "getTool" {
			got = append(got, p.Build(c, generate.Identity{Seed: 1})[0].Message.Tree.Get("condition").Text)
		}
	}
	assert.Equal(t, []string{"broken", "used", "new"}, got)
}

func TestTheStatesOfAThingAreTriedUnlessThereIsRoomForOneValueOnly(t *testing.T) {
	t.Parallel()
	for effort, want := range map[string]bool{"smoke": false, "gate": true, "full": true} {
		e, err := plan.EffortFor(effort, 1, 1)
		require.NoError(t, err)
		cases := planned(t, load(t, "workshop"), 1, e).Cases
		for _, name := range []string{"after-done", "in-state", "in-use"} {
			assert.Equal(t, want, slices.ContainsFunc(cases, func(c *plan.Case) bool { return c.Class.Mutator == name }), "%s at %s", name, effort)
		}
	}
}

// An operation gets so many more cases, whatever the size of a document is.
func TestAnOperationHasFewCasesAboutTheStatesOfAThing(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	walk(t, func(_ *testing.T, p *plan.Plan, c *plan.Case, _ []plan.Step) {
		if slices.Contains([]string{"after-done", "in-state"}, c.Class.Mutator) {
			count[p.Digest+c.Op.Slug]++
		}
	})
	for op, n := range count {
		assert.LessOrEqual(t, n, 14, "%s: seven for each of two kinds of things", op)
	}
}
