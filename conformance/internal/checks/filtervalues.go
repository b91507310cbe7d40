package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// mostValues is how many values of a filter are tried.
const mostValues = 3

// full returns requests that add things with all members to the list, one for each value of a
// filter that is tried.
func (l *list) full(g *generate.Gen) []*message.Message {
	var out []*message.Message
	for range mostValues {
		if l.make != nil {
			out = append(out, g.Request(l.make, true))
		}
	}
	return out
}

// inBody returns where a body has the member of a filter.
func inBody(f openapi.Filter) string { return "/" + jsontree.EscapePointer(f.Member) }

// ask puts a value of a filter into a request.
func ask(m *message.Message, f openapi.Filter, v *jsontree.Value) {
	if f.At != "" && m.At(f.Parameter.Place()) == nil {
		m.Set(f.Parameter.Place(), jsontree.NewObject())
	}
	m.Set(f.Place(), v)
}

// values returns the values of a filter that are asked for. As far as the document
// allows it, the things that are made get different ones.
func (l *list) values(g *generate.Gen, f openapi.Filter, made []*message.Message) []*jsontree.Value {
	s := f.Parameter.Schema
	several := s.Type() == "array"
	if several {
		s = s.Items
	}
	var known []*jsontree.Value
	switch {
	case len(s.Enum) > 0:
		known = s.Enum[:min(len(s.Enum), mostValues)]
	case s.Type() == "boolean":
		known = []*jsontree.Value{jsontree.NewBool(true), jsontree.NewBool(false)}
	default:
		known = l.fresh(g, f, s, made)
	}
	if len(known) < 2 {
		return nil
	}
	if l.names(f) {
		return l.valid(f, known)
	}
	if member := l.Item.Property(f.Member); member != nil && member.Schema.Type() == "array" {
		one, two, both := jsontree.NewArray(known[0]), jsontree.NewArray(known[1]), jsontree.NewArray(known[0], known[1])
		if f.Of != "any" {
			two = both
		}
		give(made, f.Member, one, two, jsontree.NewArray(known[len(known)-1]))
		// Only what was made last has the last one: a page that is cut before the filter has
		// the others.
		last := known[len(known)-1]
		values := []*jsontree.Value{known[1].Clone()}
		if several {
			values, last = []*jsontree.Value{both.Clone()}, jsontree.NewArray(last.Clone())
		}
		if len(known) > 2 {
			values = append(values, last.Clone())
		}
		return l.valid(f, values)
	}
	give(made, f.Member, known...)
	var out []*jsontree.Value
	for _, v := range known {
		if v = v.Clone(); several {
			v = jsontree.NewArray(v)
		}
		out = append(out, v)
	}
	return l.valid(f, out)
}

// together returns pairs of the values of a filter, each of which asks for the things with either
// value, if a thing has only one. The first value, which most things have, is first in one pair and
// last in the other: a server that reads only one end finds too few things with one of the pairs.
func (l *list) together(f openapi.Filter, values []*jsontree.Value) []*jsontree.Value {
	member := l.Item.Property(f.Member)
	if f.Parameter.Schema.Type() != "array" || f.Bound != openapi.Same || f.Of == "all" || len(values) < 2 || member == nil || member.Schema.Type() == "array" {
		return nil
	}
	one := func(i int) *jsontree.Value { return values[i].Items[0].Clone() }
	return l.valid(f, []*jsontree.Value{jsontree.NewArray(one(0), one(1)), jsontree.NewArray(one(len(values)-1), one(0))})
}

// valid keeps the values that the parameter allows.
func (l *list) valid(f openapi.Filter, list []*jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range list {
		if l.op.Params.Matches(f.Schema(), v) {
			out = append(out, v)
		}
	}
	return out
}

// names reports whether a filter is about another thing, which what is made names with
// the key that the target gave it.
func (l *list) names(f openapi.Filter) bool {
	return l.make != nil && f.Parameter.Schema.Type() != "array" && slices.Contains(l.make.Bind, inBody(f))
}

// fresh returns values of a schema that differ: those that requests have, or others that
// they may get. For a member that names another thing they are keys that no thing has: a
// list with one has nothing that was made.
func (l *list) fresh(g *generate.Gen, f openapi.Filter, s *openapi.Schema, made []*message.Message) []*jsontree.Value {
	at := inBody(f)
	if l.make == nil || slices.Contains(l.make.Bind, at) && !l.names(f) {
		return nil
	}
	var out []*jsontree.Value
	add := func(v *jsontree.Value) {
		if v != nil && v.Kind == jsontree.Array && len(v.Items) > 0 {
			v = v.Items[0]
		}
		if v != nil && len(out) < mostValues && !slices.ContainsFunc(out, func(w *jsontree.Value) bool { return jsontree.Equal(v, w) }) && l.op.Params.Matches(s, v) {
			out = append(out, v)
		}
	}
	for _, m := range made {
		add(m.At(at))
	}
	for range mostValues {
		add(g.BaselineValue(s))
	}
	return out
}
