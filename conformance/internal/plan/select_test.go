package plan_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

func TestAStarMatchesAnyRunOfCharactersAndNothingElseIsSpecial(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{{"a", "a", true}, {"a", "ab", false}, {"a*", "ab", true}, {"*b", "ab", true}, {"*", "", true}, {"a*a", "a", false},
		{"a*c*e", "abcde", true}, {"a*e*c", "abcde", false}, {"*b", "abc", false}, {"a*c", "abcd", false}, {"a?", "ab", false}, {"a.", "ab", false}, {"", "", true}, {"", "a", false}} {
		assert.Equal(t, c.want, plan.Match(c.pattern, c.text), "%q on %q", c.pattern, c.text)
	}
}

func TestASkippedCaseIsSkippedThoughItWasAskedFor(t *testing.T) {
	s := plan.Selection{Only: []string{"a*"}, Skip: []string{"ab"}}
	assert.True(t, s.Keeps([]string{"aa"}))
	assert.False(t, s.Keeps([]string{"aa", "ab"}))
	assert.False(t, s.Keeps([]string{"b"}))
	assert.NoError(t, s.Unused(nil))
}

func TestAPatternThatMatchesNothingIsNamed(t *testing.T) {
	s := plan.Selection{Only: []string{"a"}, Skip: []string{"typo"}}
	s.Keeps([]string{"a"})
	assert.ErrorContains(t, s.Unused(nil), `pattern "typo" matches no requirement and no case: see conformance list`)
	for pattern, hint := range map[string]string{"newplnt-id-integer": "newplant-id-integer", "newplnt-id": "newplant-id-*", "newplnat-id*": "newplant-id-*"} {
		s := plan.Selection{Only: []string{pattern}}
		assert.ErrorContains(t, s.Unused([]string{"newplant-id-integer", "newplant-id-required", "get-plants-status"}), ": did you mean "+hint+"?")
	}
}

// drawn makes a plan of one class that needs so many cases.
func drawn(t *testing.T, cases, draws int) (*plan.Plan, error) {
	t.Helper()
	p, err := plan.New(taking(t, `{type: object, required: [n], properties: {n: {type: integer}}}`), nil, 1, draws)
	require.NoError(t, err)
	made := func(g *generate.Gen, _ int) []plan.Step { return []plan.Step{{Message: g.Baseline()}} }
	return p, p.Fill(context.Background(), []plan.Mutator{{Name: "m", Doc: "D.", Classes: func(s *plan.Space) []plan.Class {
		return []plan.Class{{Family: plan.FamilyValid, Kind: "one", Cases: 2, Build: made}, {Family: plan.FamilyValid, Kind: "many", Cases: cases, Build: made}}
	}}})
}

func TestAPlanBeyondTheFreshValuesKeepsSomeOfEveryClassAndSaysSo(t *testing.T) {
	p, err := drawn(t, 100, 1)
	require.NoError(t, err)
	assert.Empty(t, p.LeftOut)
	p, err = drawn(t, 1_000_000, 100)
	require.NoError(t, err)
	require.Len(t, p.LeftOut, 1)
	assert.True(t, strings.HasPrefix(p.LeftOut[0], "POST /t: 0 of 2 classes are not tried, and others have fewer cases: "), p.LeftOut[0])
	assert.NotNil(t, p.Find("post-t/valid/m/one/1"))
	assert.NotNil(t, p.Find("post-t/valid/m/many/0"))
	assert.Less(t, len(p.Cases), 1_000_000)
}

func TestDrawsThatWereAskedForAreRefusedRatherThanCut(t *testing.T) {
	_, err := drawn(t, 1_000_000, 20_000)
	assert.ErrorContains(t, err, "lower the number of draws")
}

func TestNoTwoCasesOfARunSendTheSameFreshValue(t *testing.T) {
	p, err := drawn(t, 200, 1)
	require.NoError(t, err)
	seen := map[string]string{}
	for _, c := range p.Cases {
		n := p.Build(c, generate.Identity{Seed: 1})[0].Message.Tree.Get("n").Text
		assert.Empty(t, seen[n], "%s and %s both send %s", seen[n], c.ID, n)
		seen[n] = c.ID
	}
}
