package openapi

import (
	"slices"
	"sync"

	"plantstore/conformance/internal/hints"
)

// Bounds of what a shape remembers, in bytes of bodies. ForOne is for a single run, which
// reads a body when it is drawn and again when it is sent. ForMore has room for all bodies
// of a plan, for runs that send them again.
const (
	rememberedBody = 2 << 10
	ForOne         = 32 << 10
	ForMore        = 4 << 20
)

// readings are the readings of bodies that were read before. The shared parts are
// never changed; each caller gets its own copy of the rest.
type readings struct {
	mu    sync.RWMutex
	of    map[string]Reading
	order []string // the oldest first
	held  int
	most  int
}

// Remember makes every shape of the contract remember the readings of the last short
// bodies, up to this many bytes. A reading depends only on the bytes, once the domains
// are set.
func (c *Contract) Remember(most int) {
	for _, op := range c.Rows() {
		if op.Body != nil && op.Body.Shape != nil {
			op.Body.Shape.before = &readings{of: map[string]Reading{}, most: most}
		}
		for _, r := range op.Responses {
			for _, m := range r.Media {
				if m.Shape != nil {
					m.Shape.before = &readings{of: map[string]Reading{}, most: most}
				}
			}
		}
	}
}

// Guess says whether values are drawn as names and sentences suggest, and reports whether that
// changes any value of the operation.
func (o *Operation) Guess(guess bool) bool {
	guessed := false
	for _, m := range o.Members() {
		guessed = guessed || m.Schema.Drawn() != nil || m.Schema.Past || len(m.Schema.Sequences) > 0
	}
	if o.Body != nil && o.Body.Shape != nil {
		guessed = guessed || len(o.Body.Shape.Schema.Sequences) > 0
	}
	for _, s := range o.shapes() {
		if guessed {
			s.forget(!guess)
		}
	}
	return guessed
}

// Tell says whether requests get texts of the kinds that sentences alone tell of, and reports
// whether that changes any value of the operation.
func (o *Operation) Tell(tell bool) bool {
	if !slices.ContainsFunc(o.Members(), func(m Member) bool {
		return m.Schema.Told != nil || m.Schema.Items != nil && m.Schema.Items.Told != nil
	}) {
		return false
	}
	for _, s := range o.shapes() {
		s.mu.Lock()
		s.Told = tell
		s.mu.Unlock()
	}
	return true
}

// drawsTold reports whether requests get such texts.
func (o *Operation) drawsTold() bool {
	return o != nil && slices.ContainsFunc(o.shapes(), func(s *Shape) bool { return s.Told })
}

// Kind is the kind of the texts that requests get at a place, or nil. One that only a sentence tells
// of is tried where plain texts are refused: what a document says in words changes nothing else.
func (o *Operation) Kind(s *Schema) *hints.Code {
	if o.drawsTold() {
		return s.Drawn()
	}
	return s.Code
}

func (o *Operation) shapes() []*Shape {
	var out []*Shape
	if o.Params != nil {
		out = append(out, o.Params)
	}
	if o.Body != nil && o.Body.Shape != nil {
		out = append(out, o.Body.Shape)
	}
	return out
}

// forget forgets what was read and found, for values that are guessed or not.
func (s *Shape) forget(unguessed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Unguessed = unguessed
	clear(s.pairs)
	if s.before != nil {
		s.before = &readings{of: map[string]Reading{}, most: s.before.most}
	}
}

// Guesses reports whether values are drawn as names and sentences suggest.
func (o *Operation) Guesses() bool {
	return o == nil || (o.Params == nil || !o.Params.Unguessed) && (o.Body == nil || o.Body.Shape == nil || !o.Body.Shape.Unguessed)
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

// keep remembers a reading, and forgets the oldest if there is no room.
func (r *readings) keep(body []byte, as *Reading) {
	if r == nil || len(body) > rememberedBody {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	text := string(body)
	if _, known := r.of[text]; known {
		return
	}
	for r.held += len(text); r.held > r.most && len(r.order) > 0; r.order = r.order[1:] {
		r.held -= len(r.order[0])
		delete(r.of, r.order[0])
	}
	r.order = append(r.order, text)
	kept := *as
	// Clipped, so that an append makes a copy.
	kept.Violations, kept.Reasons, kept.Unusual = slices.Clip(as.Violations), slices.Clip(as.Reasons), slices.Clip(as.Unusual)
	r.of[text] = kept
}
