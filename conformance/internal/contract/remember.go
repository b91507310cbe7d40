package contract

import (
	"slices"
	"sync"
)

// Bounds of what a shape remembers, in bytes of bodies.
const (
	rememberedBody = 2 << 10
	rememberedAll  = 2 << 20
)

// readings are the readings of bodies that were read before. What is remembered
// is shared and stays as it is; the head of a reading is the reader's own.
type readings struct {
	mu   sync.RWMutex
	of   map[string]Reading
	held int
}

// Remember lets every shape of the contract remember how it read short bodies,
// for runs that send the same again. A reading depends on the bytes alone, once
// the domains are set.
func (c *Contract) Remember() {
	for _, op := range c.Operations {
		if op.Body != nil && op.Body.Shape != nil {
			op.Body.Shape.before = &readings{of: map[string]Reading{}}
		}
		for _, r := range op.Responses {
			for _, m := range r.Media {
				if m.Shape != nil {
					m.Shape.before = &readings{of: map[string]Reading{}}
				}
			}
		}
	}
}

// find gives a reading of its own to the caller, or nil.
func (r *readings) find(body []byte) *Reading {
	if r == nil || len(body) > rememberedBody {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if known, ok := r.of[string(body)]; ok {
		return &known
	}
	return nil
}

// keep remembers a reading while there is room.
func (r *readings) keep(body []byte, as *Reading) {
	if r == nil || len(body) > rememberedBody {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.of[string(body)]; known || r.held+len(body) > rememberedAll {
		return
	}
	r.held += len(body)
	kept := *as
	// Whoever appends makes a copy.
	kept.Violations, kept.Reasons, kept.Unusual = slices.Clip(as.Violations), slices.Clip(as.Reasons), slices.Clip(as.Unusual)
	r.of[string(body)] = kept
}
