package plan

import (
	"math/big"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// inOrder puts the pairs of an object in order: what ends, ends soon after it began. A
// server may refuse anything else for a reason that no schema can state. Members for which
// fixed is true stay as they are.
func (g *Gen) inOrder(s *schema.Schema, v *jsontree.Value, fixed func(name string) bool) {
	if s == nil || v == nil || v.Kind != jsontree.Object || g.judge() == nil {
		return
	}
	g.pair(s, v)
	g.ordered(s, v, fixed)
}

// ordered puts pairs of which both members are there in order.
func (g *Gen) ordered(s *schema.Schema, v *jsontree.Value, fixed func(name string) bool) {
	for _, p := range g.judge().Pairs(s, g.guesses()) {
		low, high := v.Get(p.Low.Name), v.Get(p.High.Name)
		switch {
		case low == nil || high == nil || low.Kind != high.Kind || fixed(p.Low.Name) && fixed(p.High.Name):
		case !fixed(p.High.Name) && (fixed(p.Low.Name) || low.Kind == jsontree.String) && g.moved(v, p.High, low, 1):
		case !fixed(p.Low.Name) && fixed(p.High.Name) && (low.Kind == jsontree.String || p.Inverted(v)) && g.moved(v, p.Low, high, -1):
		case !p.Inverted(v):
		case fixed(p.Low.Name) || fixed(p.High.Name):
		case g.judge().Matches(p.Low.Schema, high) && g.judge().Matches(p.High.Schema, low):
			v.Set(p.Low.Name, high)
			v.Set(p.High.Name, low)
		}
	}
}

// pair adds the other member of each pair to an object that changes a part of a resource: one
// alone may not agree with what is stored.
func (g *Gen) pair(s *schema.Schema, v *jsontree.Value) {
	if !g.judge().Part || s.MaxProps != nil {
		return
	}
	for _, p := range g.judge().Pairs(s, g.guesses()) {
		for _, side := range [][2]*schema.Property{{p.Low, p.High}, {p.High, p.Low}} {
			is, other := v.Get(side[0].Name), side[1]
			ranked := is != nil && (is.Kind == jsontree.Number || is.Kind == jsontree.String)
			if ranked && v.Get(other.Name) == nil && !other.Schema.ReadOnly && !other.Schema.Never {
				v.Set(other.Name, g.baseline(other.Schema, 1))
			}
		}
	}
}

// Beside puts the pairs of an object in order after one of its members was set: if keep,
// the other one of its pair is moved, else the member itself.
func (g *Gen) Beside(s *schema.Schema, v *jsontree.Value, name string, keep bool, named func(name string) bool) {
	g.inOrder(s, v, func(other string) bool { return named(other) || (other == name) == keep })
}

// moved sets a member to a value beside another, if its schema allows that.
func (g *Gen) moved(v *jsontree.Value, p *schema.Property, from *jsontree.Value, direction int) bool {
	switch from.Kind {
	case jsontree.Number:
		to := jsontree.NewNumber(from.Text)
		if old := v.Get(p.Name); jsontree.Compare(old.Text, from.Text) == direction || !g.judge().Matches(p.Schema, to) {
			return false
		}
		v.Set(p.Name, to)
		return true
	case jsontree.String:
	default:
		return false
	}
	text, known := beside(from.Text, direction)
	if to := jsontree.NewString(text); known && g.judge().Matches(p.Schema, to) {
		v.Set(p.Name, to)
		return true
	}
	return false
}

// beside returns the time that is an hour, the date that is a day or the month that is one month
// before or after another one.
func beside(text string, direction int) (string, bool) {
	hour := time.Duration(direction) * time.Hour
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.TimeOnly, "15:04"} {
		if at, err := time.Parse(layout, strings.ToUpper(text)); err == nil {
			return at.Add(hour).Format(layout), true
		}
	}
	if at, err := time.Parse(time.DateOnly, text); err == nil {
		return at.AddDate(0, 0, direction).Format(time.DateOnly), true
	}
	at, err := time.Parse("2006-01", text)
	return at.AddDate(0, direction, 0).Format("2006-01"), err == nil
}

// free is for objects of which nothing was named.
func free(string) bool { return false }

// order puts the pairs of a request in order, in its body and among its parameters. What
// the user named and what the target gave stay as they are.
func (g *Gen) order(m *message.Message) { g.orderIf(m, func(string) bool { return true }) }

// orderIf is like order, but moves only the members whose paths it may.
func (g *Gen) orderIf(m *message.Message, may func(path string) bool) {
	fixed := func(shape *schema.Shape, at string) func(string) bool {
		chosen := Chosen(m, shape, at)
		return func(name string) bool { return chosen(name) || !may(placeOf(at, name)) }
	}
	if m.Op.Body != nil && m.Tree != nil {
		g.inOrder(m.Op.Body.Shape.Schema, m.Tree, fixed(m.Op.Body.Shape, ""))
	}
	if m.Op.Params == nil || m.Params == nil {
		return
	}
	for _, section := range m.Op.Params.Schema.Properties {
		if v := m.Params.Get(section.Name); v != nil && g.judge() != nil {
			g.ordered(section.Schema, v, fixed(m.Op.Params, "/"+section.Name))
		}
	}
}

