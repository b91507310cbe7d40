package checks

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

var filteredScenario = plan.Mutator{
	Name: "filtered",
	Doc:  "Makes things that differ in a member and reads their list with the parameter of that name, or with one that bounds it, because a server may ignore it, or count what it keeps out.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil {
			return nil
		}
		var out []plan.Class
		for i, f := range l.Filters {
			steps := func(g *plan.Gen, _ int) []plan.Step { return l.filtered(g, f, i == 0) }
			if steps(plan.Probe(l.op), 0) == nil {
				continue
			}
			rules := judges(filtered)
			if _, last := l.lastCounted(l.page(plan.Probe(l.op), l.Few), 0); last && i == 0 {
				rules = append(rules, total.Name)
			}
			c := l.class("values", rules, steps)
			c.Place = plan.Place{Name: openapi.NameSlug(f.Name()), Path: f.Place()}
			out = append(out, c)
		}
		return out
	},
}

// filtered makes the steps of a case about a filter. They are nil if no value for it is
// known.
func (l *list) filtered(g *plan.Gen, f openapi.Filter, counts bool) []plan.Step {
	made := l.full(g)
	values := l.values(g, f, made)
	if f.Bound != openapi.Same {
		values = l.bounds(g, f, made)
	}
	if len(values) == 0 {
		return nil
	}
	steps := l.begin(made)
	from := len(steps)
	steps = append(steps, l.recent(g))
	if l.Limit != nil && len(made) > 0 && f.Bound == openapi.Same {
		// Few items without the filter may be none with it.
		for _, v := range []*jsontree.Value{values[0], values[len(values)-1]} {
			step := l.page(g, l.Few)
			ask(step.Message, f, v.Clone())
			steps = append(steps, step)
		}
	}
	for _, v := range append(values, l.together(f, values)...) {
		step := l.recent(g)
		ask(step.Message, f, v)
		step.Open = l.names(f) // a key that no thing has may be refused
		steps = append(steps, step)
	}
	if last, ok := l.lastCounted(steps[len(steps)-1], 0); ok && counts {
		steps = append(steps, last)
	}
	return readAgain(steps, from)
}

var filteredTogether = plan.Mutator{
	Name: "filtered-together",
	Doc:  "Reads a list with two filters at once, and the second page of a list with one, because a server may apply only one of them, or only to the first page.",
	Classes: func(s *plan.Space) []plan.Class {
		l := listOf(s)
		if l == nil {
			return nil
		}
		var out []plan.Class
		add := func(kind string, f openapi.Filter, build func(g *plan.Gen) []plan.Step) {
			if build(plan.Probe(l.op)) == nil {
				return
			}
			c := l.class(kind, judges(filtered), func(g *plan.Gen, _ int) []plan.Step { return build(g) })
			c.First = 1 // also where there is room for few cases
			c.Place = plan.Place{Name: openapi.NameSlug(f.Name()), Path: f.Place()}
			out = append(out, c)
		}
		var before *openapi.Filter
		for _, f := range l.Filters {
			if f.Bound != openapi.Same || l.names(f) {
				continue
			}
			add("second-page", f, func(g *plan.Gen) []plan.Step { return l.secondPage(g, f) })
			if other := before; other != nil {
				add("two", f, func(g *plan.Gen) []plan.Step { return l.filteredByTwo(g, *other, f) })
			}
			before = &f
		}
		return out
	},
}

// filteredByTwo makes the steps that read a list with two filters: with a value of the first that
// most resources have, and one of the second that few have. Of three resources, one has both, and each of
// the others one. The steps are nil if no values are known.
func (l *list) filteredByTwo(g *plan.Gen, a, b openapi.Filter) []plan.Step {
	made := l.full(g)
	one, two := l.values(g, a, made), l.values(g, b, made)
	if len(one) == 0 || len(two) == 0 {
		return nil
	}
	rare := len(two) - 1
	if len(made) > rare {
		common, few := made[0].At(inBody(b)), made[rare].At(inBody(b))
		give(made[1:], a.Member, made[0].At(inBody(a)))
		give(made, b.Member, few, common, few)
	}
	steps := l.begin(made)
	from := len(steps)
	step := l.recent(g)
	ask(step.Message, a, one[0])
	ask(step.Message, b, two[rare])
	return readAgain(append(steps, l.recent(g), step), from)
}

