package mutate

import (
	"slices"

	"plantstore/conformance/internal/plan"
)

// givenEach is how many values are tried of a member that is there.
const givenEach = 4

// spread keeps at most n items, evenly distributed.
func spread[T any](items []T, most int) []T {
	if len(items) <= most {
		return items
	}
	out := make([]T, most)
	for i := range out {
		out[i] = items[i*len(items)/most]
	}
	return out
}

// rank counts the places of the same kind before this one. The first of a kind gets
// every value, the others a sample.
func rank(s *plan.Space, p *place, same func(*place) bool) int {
	n := 0
	for _, q := range places(s) {
		if q.at == p.at {
			break
		}
		if same(q) && !rightlyRefused(s, q.where()) {
			n++
		}
	}
	return n
}

// sampleOf is how much of a list is tried at a place: all of it at the first
// of its kind.
func sampleOf[T any](items []T, rank int) []T {
	if rank == 0 {
		return items
	}
	return spread(items, 1+len(items)/12)
}

// tried lists the places that mutators go to: all of them, but for a document
// too large for one run, and the body as a whole always.
func tried(s *plan.Space) []*place {
	list := places(s)
	if s.Op.Alternative != "" {
		list = slices.DeleteFunc(slices.Clone(list), func(p *place) bool { return s.Op.Told(p.path, p.schema, p.need) })
	}
	if s.Places == 0 {
		return list
	}
	return spread(list, s.Places)
}

// inJSON keeps the places that are in a JSON body.
func inJSON(s *plan.Space, list []*place) []*place {
	if !s.Op.HasJSON() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list), func(p *place) bool { return p.section })
}

// each collects the classes of every place.
func each(s *plan.Space, classes func(p *place) []plan.Class) []plan.Class {
	var out []plan.Class
	for _, p := range tried(s) {
		out = append(out, classes(p)...)
	}
	return out
}
