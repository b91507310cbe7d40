package execute

import (
	"sync"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// records are the outcomes of the cases that were tried. The zero value has none.
type records struct {
	mu   sync.Mutex
	list map[*plan.Case]*judge.Record
}

// of returns the outcome of a case, or nil if it was not tried.
func (r *records) of(c *plan.Case) *judge.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.list[c]
}

func (r *records) set(c *plan.Case, to *judge.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.list == nil {
		r.list = map[*plan.Case]*judge.Record{}
	}
	r.list[c] = to
}
