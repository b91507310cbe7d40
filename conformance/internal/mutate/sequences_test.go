package mutate

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/auth"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

func spaces(t *testing.T) []*plan.Space {
	t.Helper()
	var out []*plan.Space
	for _, name := range []string{"testdata/orders.yaml", "testdata/keywords.yaml", "testdata/numbers.yaml", "testdata/notes.yaml"} {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		c, err := openapi.Load(name, b)
		require.NoError(t, err)
		for _, op := range c.Operations {
			s := &plan.Space{Op: op, Draws: 50}
			s.Auth, err = message.NewAuth(auth.List(), op)
			require.NoError(t, err)
			out = append(out, s)
		}
	}
	return out
}

// walk calls f with the steps of every case.
func walk(t *testing.T, f func(s *plan.Space, c plan.Class, steps []plan.Step)) {
	t.Helper()
	for _, s := range spaces(t) {
		for _, m := range Sequences() {
			for _, c := range m.Classes(s) {
				for draw := range c.Cases {
					f(s, c, c.Build(plan.Probe(s.Op), draw))
				}
			}
		}
	}
}

func TestEverySequenceHasSeveralRequests(t *testing.T) {
	walk(t, func(_ *plan.Space, c plan.Class, steps []plan.Step) {
		assert.Greater(t, len(steps), 1, c.Kind)
	})
}

func TestNoStepUsesMoreConnectionsThanItsClassStates(t *testing.T) {
	walk(t, func(_ *plan.Space, c plan.Class, steps []plan.Step) {
		for _, s := range steps {
			assert.LessOrEqual(t, s.Connection, c.Connections, c.Kind)
		}
	})
}

func TestParallelStepsHaveConnectionsOfTheirOwn(t *testing.T) {
	walk(t, func(_ *plan.Space, c plan.Class, steps []plan.Step) {
		group := map[int]bool{}
		for _, s := range steps {
			if !s.Parallel {
				group = map[int]bool{}
				continue
			}
			assert.False(t, group[s.Connection], "%s: connection %d twice at once", c.Kind, s.Connection)
			group[s.Connection] = true
		}
	})
}

func TestWhatIsSpoiltIsRefused(t *testing.T) {
	for _, s := range spaces(t) {
		for _, c := range corruptions(s) {
			m := plan.Probe(s.Op).Baseline()
			c.apply(m)
			assert.GreaterOrEqual(t, s.Op.Body.Shape.Read(m.Body()).Kind, schema.Invalid, c.kind)
		}
	}
}

func TestSequencesNeedASchemeOnlyWhereTheyTryIt(t *testing.T) {
	for _, s := range spaces(t) {
		if s.Auth == nil {
			assert.Empty(t, credentialChanges.Classes(s))
			assert.Empty(t, credentialRuns.Classes(s))
		} else {
			assert.Len(t, refusals(s), len(wrongNames))
		}
	}
}

// differing lists the members of two objects whose bytes differ.
func differing(a, b *jsontree.Value) []string {
	var out []string
	for _, m := range a.Members {
		if other := b.Get(m.Name); other == nil || string(m.Value.Append(nil, jsontree.Style{})) != string(other.Append(nil, jsontree.Style{})) {
			out = append(out, m.Name)
		}
	}
	return out
}

func TestASimilarRequestHasOptionalMembersOfItsOwn(t *testing.T) {
	for _, p := range playedOf(t, similarRequests) {
		if strings.HasSuffix(p.class.Kind, "-at-once") {
			continue
		}
		require.Len(t, p.steps, 2, p.class.Kind)
		one, two := p.steps[0].Message.Tree, p.steps[1].Message.Tree
		for _, o := range told(p.op) {
			assert.Contains(t, differing(one, two), o.Name, p.class.Kind)
		}
	}
}

func TestTheMemberLooksTheSameToCarelessCode(t *testing.T) {
	careless := map[string]func(string) string{
		"upper": strings.ToLower, "blanks": strings.TrimSpace,
		"longer": func(s string) string { return s[:5] },
	}
	seen := 0
	for _, p := range playedOf(t, similarRequests) {
		for suffix, fold := range careless {
			name, found := strings.CutSuffix(p.class.Kind, "-"+suffix)
			if !found {
				continue
			}
			seen++
			one, two := p.steps[0].Message.Tree.Get(name).Text, p.steps[1].Message.Tree.Get(name).Text
			assert.NotEqual(t, one, two, p.class.Kind)
			assert.Equal(t, fold(one), fold(two), p.class.Kind)
		}
	}
	assert.Positive(t, seen)
}

func TestWhatIsSentAtOnceSharesTheMemberAndNothingElse(t *testing.T) {
	seen := 0
	for _, p := range playedOf(t, similarRequests) {
		name, found := strings.CutSuffix(p.class.Kind, "-at-once")
		if !found {
			continue
		}
		seen++
		var group []*jsontree.Value
		for _, s := range p.steps {
			if s.Parallel {
				group = append(group, s.Message.Tree)
			}
		}
		group = group[:parallelConnections]
		for _, v := range group[1:] {
			assert.NotContains(t, differing(group[0], v), name)
			for _, o := range told(p.op) {
				assert.Contains(t, differing(group[0], v), o.Name)
			}
		}
	}
	assert.Positive(t, seen)
}
