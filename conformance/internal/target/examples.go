package target

import (
	"context"
	"maps"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

// exemplified tries the values that the document gives as examples for what a request needs: a
// server may know only the plans or rooms that these name, and no schema lists them. It
// reports whether they are accepted, and keeps only those that are needed.
func (p *preflight) exemplified(ctx context.Context) bool {
	all := p.examples()
	if len(all) == 0 || !refusesRepeats(p.refused.Exchange.Response.Status) {
		return false
	}
	first := p.refused
	takes := func(values map[string]*jsontree.Value) bool {
		p.t.Facts.given.Set(p.op, values)
		p.facts.Reached, p.refused = nil, nil
		return ctx.Err() == nil && p.accepted(ctx)
	}
	for _, some := range attempts(all) {
		if !takes(some) {
			continue
		}
		// A value that may be sent only once keeps others from being left out, until it is
		// left out itself.
		for range 2 {
			for _, path := range slices.Sorted(maps.Keys(some)) {
				fewer := maps.Clone(some)
				if delete(fewer, path); len(some) > 1 && takes(fewer) {
					some = fewer
				}
			}
		}
		if takes(some) {
			return true
		}
	}
	p.t.Facts.given.Set(p.op, nil)
	p.facts.Reached, p.refused, p.facts.Accepted = nil, first, false
	p.last, p.message = first.Exchange, first.Message
	return false
}

// examples returns the first example of each text or number that a request needs and that
// names nothing made by another operation.
func (p *preflight) examples() map[string]*jsontree.Value {
	out := map[string]*jsontree.Value{}
	for _, m := range p.op.Members() {
		s := m.Schema
		plain := s.Type() == "string" || s.Type() == "integer" || s.Type() == "number"
		inside := strings.HasPrefix(m.Path, "/") || strings.HasPrefix(m.Path, "query/")
		if !m.Required || !plain || !inside || s.Enum != nil || s.Const != nil || contract.Ordinary(s) || slices.Contains(p.op.Bind, m.Path) {
			continue
		}
		if values := p.t.Contract.Examples(p.op, m); len(values) > 0 && len(out) < mostExemplified {
			out[m.Path] = values[0]
		}
	}
	return out
}

// mostExemplified is how many members may have values of examples.
const mostExemplified = 8

// attempts lists what is tried: all values together, then each alone.
func attempts(all map[string]*jsontree.Value) []map[string]*jsontree.Value {
	out := []map[string]*jsontree.Value{all}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if len(all) > 1 {
			out = append(out, map[string]*jsontree.Value{path: all[path]})
		}
	}
	return out
}
