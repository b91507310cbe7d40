package plan_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/plan"
)

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
