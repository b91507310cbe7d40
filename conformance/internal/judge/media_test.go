package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

func TestACaseTriesTheRequirementsOfItsOwnMediaType(t *testing.T) {
	d := fake.Of(t, fake.SeveralMedia, plan.Mutator{Name: "baseline", Doc: "A baseline.", Classes: func(*plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilyValid, Kind: "k", Expected: plan.ExpectMustAccept, Cases: 1,
			Build: func(g *generate.Gen, _ int) []plan.Step { return []plan.Step{{Message: g.Baseline()}} }}}
	}})
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	j.Cover(d.Plan.Cases)
	seen := map[string]bool{}
	for _, c := range d.Plan.Cases {
		j.Covers(c).Each(func(at int) {
			b := j.Bound[at]
			assert.True(t, b.About(c.Op), "%s tries %s", c.ID, b.ID)
			seen[c.Op.Slug+" "+b.ID] = true
		})
	}
	assert.True(t, seen["post-pets post-pets-valid-accepted"])
	assert.True(t, seen["post-pets post-pets-201-status"])
	assert.True(t, seen["post-pets-text-json post-pets-text-json-valid-accepted"])
	assert.True(t, seen["post-pets-text-json post-pets-201-status"], "what is asked of the answers holds for each")
}
