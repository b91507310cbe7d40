package mutate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/sample"
)

// drawn is how many bodies of each side are made and read again.
const drawn = 1000

// TestEveryKeywordHasTheSidesThatTheTableNames draws bodies on both sides of
// every keyword and reads each with the exact judge: none may stand on the
// other side, and what is counted breaks the keyword and nothing else.
func TestEveryKeywordHasTheSidesThatTheTableNames(t *testing.T) {
	for _, k := range mutate.Keywords() {
		for _, dialect := range k.Dialects {
			t.Run(k.Name+" in "+dialect, func(t *testing.T) {
				t.Parallel()
				sample.OneIn(t, 8)
				p, err := mutate.Open(k, dialect, mutate.List())
				require.NoError(t, err)
				require.NoError(t, p.Check())
				// A baseline body that is not plain makes the whole operation untestable.
				require.Equal(t, schema.MustAccept, p.Kind(p.Baseline()), "%s", p.Baseline())
				for _, side := range []mutate.Side{mutate.Valid, mutate.Invalid} {
					draw(t, p, side)
				}
			})
		}
	}
}

// draw takes the cases of a side round and round, each time with another chance
// and other fresh values.
func draw(t *testing.T, p *mutate.Probe, side mutate.Side) {
	cases := p.Cases(side)
	if len(cases) == 0 {
		return
	}
	for n, kept := 0, 0; kept < drawn; n++ {
		require.Less(t, n, 2*drawn, "too few draws stay on side %d", side)
		c := cases[n%len(cases)]
		body := p.Draw(c, n/len(cases))
		kind := p.Kind(body)
		require.True(t, isExpected(c.Class.Expected, kind), "%s expects %d, is %s: %.200s", c.ID, c.Class.Expected, kind, body)
		require.Equal(t, side == mutate.Valid, kind == schema.MustAccept || kind == schema.MayRefuse, "%s: %.200s", c.ID, body)
		if p.Side(body) == side {
			kept++
		}
	}
}

// isExpected reports whether the bytes are what the class says of them.
func isExpected(c plan.ExpectedClass, kind schema.Kind) bool {
	switch c {
	case plan.ExpectMustAccept:
		return kind == schema.MustAccept
	case plan.ExpectMayRefuse:
		return kind == schema.MayRefuse
	case plan.ExpectInvalid:
		return kind == schema.Invalid
	}
	return true
}

func TestTheCatalogueNamesEachKeywordOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range mutate.Keywords() {
		for _, dialect := range k.Dialects {
			key := k.Name + " in " + dialect
			assert.False(t, seen[key], key)
			seen[key] = true
		}
		assert.NotEmpty(t, k.Dialects, k.Name)
		for _, text := range []string{k.Valid.What, k.Invalid.What, k.Why} {
			assert.False(t, strings.ContainsAny(text, "|\n"), "%s: %q would break the table", k.Name, text)
		}
	}
}
