package plan_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/mutate"
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
	made := func(g *plan.Gen, _ int) []plan.Step { return []plan.Step{{Message: g.Baseline()}} }
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
		n := p.Build(c, plan.Identity{Seed: 1})[0].Message.Tree.Get("n").Text
		assert.Empty(t, seen[n], "%s and %s both send %s", seen[n], c.ID, n)
		seen[n] = c.ID
	}
}

func TestTheShardsOfAPlanHaveEachCaseOnceAndClassesStayTogether(t *testing.T) {
	cases := fake.Plants(t, mutate.List()...).Plan.Cases
	for _, of := range []int{1, 2, 3, 7, 50} {
		seen := map[*plan.Case]int{}
		shardOf := map[*plan.Class]int{}
		for number := 1; number <= of; number++ {
			part, err := plan.Shard(cases, number, of)
			require.NoError(t, err)
			again, err := plan.Shard(cases, number, of)
			require.NoError(t, err)
			assert.Equal(t, part, again)
			assert.NotEmpty(t, part)
			last := -1
			for _, c := range part {
				seen[c]++
				at := slices.Index(cases, c)
				assert.Greater(t, at, last, "in the order of the plan")
				last = at
				if shardOf[c.Class] == 0 {
					shardOf[c.Class] = number
				}
				assert.Equal(t, number, shardOf[c.Class], c.ID)
			}
			if of <= 7 {
				assert.InDelta(t, steps(cases)/of, steps(part), float64(steps(cases)/of)/20, "about equal parts")
			}
		}
		assert.Len(t, seen, len(cases))
		for c, n := range seen {
			assert.Equal(t, 1, n, c.ID)
		}
	}
}

func steps(cases []*plan.Case) int {
	n := 0
	for _, c := range cases {
		n += c.Steps()
	}
	return n
}

func TestAPlanIsNotDividedIntoMoreShardsThanClasses(t *testing.T) {
	cases := fake.Plants(t, mutate.List()...).Plan.Cases
	_, err := plan.Shard(cases[:1], 1, 2)
	assert.EqualError(t, err, "2 shards are too many for the classes of this plan: use at most 1")
}
