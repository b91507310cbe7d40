package mutate_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/auth"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/sample"
)

func TestCataloguesAreComplete(t *testing.T) {
	assert.NoError(t, plan.Validate(catalogue()))
	assert.NoError(t, message.ValidateSchemes(auth.List()))
}

// No head is malformed by what a class puts into it: only the target judges.
func TestEveryClassIsWhatItExpectsToBeAndEveryHeadHasOneLinePerField(t *testing.T) {
	for _, d := range documents(t) {
		t.Run(d.name, func(t *testing.T) {
			for _, seed := range []uint64{0, 99} {
				p := planOf(t, d, seed)
				e := endpoint(p)
				for i, c := range p.Cases {
					if seed > 0 && i%3 > 0 || !useful(p, c) {
						continue // every class at every third draw is enough
					}
					steps := p.Build(c, plan.Identity{Seed: seed, Retry: i % 2})
					require.NotEmpty(t, steps, c.ID)
					for _, s := range steps {
						head := e.Wire(s.Message, c.ID).Head
						require.Equal(t, 1, bytes.Count(head, []byte("\r\n\r\n")), c.ID)
						require.Equal(t, bytes.Count(head, []byte("\n")), bytes.Count(head, []byte("\r\n")), "%s: each field is one line", c.ID)
					}
					last := steps[len(steps)-1].Message
					require.NotNil(t, last, c.ID)
					wire := e.Wire(last, c.ID)
					require.NoError(t, wire.Err, "%s: what a case sends on purpose stays inside its line", c.ID)
					sent := e.Classify(last, wire)
					if !holds(c.Class.Expected, sent) {
						t.Errorf("%s: %s, but the server has to %d: %.200s (%+v)", c.ID, c.Class.Expected, sent.Expectation(), last.Body(), sent.Body)
					}
				}
			}
		})
	}
}

func TestSlugsAreWellFormed(t *testing.T) {
	slug := regexp.MustCompile(`^[a-z0-9-]+/((valid|may-refuse|invalid|not-json|credential)/[a-z0-9-]+/[A-Za-z0-9_.*-]+|sequence/[a-z0-9-]+)/[A-Za-z0-9_-]+$`)
	for _, d := range documents(t) {
		for _, c := range planOf(t, d, 0).Cases {
			assert.Regexp(t, slug, c.Class.Slug)
		}
	}
}

// The plan tells classes of one slug apart, since the names of a document may
// come to anything. The catalogue itself makes each once.
func TestTheCatalogueMakesEachClassOnce(t *testing.T) {
	for _, d := range documents(t) {
		p := planOf(t, d, 0)
		for _, op := range d.contract.Operations {
			for _, m := range catalogue() {
				seen := map[string]bool{}
				for _, c := range m.Classes(p.Space(op)) {
					slug := string(c.Family) + "/" + c.Tries()
					assert.False(t, seen[slug], "%s makes %s again", m.Name, slug)
					seen[slug] = true
				}
			}
		}
	}
}

func TestAPlanDependsOnItsSeedAlone(t *testing.T) {
	for _, d := range documents(t) {
		one, two := ownPlanOf(t, d, 7), ownPlanOf(t, d, 7)
		e := endpoint(one)
		id := plan.Identity{Seed: 7, Generation: 3}
		slices.Reverse(two.Cases)
		for _, c := range two.Cases {
			a, b := one.Build(one.Find(c.ID), id), two.Build(c, id)
			require.Equal(t, len(a), len(b), c.ID)
			for i := range a {
				x, y := e.Wire(a[i].Message, c.ID), e.Wire(b[i].Message, c.ID)
				require.True(t, bytes.Equal(x.Head, y.Head) && bytes.Equal(x.Body, y.Body), c.ID)
			}
			if len(one.Cases) > 1000 && c.Draw > 3 {
				break
			}
		}
	}
}

