package execute_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// classes is a mutator with n classes of one case each.
func classes(name string, n int) plan.Mutator {
	return plan.Mutator{Name: name, Doc: "For tests.", Classes: func(*plan.Space) []plan.Class {
		var out []plan.Class
		for i := range n {
			out = append(out, plan.Class{Family: plan.FamilyValid, Kind: fmt.Sprint("kind", i), Cases: 1, Expected: plan.ExpectMustAccept, Build: func(g *generate.Gen, _ int) []plan.Step {
				return []plan.Step{{Message: g.Baseline()}}
			}})
		}
		return out
	}}
}

// TestARunThatIsCutHasOneCaseOfEachKind: the classes of one mutator take no time from those of
// others, nor from the cases about credentials.
func TestARunThatIsCutHasOneCaseOfEachKind(t *testing.T) {
	slow := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		return fake.Lasting(time.Second, d.Conforming(c.Request))
	}
	cases := []plan.Mutator{classes("many", 200), classes("other", 1), sequence("several", 1, 3, nil), heavy("large", 1, 100), wrongTokens("token", 1)}
	play(t, script{serve: slow, cases: cases, ends: 100 * time.Second}, func(t *testing.T, s scene) {
		for _, mutator := range []string{"many", "other", "several", "large", "token"} {
			assert.Equal(t, judge.Tried, s.Record(s.of(mutator)[0]).State, mutator)
		}
		assert.Empty(t, s.why("token"), "there is time for all of them")
		left := s.why("many")
		require.NotEmpty(t, left)
		assert.Contains(t, left[0], "--max-time")
		assert.Greater(t, len(s.sent("many")), 60, "the time is used")
		assert.NotEqual(t, s.order()[len(s.order())-1], "many", "those about credentials stay last")
	})
}

func TestEveryOperationHasItsPartOfARoundBeforeTheNextRound(t *testing.T) {
	cases := []plan.Mutator{classes("many", 5), classes("other", 3), singles("drawn", 4)}
	play(t, script{serve: conforming, cases: cases}, func(t *testing.T, s scene) {
		var order []string
		for _, c := range s.Calls() {
			if parts := strings.Split(c.Case, "/"); len(parts) > 3 && parts[2] != opening {
				order = append(order, parts[2]+parts[4])
			}
		}
		require.Len(t, order, 12)
		assert.ElementsMatch(t, []string{"many0", "other0", "drawn0"}, order[:3], "the first class of each mutator")
		assert.NotContains(t, strings.Join(order[:9], " "), "drawn1", "a second case comes behind the first of every class")
	})
}
