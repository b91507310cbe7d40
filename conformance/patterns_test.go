package conformance_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/spec"
)

// A pattern that matches nothing observes nothing, and nobody would notice: a
// class was renamed, or the pattern never fitted.
func TestEveryClassPatternOfTheRequirementsFileMatchesAClassOfThePlan(t *testing.T) {
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	set, err := requirement.Overlay(requirement.Derive(c), c, "requirements.yaml", spec.Requirements, checks.Names())
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, 100, plan.Effort{}, append(mutate.List(), mutate.Sequences()...)...)
	classes := map[string]bool{}
	for _, k := range p.Cases {
		classes[k.Class.Slug] = true
	}
	patterns := 0
	for _, r := range set.List {
		for _, pattern := range r.Args.Classes {
			patterns++
			found := false
			for slug := range classes {
				found = found || plan.Match(pattern, slug)
			}
			assert.True(t, found, "requirements.yaml, %s: class pattern %q matches none of the %d classes: fix it or take it out", r.ID, pattern, len(classes))
		}
	}
	assert.Positive(t, patterns)
	assert.False(t, slices.ContainsFunc(set.List, func(r *requirement.Requirement) bool {
		return r.Rule == "observe" && len(r.Args.Classes) == 0
	}))
}
