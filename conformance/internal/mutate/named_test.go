package mutate_test

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/internal/sample"
)

// A request that breaks only what no requirement is about could be accepted without
// a failure.
func TestARequirementIsAboutWhatEachInvalidRequestBreaks(t *testing.T) {
	list := documents(t)
	for _, name := range sample.Of([]string{"../../../testdata/crud/openapi.yaml", "../../../testdata/openapi/desk.yaml", "../../../testdata/openapi/parcels.yaml", "../../../testdata/openapi/gates.yaml"}, 4) {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		c, err := openapi.Load(name, b)
		require.NoError(t, err)
		resource.Analyse(c)
		list = append(list, document{name, c})
	}
	for _, d := range list {
		set, unnamed := requirement.Derive(d.contract), map[string]bool{}
		p := planOf(t, d, 1)
		for _, c := range p.Cases {
			if c.Class.Family != plan.FamilyInvalid || c.Draw > 0 {
				continue
			}
			steps := p.Build(c, generate.Identity{Seed: 1})
			r := steps[len(steps)-1].Message.Reading()
			if r == nil || r.Kind != openapi.Invalid {
				continue
			}
			named := slices.ContainsFunc(set.List, func(q *requirement.Requirement) bool {
				return q.About(c.Op) && q.Rule == "refuses-schema" && r.Violates(q.Args.Key)
			})
			if !named {
				unnamed[c.Class.Slug+" "+r.Violations[0].Keyword+" "+r.Violations[0].Path] = true
			}
		}
		assert.Empty(t, unnamed, d.name)
	}
}
