package checks

import (
	"time"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// apartDays is how far the times of two things are from each other: so far that no zone and
// no rounding matter.
const apartDays = 40

// bounds returns the values of a filter that bounds a member. If the things that are made
// can get the member, the value is that of the second one, and the others are on both sides
// of it. Otherwise one value is far below all members, and one far above them.
func (l *list) bounds(g *generate.Gen, f openapi.Filter, made []*message.Message) []*jsontree.Value {
	member := l.Item.Property(f.Member).Schema
	if len(made) == mostValues && !member.ReadOnly && !serverMade(l.make, f.Member) {
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
// Other times of the thing move as far, so that an end stays behind its start.
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
// first row begins with the value that a thing has.
func rows(g *generate.Gen, s *openapi.Schema, has *jsontree.Value) [][]*jsontree.Value {
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
func spelled(v *jsontree.Value, as *openapi.Schema) *jsontree.Value {
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