// Chosen returns a test for the members below a place of a message: whether the user or
// the target gave their value.
func Chosen(m *message.Message, shape *schema.Shape, at string) func(string) bool {
	return func(name string) bool {
		return shape != nil && shape.Domains[at+"/"+jsontree.EscapePointer(name)].Value != nil || m.Bound[placeOf(at, name)] != nil
	}
}

// placeOf is where a message has a member below a place: that of a parameter begins with its
// section.
func placeOf(at, name string) string {
	path := at + "/" + jsontree.EscapePointer(name)
	if at != "" {
		return path[1:]
	}
	return path
}

// narrowed reports whether a schema may refuse its simplest value, because the generator meets its
// keywords one by one.
func narrowed(s *schema.Schema, v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.Object:
		return s.Beside != nil
	case jsontree.Array:
		return s.Contains != nil || s.Unique || s.Items != nil && s.Items.Recursive
	case jsontree.String:
		if len(s.Patterned) > 0 || s.Format != "" && (s.Pattern != "" || s.MaxLength != nil) {
			return true
		}
	case jsontree.Number:
		if s.Multiple != "" || strings.ContainsAny(s.Minimum+s.Maximum+s.Above+s.Below, ".eE") {
			return true
		}
		if low, high, _ := Bounds(s); low.Cmp(high) > 0 { // only fractions
			return true
		}
	}
	return s.Not != nil || len(s.AnyOf)+len(s.OneOf) > 0 || len(s.Enum) > 1 && bounded(s)
}

// bounded reports whether a schema says more of a value than that it is listed.
func bounded(s *schema.Schema) bool {
	return s.Minimum+s.Maximum+s.Above+s.Below+s.Multiple+s.Pattern+s.Format != "" || s.MinLength != nil || s.MaxLength != nil || s.Types != nil
}

// maxOthers bounds the values that are tried where the simplest one is not allowed.
const maxOthers = 16

// others are further values of a schema, which it may allow where it does not allow its
// simplest one. They take few fresh numbers: a case has only so many.
func (g *Gen) others(s *schema.Schema, v *jsontree.Value, depth int) []*jsontree.Value {
	var out []*jsontree.Value
	for _, listed := range s.Enum[:min(len(s.Enum), maxOthers)] {
		out = append(out, g.copied(listed))
	}
	for _, list := range [][]*schema.Schema{s.OneOf, s.AnyOf} {
		for _, one := range list[:min(len(list), maxOthers)] {
			out = append(out, g.baseline(one, depth+1))
		}
	}
	if s.Const != nil || len(s.Enum) > 0 {
		return out
	}
	if s.Type() == "" {
		out = append(out, jsontree.NewInt(g.number()), jsontree.NewBool(true), jsontree.NewObject(), jsontree.NewArray())
	}
	switch v.Kind {
	case jsontree.Array:
		out = append(out, g.otherItems(s, v, depth)...)
	case jsontree.Object:
		out = append(out, g.otherMembers(s, v, depth)...)
	case jsontree.Bool:
		out = append(out, jsontree.NewBool(!v.Bool))
	case jsontree.Number:
		out = append(append(out, around(s, v)...), fractions(s)...)
	case jsontree.String:
		if s.AnyText() {
			for n := 1; n < maxOthers; n *= 2 {
				out = append(out, jsontree.NewString(v.Text+strings.Repeat("e", n)))
			}
		}
		out = append(out, jsontree.NewString(g.BaselineText(s)), jsontree.NewString(g.BaselineText(s)))
		out = append(out, g.overlaid(s)...)
	}
	return out
}

// otherItems are an array whose items differ, and an empty one where the items contain themselves.
func (g *Gen) otherItems(s *schema.Schema, v *jsontree.Value, depth int) []*jsontree.Value {
	apart := jsontree.NewArray()
	for i, item := range v.Items {
		has := func(v *jsontree.Value) bool {
			return slices.ContainsFunc(apart.Items, func(w *jsontree.Value) bool { return jsontree.Equal(v, w) })
		}
		if of := s.Item(i); s.Unique && of != nil && has(item) {
			for _, other := range g.others(of, item, depth+1) {
				if !has(other) && g.judge().Matches(of, other) {
					item = other
					break
				}
			}
		}
		apart.Items = append(apart.Items, item)
	}
	if s.Items != nil && s.Items.Recursive {
		return []*jsontree.Value{apart, jsontree.NewArray()}
	}
	return []*jsontree.Value{apart}
}

// otherMembers are an object with other values of its members, one at a time.
func (g *Gen) otherMembers(s *schema.Schema, v *jsontree.Value, depth int) (out []*jsontree.Value) {
	for _, m := range v.Members {
		p := s.Property(m.Name)
		if p == nil || depth > baselineDepth {
			continue
		}
		for _, other := range g.others(p.Schema, m.Value, depth+1) {
			changed := v.Clone()
			changed.Set(m.Name, other)
			out = append(out, changed)
		}
	}
	return out
}

