package conformance

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// Cache keeps what a run makes from a document before it looks at the target:
// the contract, the requirements and the plan. Runs that share a cache, and
// differ neither in the document nor in values, seed, draws or in which credentials
// are given, make them once.
// What a run sends and says stays the same. The zero value is ready to use, and
// several runs may use it at the same time.
type Cache struct {
	mu    sync.Mutex
	order []cacheKey
	made  map[cacheKey]func() (*setup, error)
}

// cacheKey is a digest of all that a plan depends on.
type cacheKey [sha256.Size]byte

// cachedPlans bounds the plans that a cache keeps: some megabytes each.
const cachedPlans = 8

// setUp is like the function setUp, with the cases made, and uses the cache if it has
// them. The result belongs to the caller; what it points to is shared.
func (k *Cache) setUp(c Config) (*setup, error) {
	made, err := k.entry(c)()
	if err != nil {
		return nil, err
	}
	s := *made
	s.config = c
	s.bind()
	return &s, nil
}

// cover says which cases the judge is asked about, and uses what other runs with the same
// plan found about them.
func (s *setup) cover(cases []*plan.Case) {
	c := s.config
	// A new credential may come while cases are sent.
	if s.examined == nil || len(cases) != len(s.plan.Cases) || len(c.Renew) > 0 {
		s.judge.Cover(cases)
		return
	}
	key := fmt.Sprintf("%q %q %q %q %t %t %s %q", c.Token, c.Auth, c.AuthOther, s.endpoint.Headers, c.NameCases, c.TraceParent, s.endpoint.Target.Scheme, s.endpoint.Target.Prefix)
	s.judge.CoverOnce(s.examined, key, cases)
}

// entry finds or begins the entry of a config, and forgets the oldest one.
func (k *Cache) entry(c Config) func() (*setup, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %q %q %q %q %q %q %d %d %q", c.Include, c.Exclude, c.Effort, c.SpecName, c.Spec, c.RequirementsName, c.Requirements, c.Values, c.ValuesName, c.ValuesFile, c.Seed, c.Draws, c.credentials())
	key := cacheKey(h.Sum(nil))
	k.mu.Lock()
	defer k.mu.Unlock()
	if made, found := k.made[key]; found {
		return made
	}
	if len(k.order) == cachedPlans {
		delete(k.made, k.order[0])
		k.order = k.order[1:]
	}
	if k.made == nil {
		k.made = map[cacheKey]func() (*setup, error){}
	}
	// No run's end stops what others wait for too.
	made := sync.OnceValues(func() (*setup, error) {
		s, err := setUpAnew(c)
		if err != nil {
			return nil, err
		}
		s.contract.Remember(openapi.ForMore)
		s.config, s.endpoint, s.judge, s.filled = Config{}, nil, nil, true // the rest is each run's own
		s.examined = new(judge.Shared)
		return s, s.plan.Fill(context.Background(), catalogue())
	})
	k.order, k.made[key] = append(k.order, key), made
	return made
}