func TestNoTwoMustAcceptCasesShareAValue(t *testing.T) {
	d := documents(t)[0]
	for _, seed := range []uint64{0, 1} {
		p := planOf(t, d, seed)
		sender := map[string]string{}
		for _, c := range p.Cases {
			if c.Class.Expected != message.Accept {
				continue
			}
			steps := p.Build(c, plan.Identity{Seed: seed})
			for _, v := range message.Values(c.Op, steps[len(steps)-1].Message.Tree) {
				key := v.Name + "=" + v.Value.Text
				if old, taken := sender[key]; taken && !strings.Contains(old, "/sequence/") {
					t.Errorf("%s and %s both send %s", old, c.ID, key)
				}
				sender[key] = c.ID
			}
		}
	}
}

// A neighbour is another value of the same class, so that a refusal of a fixed
// value can be told from a refusal of the class.
func TestANeighbourIsAnotherValueWithTheSameExpectation(t *testing.T) {
	d := documents(t)[0]
	p := planOf(t, d, 0)
	e := endpoint(p)
	for _, c := range p.Cases {
		if c.Class.Expected != message.Accept || c.Class.Phase != plan.Single || c.Class.Family == plan.FamilySequence {
			continue
		}
		id := plan.Identity{Retry: 1, Neighbour: 1}
		one, two := p.Build(c, plan.Identity{})[0].Message, p.Build(c, id)[0].Message
		values := message.Values(c.Op, two.Tree)
		for i, v := range message.Values(c.Op, one.Tree) {
			assert.NotEqual(t, v.Value.Text, values[i].Value.Text, "%s %s", c.ID, v.Name)
		}
		assert.True(t, holds(message.Accept, e.Classify(two, e.Wire(two, c.ID))), "%s %s", c.ID, two.Body())
	}
}

func TestThePlantPlanHasTheExpectedSize(t *testing.T) {
	p := planOf(t, documents(t)[0], 0)
	assert.Greater(t, len(p.Cases), 2500)
	assert.Less(t, len(p.Cases), 8000)
}

func TestEveryOperationIsTriedInEveryFamilyThatItHas(t *testing.T) {
	for _, d := range documents(t) {
		p := planOf(t, d, 0)
		seen := map[*openapi.Operation]map[plan.Family]bool{}
		for _, c := range p.Cases {
			if seen[c.Op] == nil {
				seen[c.Op] = map[plan.Family]bool{}
			}
			seen[c.Op][c.Class.Family] = true
		}
		for _, op := range d.contract.Operations {
			want := []plan.Family{plan.FamilyValid, plan.FamilyMayRefuse, plan.FamilySequence}
			if op.Body != nil {
				want = append(want, plan.FamilyInvalid)
			}
			if op.Body != nil && !op.Body.Form() {
				want = append(want, plan.FamilyNotJSON)
			}
			if op.Secured() {
				want = append(want, plan.FamilyCredential)
			}
			for _, f := range want {
				assert.True(t, seen[op][f], "%s %s", op.Slug, f)
			}
		}
	}
}

// The whole plan is made, built and classified before the first request.
func BenchmarkPlan(b *testing.B) {
	d := documents(b)[0]
	for b.Loop() {
		p := planOf(b, d, 0)
		e := endpoint(p)
		for _, c := range p.Cases {
			for _, s := range p.Build(c, plan.Identity{}) {
				e.Classify(s.Message, e.Wire(s.Message, c.ID))
			}
		}
	}
}

func BenchmarkClasses(b *testing.B) {
	d := documents(b)[0]
	for b.Loop() {
		planOf(b, d, 0)
	}
}

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
				sample.OneIn(t, 16)
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
func isExpected(c message.Expectation, kind schema.Kind) bool {
	switch c {
	case message.Accept:
		return kind == schema.MustAccept
	case message.Either:
		return kind == schema.MayRefuse
	case message.Refuse:
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

func TestMain(m *testing.M) { sample.Main(m) }
