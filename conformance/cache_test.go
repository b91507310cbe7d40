package conformance

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRunsThatShareACacheMakeTheirPlanOnce(t *testing.T) {
	cache := new(Cache)
	first, err := setUp(Config{Cache: cache, Draws: 1, Token: "a-token-of-this-test"})
	require.NoError(t, err)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			s, err := setUp(Config{Cache: cache, Draws: 1, Token: "another-token-of-it"})
			assert.NoError(t, err)
			assert.Same(t, first.plan, s.plan)
			assert.Equal(t, "another-token-of-it", s.endpoint.Token, "what is a run's own is not shared")
		})
	}
	group.Wait()
	assert.Equal(t, "a-token-of-this-test", first.endpoint.Token)
	require.NoError(t, first.fill(t.Context()))
	assert.NotEmpty(t, first.cases)
	alone, err := setUp(Config{Draws: 1, Token: "a-token-of-this-test"})
	require.NoError(t, err)
	require.NoError(t, alone.fill(t.Context()))
	require.Len(t, first.cases, len(alone.cases))
	for i, c := range alone.cases {
		assert.Equal(t, c.ID, first.cases[i].ID)
		assert.Equal(t, c.Seed, first.cases[i].Seed)
	}
}

func TestACacheTellsApartWhateverAPlanDependsOn(t *testing.T) {
	cache := new(Cache)
	plans := map[any]string{}
	for name, c := range map[string]Config{
		"as it is":           {},
		"another seed":       {Seed: 2},
		"other draws":        {Draws: 2},
		"a value":            {Values: []string{"/tag=Baum"}},
		"another selection":  {Only: []string{"no-such-thing"}},
		"other credentials":  {Auth: map[string]string{"bearer": "its-own-credential"}},
		"other requirements": {Requirements: []byte("requirements: []\n")},
	} {
		c.Cache, c.Token = cache, "a-token-of-this-test"
		if c.Draws == 0 {
			c.Draws = 1
		}
		s, err := setUp(c)
		if !assert.NoError(t, err, name) {
			continue
		}
		if name != "another selection" {
			assert.Empty(t, plans[s.plan], "%s has the plan of another", name)
			plans[s.plan] = name
		}
	}
	_, err := setUp(Config{Cache: cache, Spec: []byte("openapi: 3.1.0")})
	assert.Error(t, err, "a document that cannot be read is none the second time either")
	_, err = setUp(Config{Cache: cache, Spec: []byte("openapi: 3.1.0")})
	assert.Error(t, err)
}

func TestACacheForgetsTheOldestPlan(t *testing.T) {
	cache := new(Cache)
	made := func(seed uint64) any {
		s, err := setUp(Config{Cache: cache, Seed: seed, Draws: -1, Token: "a-token-of-this-test"})
		require.NoError(t, err)
		return s.plan
	}
	first := made(1)
	for seed := range uint64(cachedPlans) {
		made(seed + 2)
	}
	assert.Len(t, cache.made, cachedPlans)
	assert.NotSame(t, first, made(1))
}
