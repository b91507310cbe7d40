package schema

import (
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
)

// Pair is two members of an object whose names say that the first comes before the second:
// the start and the end of something, or a minimum and a maximum.
type Pair struct {
	Low, High *Property
	// Told pairs are known by a sentence alone: requests keep their order, and none is judged by it.
	Told bool
}

// Pairs returns the pairs of the members of an object of the shape: of numbers, dates or
// times, also those that sentences suggest if they may guess. They are looked for once, because
// each value that is made or read asks for them.
func (s *Shape) Pairs(of *Schema, guess bool) []Pair {
	s.found.mu.Lock()
	defer s.found.mu.Unlock()
	key := pairing{of, guess}
	list, known := s.found.pairs[key]
	if !known {
		list = of.findPairs(guess)
		s.found.pairs[key] = list
	}
	return list
}

// pairing is what the pairs of an object depend on.
type pairing struct {
	of    *Schema
	guess bool
}

// findPairs also takes what sentences say if they may guess.
func (s *Schema) findPairs(guess bool) []Pair {
	var out []Pair
	for at, p := range s.Properties {
		if !Ranked(p.Schema) {
			continue
		}
		name := hints.Flat(p.Name)
		for _, side := range hints.Sides() {
			head, tail, found := strings.Cut(name, side[0])
			if !found {
				continue
			}
			other := head + side[1] + tail
			i := slices.IndexFunc(s.Properties, func(q *Property) bool { return q != p && hints.Flat(q.Name) == other })
			if i < 0 || !Alike(p.Schema, s.Properties[i].Schema) {
				continue
			}
			pair := Pair{p, s.Properties[i], p.Schema.Told != nil}
			if side == hints.Stay() && i < at {
				pair.Low, pair.High = pair.High, pair.Low
			}
			out = append(out, pair)
			break
		}
	}
	for _, names := range s.Sequences {
		if !guess {
			break
		}
		low, high := s.Property(names[0]), s.Property(names[1])
		if !slices.ContainsFunc(out, func(p Pair) bool { return p.Low == low && p.High == high || p.Low == high && p.High == low }) {
			out = append(out, Pair{low, high, true})
		}
	}
	return out
}

// Ranked reports whether values of a schema have an order: it is one of numbers, dates or
// times.
func Ranked(s *Schema) bool {
	switch {
	case s == nil || s.Enum != nil || s.Const != nil:
		return false
	case s.Type() == "integer" || s.Type() == "number":
		return true
	}
	return s.Type() == "string" && (s.Drawn().Ordered() || slices.Contains([]string{"date-time", "date", "time"}, s.Format))
}

// Alike reports whether values of two schemas can be compared.
func Alike(a, b *Schema) bool {
	return Ranked(b) && (a.Type() == "string") == (b.Type() == "string") && (a.Type() != "string" || a.Format == b.Format && a.Drawn().String() == b.Drawn().String())
}

// Inverted reports whether an object has both members and the first is not before the
// second. Two numbers may be equal.
func (p Pair) Inverted(v *jsontree.Value) bool {
	low, high := v.Get(p.Low.Name), v.Get(p.High.Name)
	if low == nil || high == nil || low.Kind != high.Kind {
		return false
	}
	if low.Kind == jsontree.Number {
		return jsontree.Compare(low.Text, high.Text) > 0
	}
	a, known := Instant(low.Text)
	b, also := Instant(high.Text)
	return low.Kind == jsontree.String && known && also && !a.Before(b)
}

// other returns the member of a pair that is not the named one, or nil if the pair has no
// such member.
func (p Pair) other(name string) *Property {
	switch name {
	case p.Low.Name:
		return p.High
	case p.High.Name:
		return p.Low
	}
	return nil
}

// agrees reports whether a number agrees with every value of the other member of its pair.
func (p Pair) agrees(m jsontree.Member) bool {
	if m.Value.Kind != jsontree.Number {
		return false
	}
	if m.Name == p.Low.Name {
		return p.High.Schema.Minimum != "" && jsontree.Compare(m.Value.Text, p.High.Schema.Minimum) <= 0
	}
	return p.Low.Schema.Maximum != "" && jsontree.Compare(m.Value.Text, p.Low.Schema.Maximum) >= 0
}

// Instant reads a date-time, a date or a time. Letters may be in lower case (RFC 3339, 5.6).
func Instant(text string) (time.Time, bool) {
	text = strings.ToUpper(text)
	for _, layout := range []string{time.RFC3339, time.DateOnly, "15:04:05Z07:00", time.TimeOnly, "2006-01-02T15:04:05", "2006-01", "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// crossed reports whether a list of two corners does not begin with the lower coordinates.
func crossed(m jsontree.Member) bool {
	n := len(m.Value.Items)
	if m.Value.Kind != jsontree.Array || n != 4 && n != 6 || !hints.Called(m.Name, hints.Corners) {
		return false
	}
	for i := range n / 2 {
		low, high := m.Value.Items[i], m.Value.Items[i+n/2]
		if low.Kind != jsontree.Number || high.Kind != jsontree.Number || jsontree.Compare(low.Text, high.Text) > 0 {
			return true
		}
	}
	return false
}

// refers reports whether a member of an object at a path is the key of something that
// may not exist: userId, the id of an object inside the request, each of userIds, the
// cursor of a page, and what is named by the resource alone.
func refers(path string, m jsontree.Member, p *Property) bool {
	s := p.Schema
	inside := path != "" && !slices.Contains([]string{"/path", "/query", "/header", "/cookie"}, path)
	section := strings.TrimPrefix(path, "/")
	if inside {
		section = ""
	}
	switch {
	case path == "" && p.Resource != "":
		return true
	case m.Value.Kind == jsontree.Array:
		name, several := strings.CutSuffix(m.Name, "s")
		return several && len(m.Value.Items) > 0 && hints.RefersAt(section, name) != "" && s.Items != nil && s.Items.HoldsKeys()
	case inside && hints.Called(m.Name, hints.Key):
		return s.HoldsKeys()
	}
	return (hints.RefersAt(section, m.Name) != "" || hints.Called(m.Name, hints.Cursor)) && s.HoldsKeys()
}

// UnknownKey is why a server may refuse a key that was made up.
const UnknownKey = "the key of something that may not exist"

// HoldsKeys reports whether values of a schema can be keys: texts and numbers that are no
// dates, times or amounts.
func (s *Schema) HoldsKeys() bool {
	t := s.Type()
	return (t == "string" || t == "integer" || t == "") && s.Enum == nil && s.Const == nil && !Ordinary(s)
}

// Ordinary reports whether a schema describes values that name nothing.
func Ordinary(s *Schema) bool {
	return !s.Code.Identifies() || slices.Contains([]string{"date", "date-time", "time", "duration", "email", "byte", "binary"}, s.Format) ||
		s.Type() == "number" && !s.Whole() && s.Format != ""
}

// UnknownPage is why a server may refuse the number of a page.
const UnknownPage = "the number of a page that may not be there"

// numbersPage reports whether a query parameter has the number of a page that may not be
// there: any but the first, which is 0 or 1.
func numbersPage(path string, m jsontree.Member) bool {
	return path == "/query" && m.Value.Kind == jsontree.Number && hints.Called(m.Name, hints.Page) && m.Value.Text != "0" && m.Value.Text != "1"
}

// GivenValue is why a server may refuse a member that may be sent: the document does not say
// which of its values are accepted.
const GivenValue = "given"
