package plan_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

func TestABadMutatorIsRefused(t *testing.T) {
	none := func(*plan.Space) []plan.Class { return nil }
	good := plan.Mutator{Name: "a-b2", Doc: "Does it.", Classes: none}
	require.NoError(t, plan.Validate([]plan.Mutator{good}))
	assert.Equal(t, "ab2.go", good.File())
	for want, list := range map[string][]plan.Mutator{
		`mutator "": the name is not`:    {{Doc: "D.", Classes: none}},
		`mutator "a/b": the name is not`: {{Name: "a/b", Doc: "D.", Classes: none}},
		`mutator "A": the name is not`:   {{Name: "A", Doc: "D.", Classes: none}},
		`mutator "a-": the name is not`:  {{Name: "a-", Doc: "D.", Classes: none}},
		"mutator a: the doc is not":      {{Name: "a", Classes: none}, {Name: "b", Doc: "D.", Classes: none}},
		"mutator b: the doc is not":      {{Name: "b", Doc: "One.\nTwo.", Classes: none}},
		"mutator c makes no classes":     {{Name: "c", Doc: "D."}},
		"mutator a-b2 is listed twice":   {good, good},
	} {
		assert.ErrorContains(t, plan.Validate(list), want)
	}
}

// The id of a case names the operation, the family, the mutator, the place and
// the kind, and two classes never have the same.
func TestThePlanComposesTheCaseIDFromItsParts(t *testing.T) {
	build := func(g *generate.Gen, _ int) []plan.Step { return []plan.Step{{Message: g.Baseline()}} }
	class := plan.Class{Family: plan.FamilyInvalid, Place: plan.Place{Name: "n", Path: "/n"}, Kind: "null", Cases: 1, Build: build}
	whole := plan.Class{Family: plan.FamilySequence, Kind: "twice", Cases: 1, Build: build}
	p, err := filled(t, class, class, whole)
	require.NoError(t, err)
	var ids []string
	for _, c := range p.Cases {
		ids = append(ids, c.ID)
		assert.Equal(t, "some-mutator", c.Class.Mutator)
	}
	assert.ElementsMatch(t, []string{"post-t/invalid/some-mutator/n/null/0", "post-t/invalid/some-mutator/n/null-2/0", "post-t/sequence/some-mutator/twice/0"}, ids)
	assert.Equal(t, "some-mutator/n/null", p.Find(ids[0]).Class.Tries())
	for _, bad := range []plan.Class{{Kind: "k"}, {Family: plan.FamilyValid}, {Family: plan.FamilyValid, Kind: "a/b"}, {Family: plan.FamilyValid, Kind: "k", Place: plan.Place{Name: "a/b"}}} {
		_, err := filled(t, bad)
		assert.ErrorContains(t, err, "mutator some-mutator: a class needs")
	}
}

// filled makes a plan of those classes.
func filled(t *testing.T, classes ...plan.Class) (*plan.Plan, error) {
	t.Helper()
	p, err := plan.New(taking(t, `{type: object, required: [n], properties: {n: {type: integer}}}`), nil, 1, 1)
	require.NoError(t, err)
	return p, p.Fill(context.Background(), []plan.Mutator{{Name: "some-mutator", Doc: "D.", Classes: func(*plan.Space) []plan.Class { return classes }}})
}

func TestEveryExpectedClassSaysWhatTheServerHasToDo(t *testing.T) {
	seen := map[string]bool{}
	for c := plan.ExpectNothing; c <= plan.ExpectRefusedCredential; c++ {
		assert.NotEmpty(t, c.String())
		assert.False(t, seen[c.String()], c.String())
		seen[c.String()] = true
	}
}
