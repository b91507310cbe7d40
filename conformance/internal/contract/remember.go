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

// readings are the readings of bodies that were read before. The shared parts are
// never changed; each caller gets its own copy of the rest.
type readings struct {
	mu   sync.RWMutex
	of   map[string]Reading
	held int
}

// Remember makes every shape of the contract remember the readings of short bodies,
// for runs that send the same bodies again. A reading depends only on the bytes,
// once the domains are set.
func (c *Contract) Remember() {
	for _, op := range c.Rows() {
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

// find returns the caller's own copy of a reading, or nil.
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

// keep remembers a reading if the bounds allow it.
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
	// Clipped, so that an append makes a copy.
	kept.Violations, kept.Reasons, kept.Unusual = slices.Clip(as.Violations), slices.Clip(as.Reasons), slices.Clip(as.Unusual)
	r.of[string(body)] = kept
}
