package mutate

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// in returns a baseline request that has a value at the place.
func (p *place) in(g *plan.Gen) *message.Message {
	m := g.Baseline()
	p.ensure(g, m)
	return m
}

// get returns the value of a message at the place, or nil.
func (p *place) get(m *message.Message) *jsontree.Value {
	if p.section {
		return m.Params.At(p.at)
	}
	return m.Tree.At(p.at)
}

func (p *place) ensure(g *plan.Gen, m *message.Message) {
	if p.up == nil {
		return
	}
	p.up.ensure(g, m)
	if p.get(m) == nil {
		p.set(m, g.BaselineAt(p.path, p.schema))
		p.order(g, m, false)
		p.accompany(g, m)
		m.Bind()
	}
}

// set puts a value at the place; the place above must be there.
func (p *place) set(m *message.Message, v *jsontree.Value) {
	if p.up == nil {
		m.Tree = v
		return
	}
	up := p.up.get(m)
	if up == nil {
		return
	}
	if p.member {
		up.Set(p.name, v)
		return
	}
	if i, err := strconv.Atoi(p.at[strings.LastIndexByte(p.at, '/')+1:]); err == nil && i < len(up.Items) {
		up.Items[i] = v
	} else {
		up.Items = append(up.Items, v)
	}
}

// remove takes out what ensure put at the place of a member.
func (p *place) remove(m *message.Message) {
	if up := p.up.get(m); up != nil {
		up.Remove(p.name)
	}
}

// with returns a baseline request with this value at the place.
func (p *place) with(g *plan.Gen, v *jsontree.Value) *message.Message {
	m := g.Baseline()
	if p.up != nil {
		p.up.ensure(g, m)
	}
	if m.Op.Same[p.path] != "" {
		p.ensure(g, m) // any other value than that of the path may be refused
	}
	p.set(m, v)
	p.order(g, m, true)
	p.accompany(g, m)
	p.complete(g, m)
	return m
}

// complete changes other members as the conditions around the place demand for its value, if that makes
// the message valid.
func (p *place) complete(g *plan.Gen, m *message.Message) {
	more := m
	for q := p.up; q != nil; q = q.up {
		if len(q.schema.Conditions) == 0 {
			continue
		}
		if more == m {
			if !violates(m) {
				return
			}
			more = m.Clone()
		}
		if v := q.get(more); v != nil && v.Kind == jsontree.Object {
			g.Complete(q.schema, v)
		}
	}
	if v := p.get(more); more != m && v != nil && jsontree.Equal(v, p.get(m)) && !violates(more) {
		*m = *more
	}
}

// order keeps what begins before what ends, after the place got a value. If keep, the
// value stays, and the other one of its pair is moved.
func (p *place) order(g *plan.Gen, m *message.Message, keep bool) {
	if !p.member {
		return
	}
	up := p.up.get(m)
	if up == nil || up.Kind != jsontree.Object {
		return
	}
	shape, at := m.Op.Params, p.up.path
	if !p.section && m.Op.Body != nil {
		shape = m.Op.Body.Shape
	} else if at != "" {
		at = "/" + strings.TrimPrefix(at, "/")
	}
	g.Beside(p.up.schema, up, p.name, keep, plan.Chosen(m, shape, at))
}

// accompany adds the members that may not be left out where the place has a value. Without
// them the message would be invalid for another reason than that value.
func (p *place) accompany(g *plan.Gen, m *message.Message) {
	if p.member {
		if up := p.up.get(m); up != nil && up.Kind == jsontree.Object {
			g.Accompany(p.up.schema, up, p.name)
		}
	}
}

// items returns a request with n fresh items at the place.
func (p *place) items(g *plan.Gen, n int) *message.Message {
	if n < 0 || n > maxItems {
		return nil
	}
	v := jsontree.NewArray()
	for i := range n {
		item := p.schema.Item(i)
		one := g.BaselineValue(item)
		if i > 0 && item != nil && len(item.Enum) > 1 {
			one = laterChoice(item.Enum, v.Items[0], i)
		}
		for range redraws {
			if !p.schema.Unique || !slices.ContainsFunc(v.Items, func(old *jsontree.Value) bool { return jsontree.Equal(old, one) }) {
				break
			}
			one = g.BaselineValue(item) // a short text comes twice now and then
		}
		v.Items = append(v.Items, one)
	}
	return p.with(g, v)
}

// laterChoice returns the value that stands so many places behind another one in a list,
// so that the items of an array are not all alike.
func laterChoice(list []*jsontree.Value, first *jsontree.Value, behind int) *jsontree.Value {
	at := max(0, slices.IndexFunc(list, func(v *jsontree.Value) bool { return jsontree.Equal(v, first) }))
	return list[(at+behind)%len(list)].Clone()
}

// redraws bounds how often an item is drawn until it is new.
const redraws = 20

const maxItems = 300

// full returns a request with every optional member, or as many as a must-accept body
// has room for.
func full(s *plan.Space, g *plan.Gen) *message.Message {
	m := g.Baseline()
	for _, p := range optional(s) {
		if strings.Count(p.at, "/") >= 4 {
			continue
		}
		if p.ensure(g, m); m.Tree.Size() > plan.MaxBody {
			p.remove(m)
		}
	}
	return m
}

// givenEach is how many values are tried of a member that is there.
const givenEach = 4

// spread keeps at most n items, evenly distributed.
func spread[T any](items []T, maximum int) []T {
	if len(items) <= maximum {
		return items
	}
	out := make([]T, maximum)
	for i := range out {
		out[i] = items[i*len(items)/maximum]
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

// another is one value of another type, made around a value that would be right.
type another func(g *plan.Gen, right *jsontree.Value) *jsontree.Value

func always(v *jsontree.Value) another {
	return func(*plan.Gen, *jsontree.Value) *jsontree.Value { return v.Clone() }
}

func number(text string) another { return always(jsontree.NewNumber(text)) }

func text(s string) another { return always(jsontree.NewString(s)) }

// around puts the right value into a container, the given number of times.
func around(times int) another {
	return func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
		v := jsontree.NewArray()
		for range times {
			v.Items = append(v.Items, right.Clone())
		}
		return v
	}
}

func under(name string) another {
	return func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(name, right))
	}
}

// inText puts the right value into an object as extended JSON does, as a string.
func inText(name string) another {
	return func(g *plan.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(name, asText(g, right)))
	}
}

// asText spells the right value as a string.
func asText(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
	if right.Kind == jsontree.String {
		return jsontree.NewString(right.Text)
	}
	return jsontree.NewString(right.String())
}

func freshWord(g *plan.Gen, _ *jsontree.Value) *jsontree.Value {
	return jsontree.NewString(g.Word())
}

// unfit are values of every type: some of them fit no schema that says anything.
var unfit = []another{always(jsontree.NewNull()), always(jsontree.NewBool(true)), number("0"), number("-1"), number("1.5"),
	text(""), text("x"), asText, always(jsontree.NewArray()), around(1), always(jsontree.NewObject()), under("value")}
