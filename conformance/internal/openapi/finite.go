package openapi

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
)

// finite finds schemas that no finite value satisfies, because each value must
// contain another of its kind, or because the schema is nothing but a reference to
// itself. In doubt it accepts the schema.
//
// It looks for the least set of schemas that end: in each pass a reference counts
// as endless until it is known to end, and passes follow until one finds nothing
// new.
type finite struct {
	root *jsontree.Value
	ends map[string]bool // references that are known to end
	seen map[string]bool // references that this pass has followed
	more bool            // this pass found one that ends
	// chain is the place of the first reference that led back to itself.
	chain string
	open  map[string]bool
}

func newFinite(root *jsontree.Value) *finite {
	return &finite{root: root, ends: map[string]bool{}}
}

// How much is examined before the document is accepted.
const (
	finiteDepth  = 2000
	finitePasses = 50
)

// at reports whether a finite value satisfies the schema at a pointer.
func (f *finite) at(pointer string) bool {
	for range finitePasses {
		f.seen, f.open, f.more, f.chain = map[string]bool{}, map[string]bool{}, false, ""
		if f.schema(pointer, 0) {
			return true
		}
		if !f.more {
			return false
		}
	}
	return true
}

func (f *finite) schema(pointer string, depth int) bool {
	v := f.root.At(pointer)
	if v == nil || v.Kind != jsontree.Object || depth > finiteDepth {
		return true
	}
	if v.Get("enum") != nil || v.Get("const") != nil {
		return true
	}
	if ref := v.Get("$ref"); ref != nil && strings.HasPrefix(ref.Text, "#") && !f.follow(jsontree.FromFragment(ref.Text), pointer, depth) {
		return false
	}
	if all := v.Get("allOf"); all != nil {
		for i := range all.Items {
			if !f.schema(pointer+"/allOf/"+itoa(i), depth+1) {
				return false
			}
		}
	}
	for _, some := range []string{"oneOf", "anyOf"} {
		list := v.Get(some)
		if list == nil || len(list.Items) == 0 {
			continue
		}
		found := false
		for i := range list.Items {
			found = found || f.schema(pointer+"/"+some+"/"+itoa(i), depth+1)
		}
		if !found {
			return false
		}
	}
	return f.alone(v, pointer, depth)
}

// alone examines what the keywords of one schema require of members and items. A
// value of another type need not have them.
func (f *finite) alone(v *jsontree.Value, pointer string, depth int) bool {
	t := v.Get("type")
	if t == nil {
		return true
	}
	for _, name := range t.Texts() {
		switch name {
		case "object":
			if f.object(v, pointer, depth) {
				return true
			}
		case "array":
			if f.array(v, pointer, depth) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (f *finite) object(v *jsontree.Value, pointer string, depth int) bool {
	required, properties := v.Get("required"), v.Get("properties")
	if required == nil || properties == nil {
		return true
	}
	needed := required.Texts()
	for _, m := range properties.Members {
		if slices.Contains(needed, m.Name) && !f.schema(pointer+"/properties/"+jsontree.EscapePointer(m.Name), depth+1) {
			return false
		}
	}
	return true
}

func (f *finite) array(v *jsontree.Value, pointer string, depth int) bool {
	minimum := v.Get("minItems")
	if minimum == nil || v.Get("items") == nil || v.Get("prefixItems") != nil {
		return true
	}
	if n, ok := jsontree.Int64(minimum.Text); !ok || n < 1 {
		return true
	}
	return f.schema(pointer+"/items", depth+1)
}

func (f *finite) follow(target, from string, depth int) bool {
	if f.ends[target] {
		return true
	}
	if f.open[target] && f.chain == "" {
		f.chain = from
	}
	if f.seen[target] {
		return false
	}
	f.seen[target], f.open[target] = true, true
	if f.schema(target, depth+1) {
		f.ends[target], f.more = true, true
	}
	delete(f.open, target)
	return f.ends[target]
}

// sequences finds the pairs of members of an object that are in order, as the descriptions of
// the members and, for the body itself, of the operation say.
func (co *coder) sequences(path string, s *Schema) [][2]string {
	var out [][2]string
	whole := ""
	if path == "" {
		whole = co.around
	}
	for _, p := range s.Properties {
		if !ranked(p.Schema) {
			continue
		}
		own := co.said(p.Schema)
		for _, q := range s.Properties {
			if q == p || !alike(p.Schema, q.Schema) || !strings.Contains(own+whole, q.Name) {
				continue
			}
			switch {
			case hints.Later(own, whole, p.Name, q.Name):
				out = append(out, [2]string{q.Name, p.Name})
			case hints.Earlier(own, whole, p.Name, q.Name):
				out = append(out, [2]string{p.Name, q.Name})
			}
		}
	}
	return out
}

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
		if !ranked(p.Schema) {
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
			if i < 0 || !alike(p.Schema, s.Properties[i].Schema) {
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

// Kind is the kind of the texts that requests get, or nil. One that only a sentence tells of is tried
// where plain texts are refused: what a document says in words changes nothing else.
func (s *Schema) Kind(told bool) *hints.Code {
	if told {
		return s.Drawn()
	}
	return s.Code
}

// Drawn is the kind that a name or a sentence tells of, or nil.
func (s *Schema) Drawn() *hints.Code { return cmp.Or(s.Told, s.Code) }

// ranked reports whether values of a schema have an order: it is one of numbers, dates or
// times.
func ranked(s *Schema) bool {
	switch {
	case s == nil || s.Enum != nil || s.Const != nil:
		return false
	case s.Type() == "integer" || s.Type() == "number":
		return true
	}
	return s.Type() == "string" && (s.Drawn().Ordered() || slices.Contains([]string{"date-time", "date", "time"}, s.Format))
}

func alike(a, b *Schema) bool {
	return ranked(b) && (a.Type() == "string") == (b.Type() == "string") && (a.Type() != "string" || a.Format == b.Format && a.Drawn().String() == b.Drawn().String())
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