// around are the numbers behind a number, up to the upper bound and from the lower one on.
func around(s *schema.Schema, v *jsontree.Value) []*jsontree.Value {
	low, high, step := Bounds(s)
	n, whole := new(big.Int).SetString(v.Text, 10)
	if !whole {
		return nil
	}
	var out []*jsontree.Value
	for range maxOthers {
		if n = new(big.Int).Add(n, step); n.Cmp(high) > 0 {
			n = new(big.Int).Set(low)
		}
		out = append(out, jsontree.NewNumber(n.String()))
	}
	return append(out, jsontree.NewNumber(low.String()), jsontree.NewNumber(high.String()))
}

// Request returns a valid request of another operation, whose fresh values no other
// request of this case has. If it is full, it has all optional members of the body that
// name nothing else, as far as they may stand together.
func (g *Gen) Request(op *openapi.Operation, full bool) *message.Message {
	other := &Gen{Op: op, Rand: g.Rand, id: g.id, next: g.next}
	m := other.Baseline()
	if full {
		m = other.fill(m, slices.DeleteFunc(Optional(op), func(p openapi.Member) bool {
			return slices.Contains(g.id.Refused.Of(op, g.draw), p.Path)
		}))
	}
	g.next = other.next
	return m
}

// fill returns a message with the listed members, but for those that a server may refuse
// beside the others. It looks for these in halves: most often there are none.
func (g *Gen) fill(m *message.Message, list []openapi.Member) *message.Message {
	more := m.Clone()
	if !g.Give(more, list) {
		return m
	}
	if r := more.Reading(); r != nil && r.Kind == schema.MustAccept {
		return more
	}
	if len(list) == 1 {
		return m
	}
	half := len(list) / 2
	return g.fill(g.fill(m, list[:half]), list[half:])
}

// Give adds the listed members that a message does not have, and reports whether there
// were any. The message may be that of another operation.
func (g *Gen) Give(m *message.Message, list []openapi.Member) bool {
	of := *g
	of.Op = m.Op
	given, before := false, m.Clone()
	for _, member := range list {
		if m.At(member.Path) == nil {
			given = m.Set(member.Path, of.BaselineAt(member.Path, member.Schema)) || given
		}
	}
	// What was there before stays: it may be what the case is about.
	of.orderIf(m, func(path string) bool { return before.At(path) == nil })
	g.next = of.next
	m.BindNew(before)
	return given
}

// Optional lists the members of a body that a request may leave out and that name no
// other thing.
func Optional(op *openapi.Operation) []openapi.Member {
	return slices.DeleteFunc(op.Optional(), func(m openapi.Member) bool {
		return !strings.HasPrefix(m.Path, "/") || m.Schema.Never || slices.Contains(op.Bind, m.Path)
	})
}

// apart takes another value of an enum where the first would spell another path of the document.
func apart(m *message.Message) {
	if len(m.Op.Nearer) == 0 {
		return
	}
	for _, p := range m.Op.Parameters {
		for i := 0; p.In == "path" && i < len(p.Schema.Enum) && m.Path() == ""; i++ {
			m.Set(openapi.PathPlace(p.Name), p.Schema.Enum[i].Clone())
		}
	}
}

// fillForm gives a form without required members an optional one: a form of no bytes may be taken for
// no body, and one in parts has at least one (RFC 2046, 5.1.1).
func (g *Gen) fillForm(m *message.Message) {
	if g.Op.Body == nil || !g.Op.Body.Form() || m.Tree == nil || m.Tree.Kind != jsontree.Object || len(m.Tree.Members) > 0 {
		return
	}
	for _, member := range Optional(g.Op) {
		m.Set(member.Path, g.BaselineAt(member.Path, member.Schema))
		if m.Body() != nil && m.At(member.Path) != nil {
			return
		}
		m.Remove(member.Path)
	}
}

// hidden returns the place of a fresh number in its window. Fresh numbers are
// counted in the order of the plan, which is public, so a plain number as an id
// would tell a target which class it belongs to. Two numbers of a window never have
// the same place, and the place cannot be reversed without the seed.
func (g *Gen) hidden(number int64) int64 {
	if g.key == 0 {
		g.key = Mix("hidden", "", g.id.Seed) | 1
	}
	first := (number - 1) / window * window
	at := uint64(number - 1 - first)
	for {
		// A place outside the window is permuted again, so the whole stays a
		// permutation (cycle walking; Black and Rogaway, 2002).
		if at = shuffled(at, g.key); at < window {
			return first + int64(at) + 1
		}
	}
}

// halfBits is the size of the halves of a place that the Feistel network works on;
// both together hold a window.
const halfBits = 10

// shuffled permutes the numbers of 2*halfBits bits by a key (a Feistel network).
func shuffled(n, key uint64) uint64 {
	const suppress = 1<<halfBits - 1
	left, right := n>>halfBits, n&suppress
	for round := range uint64(6) {
		s := splitmix{state: key ^ right<<8 ^ round}
		left, right = right, left^s.Uint64()&suppress
	}
	return left<<halfBits | right
}
