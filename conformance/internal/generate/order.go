package generate

import (
	"strings"
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// inOrder puts the pairs of an object in order: what ends, ends soon after it began. A
// server may refuse anything else for a reason that no schema can state. Members for which
// fixed is true stay as they are.
func (g *Gen) inOrder(s *openapi.Schema, v *jsontree.Value, fixed func(name string) bool) {
	if s == nil || v == nil || v.Kind != jsontree.Object || g.judge() == nil {
		return
	}
	g.pair(s, v)
	g.ordered(s, v, fixed)
}

// ordered puts pairs of which both members are there in order.
func (g *Gen) ordered(s *openapi.Schema, v *jsontree.Value, fixed func(name string) bool) {
	for _, p := range g.judge().Pairs(s) {
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

// pair adds the other member of each pair to an object that changes a part of a thing: one
// alone may not agree with what is stored.
func (g *Gen) pair(s *openapi.Schema, v *jsontree.Value) {
	if !g.judge().Part || s.MaxProps != nil {
		return
	}
	for _, p := range g.judge().Pairs(s) {
		for _, side := range [][2]*openapi.Property{{p.Low, p.High}, {p.High, p.Low}} {
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
func (g *Gen) Beside(s *openapi.Schema, v *jsontree.Value, name string, keep bool, named func(name string) bool) {
	g.inOrder(s, v, func(other string) bool { return named(other) || (other == name) == keep })
}

// moved sets a member to a value beside another, if its schema allows that.
func (g *Gen) moved(v *jsontree.Value, p *openapi.Property, from *jsontree.Value, direction int) bool {
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
	fixed := func(shape *openapi.Shape, at string) func(string) bool {
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
func Chosen(m *message.Message, shape *openapi.Shape, at string) func(string) bool {
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