// secondPage makes the steps that read two pages of a list with a filter that has an enum, and with
// a value that few resources have but two of those that are made. The steps are nil if the list has no
// such pages.
func (l *list) secondPage(g *plan.Gen, f openapi.Filter) []plan.Step {
	if len(f.Parameter.Schema.Enum) == 0 || l.Limit == nil || l.Follows() == nil || l.Guessed {
		return nil
	}
	limit := l.Few
	if l.op.Params.Matches(l.Limit.Schema, jsontree.NewInt(1)) {
		limit = 1
	}
	made := l.full(g)
	values := l.values(g, f, made)
	if len(values) == 0 {
		return nil
	}
	rare := values[len(values)-1] // most requests have the first value of an enum
	if len(made) > 0 {
		// The two are apart: a second page that forgets the filter has what is between them.
		give(made[:1], f.Member, made[2].At(inBody(f)))
	}
	steps := l.begin(made)
	from := len(steps)
	first, second := l.page(g, limit), l.page(g, limit)
	ask(first.Message, f, rare.Clone())
	ask(second.Message, f, rare)
	second.From = plan.Follow{From: from + 1}
	return readAgain(append(steps, l.recent(g), first, second), from)
}

// maxValues is how many values of a filter are tried.
const maxValues = 3

// full returns requests that add resources with all members to the list, one for each value of a
// filter that is tried.
func (l *list) full(g *plan.Gen) []*message.Message {
	var out []*message.Message
	for range maxValues {
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
// allows it, the resources that are made get different ones.
func (l *list) values(g *plan.Gen, f openapi.Filter, made []*message.Message) []*jsontree.Value {
	s := f.Parameter.Schema
	several := s.Type() == "array"
	if several {
		s = s.Items
	}
	var known []*jsontree.Value
	switch {
	case len(s.Enum) > 0:
		known = s.Enum[:min(len(s.Enum), maxValues)]
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

// together returns pairs of the values of a filter, each of which asks for the resources with either
// value, if a resource has only one. The first value, which most resources have, is first in one pair and
// last in the other: a server that reads only one end finds too few resources with one of the pairs.
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

// names reports whether a filter is about another resource, which what is made names with
// the key that the target gave it.
func (l *list) names(f openapi.Filter) bool {
	return l.make != nil && f.Parameter.Schema.Type() != "array" && slices.Contains(l.make.Bind, inBody(f))
}

// fresh returns values of a schema that differ: those that requests have, or others that
// they may get. For a member that names another resource they are keys that no thing has: a
// list with one has nothing that was made.
func (l *list) fresh(g *plan.Gen, f openapi.Filter, s *schema.Schema, made []*message.Message) []*jsontree.Value {
	at := inBody(f)
	if l.make == nil || slices.Contains(l.make.Bind, at) && !l.names(f) {
		return nil
	}
	var out []*jsontree.Value
	add := func(v *jsontree.Value) {
		if v != nil && v.Kind == jsontree.Array && len(v.Items) > 0 {
			v = v.Items[0]
		}
		if v != nil && len(out) < maxValues && !slices.ContainsFunc(out, func(w *jsontree.Value) bool { return jsontree.Equal(v, w) }) && l.op.Params.Matches(s, v) {
			out = append(out, v)
		}
	}
	for _, m := range made {
		add(m.At(at))
	}
	for range maxValues {
		add(g.BaselineValue(s))
	}
	return out
}
