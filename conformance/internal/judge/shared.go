package judge

import (
	"fmt"
	"sync"

	"plantstore/conformance/internal/plan"
)

// Shared keeps what the cases of a plan can test, for several runs: to examine them
// takes a tenth of a run. The zero value is ready to use.
type Shared struct {
	mu    sync.Mutex
	known map[string]*covers
}

// mostShared bounds what is kept, some megabytes each.
const mostShared = 4

// CoverOnce is like Cover for cases that are the same in all runs which share s. The key
// says what else the bytes of a request depend on. A target that needs other requests than
// the document says is examined for itself.
func (j *Judge) CoverOnce(s *Shared, key string, cases []*plan.Case) {
	j.Cover(cases)
	facts := j.Facts.Usual()
	if facts == nil {
		return
	}
	key = fmt.Sprintf("%d %d %d %s", facts.Seed, facts.Generation, facts.EarlierRuns, key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.known[key]; known != nil {
		j.covers = known
		return
	}
	if len(s.known) == mostShared {
		return
	}
	if s.known == nil {
		s.known = map[string]*covers{}
	}
	// What this run learns or renews later is its own.
	by, endpoint := *j, *j.Endpoint
	by.Facts, by.Endpoint, by.Noted = facts, &endpoint, nil
	j.covers.by, s.known[key] = &by, j.covers
}
