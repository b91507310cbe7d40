package checks

import (
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// apartDays is how far the times of two things are from each other: so far that no zone and
// no rounding matter.
const apartDays = 40

// bounds returns the values of a filter that bounds a member. If the resources that are made
// can get the member, the value is that of the second one, and the others are on both sides
// of it. Otherwise one value is far below all members, and one far above them.
func (l *list) bounds(g *plan.Gen, f openapi.Filter, made []*message.Message) []*jsontree.Value {
	member := l.Item.Property(f.Member).Schema
	if len(made) == maxValues && !member.ReadOnly && !serverMade(l.make, f.Member) {
		for _, values := range rows(g, member, made[0].At("/"+jsontree.EscapePointer(f.Member))) {
			if l.graded(f, made, values) {
				return l.valid(f, []*jsontree.Value{spelled(values[1], f.Schema())})
			}
		}
	}
	far := []*jsontree.Value{jsontree.NewNumber("0"), jsontree.NewNumber("1000000000")}
	if member.Type() == "string" {
		far = []*jsontree.Value{jsontree.NewString("2001-02-03"), jsontree.NewString("2101-02-03")}
		for i := range far {
			far[i] = spelled(far[i], f.Schema())
		}
	}
	return l.valid(f, far)
}

// serverMade reports whether the server alone sets a member that a request may have.
func serverMade(op *openapi.Operation, member string) bool {
	if op.Body == nil || op.Body.Shape == nil {
		return true
	}
	q := op.Body.Shape.Schema.Property(member)
	return q != nil && q.Schema != nil && q.Schema.ReadOnly
}

// graded gives each thing its value of a member, and reports whether all of them may have it.
// Other times of the resource move as far, so that an end stays behind its start.
func (l *list) graded(f openapi.Filter, made []*message.Message, values []*jsontree.Value) bool {
	at := "/" + jsontree.EscapePointer(f.Member)
	more := make([]*message.Message, len(made))
	for i, m := range made {
		more[i] = m.Clone()
		for _, q := range l.Item.Properties {
			v := m.At("/" + jsontree.EscapePointer(q.Name))
			if later := moved(v, i); later != nil && q.Name != f.Member {
				give(more[i:i+1], q.Name, later)
			}
		}
		give(more[i:i+1], f.Member, values[i])
		if v := more[i].At(at); v == nil || !jsontree.Equal(v, values[i]) {
			return false
		}
	}
	copy(made, more)
	return true
}

// rows returns rows of rising values of a member, a value for each thing that is made. The
// first row begins with the value that a resource has.
func rows(g *plan.Gen, s *schema.Schema, has *jsontree.Value) [][]*jsontree.Value {
	if has == nil {
		has = g.BaselineValue(s)
	}
	if s.Type() == "string" {
		if moved(has, 0) == nil {
			return nil
		}
		return [][]*jsontree.Value{{has, moved(has, 1), moved(has, 2)}}
	}
	var out [][]*jsontree.Value
	first, whole := jsontree.Int64(has.Text)
	for _, from := range []int64{first, 1, 10, 0} {
		for _, by := range []int64{1, 5, 10, 100} {
			if whole || from != first {
				out = append(out, []*jsontree.Value{jsontree.NewInt(from), jsontree.NewInt(from + by), jsontree.NewInt(from + 2*by)})
			}
		}
	}
	return out
}

// moved returns a day or a time some steps later, or nil for any other value.
func moved(v *jsontree.Value, steps int) *jsontree.Value {
	if v == nil || v.Kind != jsontree.String {
		return nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano} {
		if at, err := time.Parse(layout, v.Text); err == nil {
			return jsontree.NewString(at.AddDate(0, 0, apartDays*steps).Format(layout))
		}
	}
	return nil
}

// spelled returns a value as a parameter has it: a day for a time, or the time at which a
// day begins.
func spelled(v *jsontree.Value, as *schema.Schema) *jsontree.Value {
	if v.Kind != jsontree.String {
		return v.Clone()
	}
	at, err := time.Parse(time.RFC3339Nano, v.Text)
	if err != nil {
		at, _ = time.Parse(time.DateOnly, v.Text) // a day, if it is no time
	}
	if as.Format == "date" {
		return jsontree.NewString(at.UTC().Format(time.DateOnly))
	}
	return jsontree.NewString(at.UTC().Format(time.RFC3339))
}

// within is positive if a value is on the right side of a bound, negative if it is on the
// wrong side, and 0 if that is not certain: the bound itself may count or not.
func within(side openapi.Bound, bound, v *jsontree.Value) int {
	n := 0
	switch {
	case bound.Kind == jsontree.Number && v.Kind == jsontree.Number:
		n = jsontree.Compare(v.Text, bound.Text)
	case bound.Kind == jsontree.String && v.Kind == jsontree.String:
		n = apart(v.Text, bound.Text)
	}
	if side == openapi.Max {
		return -n
	}
	return n
}

// on says in words on which side of a value something is.
func on(side openapi.Bound) string {
	switch side {
	case openapi.Min:
		return " from"
	case openapi.Max:
		return " up to"
	}
	return ""
}

// apart is negative if a time or a day is before another one in every time zone, positive if
// it is after it in every zone, and 0 if that is not certain.
func apart(text, other string) int {
	from, to, day, ok := span(text)
	otherFrom, otherTo, otherDay, otherOK := span(other)
	switch {
	case !ok || !otherOK:
	case day && otherDay:
		return from.Compare(otherFrom)
	case to.Before(otherFrom):
		return -1
	case otherTo.Before(from):
		return 1
	}
	return 0
}

// span returns the times that a text may stand for. A day begins 14 hours earlier in the
// first zone than in UTC, and ends 12 hours later in the last. Times may be rounded.
func span(text string) (from, to time.Time, day, ok bool) {
	if at, err := time.Parse(time.DateOnly, text); err == nil {
		return at.Add(-14 * time.Hour), at.Add(36 * time.Hour), true, true
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	return at.Add(-time.Minute), at.Add(time.Minute), false, err == nil
}

// narrowed returns a request for a list that shows what was made, if the list has
// filters of the names of its members, a size or an order.
func narrowed(g *plan.Gen, list *openapi.Operation, made *message.Message) *message.Message {
	m := simplest(g, list)
	demanded(m, made)
	for _, p := range list.Parameters {
		switch v := made.At("/" + jsontree.EscapePointer(p.Name)); {
		case p.In != "query" || p.Schema == nil:
		case v != nil && (v.Kind == jsontree.String || v.Kind == jsontree.Number) && p.Schema.Type() == "string":
			m.Set(p.Place(), jsontree.NewString(v.Text))
		case newest(p.Schema) != nil:
			m.Set(p.Place(), newest(p.Schema))
		case resource.IsLimit(p.Name) && p.Schema.Maximum != "":
			m.Set(p.Place(), jsontree.NewNumber(p.Schema.Maximum))
		}
	}
	return m
}

// demanded sets the required query parameters of a list to the values of the members with their
// names, where these are valid: a search for anything else does not find the resource.
func demanded(m, made *message.Message) {
	for _, p := range m.Op.Parameters {
		v := made.At("/" + jsontree.EscapePointer(p.Name))
		if p.In != "query" || !p.Required || p.Schema == nil || v == nil {
			continue
		}
		if p.Schema.Type() == "array" && v.Kind != jsontree.Array {
			v = jsontree.NewArray(v.Clone())
		}
		if m.Op.Params.Matches(p.Schema, v) {
			m.Set(p.Place(), v.Clone())
		}
	}
}
