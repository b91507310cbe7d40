package openapi

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/schema"
)

// Basis says how far the document states a value of a valid request.
type Basis uint8

// The bases, the strongest first.
const (
	// Listed is a member of an enum, a constant, a default, or a value of a type that has no
	// other: true, false and null.
	Listed Basis = iota
	// Formed is an ordinary text of a format.
	Formed
	// Bounding is a value that the document states and that may still name something which is
	// not there: an example, one on a bound, a text of a pattern, a UUID, a URI outside the body.
	Bounding
	// Free is any other value.
	Free
)

// Choice is a value of a request that is not an object or an array.
type Choice struct {
	// At is its place. Path has "*" for the indices of arrays, as readings have it, and Place also
	// for the names that no schema has.
	At, Path, Place string
	Basis           Basis
	Value           *jsontree.Value
	// Schema is the one that states most of the value. Stated reports whether the document states
	// the value itself: in a list, or as a bound of a number, a length or a count.
	Schema *schema.Schema
	Stated bool
	// Day reports whether the value is a moment: whether a date is taken may depend on today.
	Day bool
	// Ordinary reports whether the value is a text as baseline requests have them, and Guessed
	// whether only a sentence tells of texts like it: it says nothing of others.
	Ordinary, Guessed bool
}

// Exact is the value with its place.
func (c *Choice) Exact() [2]string {
	switch c.Value.Kind {
	case jsontree.String, jsontree.Number:
		return [2]string{c.Place, c.Value.Text}
	case jsontree.Array:
		return [2]string{c.Place, strconv.Itoa(len(c.Value.Items)) + " items"}
	}
	return [2]string{c.Place, c.Value.String()}
}

// Named is like Exact, but has only what the document states about the value: of a text on a bound its
// length, and of a whole number that no int32 holds it.
func (c *Choice) Named() [2]string {
	switch {
	case c.Basis == Listed:
	case c.Value.Kind == jsontree.String:
		return [2]string{c.Place, strconv.Itoa(utf8.RuneCountInString(c.Value.Text)) + " characters"}
	case c.Value.Kind == jsontree.Number && c.Basis == Free && beyondInt32(c.Schema, c.Value.Text):
		return [2]string{c.Place, "> " + LastInt32}
	}
	return c.Exact()
}

// Choices returns the values of a valid request, as its reading has them, in their order, and the
// paths of the optional members that are not inside another one. An array is among them where its
// count is a bound. What the target or the user gave is no choice.
func (c *Contract) Choices(op *Operation, r *schema.Reading, bound map[string]*jsontree.Value) (list []Choice, added []string) {
	w := chooser{c: c, op: op, bound: bound}
	w.request(r)
	return w.list, w.added
}

// Absent returns the members that the objects of a valid request could have and do not.
func (c *Contract) Absent(op *Operation, r *schema.Reading) []Member {
	w := chooser{c: c, op: op, lacking: true}
	w.request(r)
	return w.absent
}

// request walks a valid request.
func (w *chooser) request(r *schema.Reading) {
	op := w.op
	if op.Body != nil && r.Root() != nil {
		w.shape = op.Body.Shape
		w.value(w.shape.Schema, r.Root(), spot{}, false)
	}
	if op.Params != nil && r.Values != nil {
		w.shape = op.Params
		for _, in := range r.Values.Members {
			if p := w.shape.Schema.Property(in.Name); p != nil {
				w.value(p.Schema, in.Value, spot{in.Name, in.Name, in.Name}, false)
			}
		}
		for _, p := range w.shape.Schema.Properties {
			if r.Values.Get(p.Name) == nil {
				w.lacks(p.Schema, jsontree.NewObject(), spot{at: p.Name})
			}
		}
	}
}

// spot is a place in the three forms of a Choice.
type spot struct{ at, path, place string }

func (s spot) below(at, path, place string) spot {
	return spot{s.at + "/" + at, s.path + "/" + path, s.place + "/" + place}
}

// choice is a value there.
func (s spot) choice(b Basis, v *jsontree.Value) Choice {
	return Choice{At: s.at, Path: s.path, Place: s.place, Basis: b, Value: v, Stated: b == Listed}
}

// chooser walks a valid value beside its schema.
type chooser struct {
	c     *Contract
	op    *Operation
	shape *schema.Shape
	bound map[string]*jsontree.Value
	list  []Choice
	added []string
	// absent are the optional members that are not there. They are looked for if lacking is set: that
	// takes time for each request that is judged.
	absent  []Member
	lacking bool
}

// value walks one value. Inside reports whether it is in an optional member.
func (w *chooser) value(s *schema.Schema, v *jsontree.Value, at spot, inside bool) {
	switch {
	case w.given(at.path, v):
		return
	case s == nil:
		v.Walk(func(below string, one *jsontree.Value) {
			if one.Kind != jsontree.Object && one.Kind != jsontree.Array {
				inner := at
				inner.at += below
				w.add(inner.choice(Free, one))
			}
		})
		return
	case s.Enum != nil || s.Const != nil || s.Default != nil && jsontree.Equal(v, s.Default):
		one := at.choice(Listed, v)
		one.Schema = s
		w.add(one)
		return
	}
	alt := w.alternative(s, v)
	if alt != nil {
		w.value(alt, v, at, inside)
	}
	switch v.Kind {
	case jsontree.Object:
		s = w.shape.For(s, v)
		for _, m := range v.Members {
			w.member(s, alt, m, at, inside)
		}
		w.lacks(s, v, at)
	case jsontree.Array:
		if alt != nil && s.Items == nil && len(s.Prefix) == 0 {
			return // the alternative has the schemas of the items
		}
		if is(len(v.Items), s.MinItems, s.MaxItems) {
			one := at.choice(Bounding, v)
			one.Schema, one.Stated = s, true
			w.add(one)
		}
		for i, item := range v.Items {
			sub := s.Items
			if i < len(s.Prefix) {
				sub = s.Prefix[i]
			}
			w.value(sub, item, at.below(strconv.Itoa(i), "*", "*"), inside)
		}
	default:
		w.add(w.scalar(s, v, at))
	}
}

// given reports whether a value comes from the target or from the user.
func (w *chooser) given(path string, v *jsontree.Value) bool {
	if b := w.bound[path]; b != nil && jsontree.Equal(b, v) {
		return true
	}
	place := path
	if path != "" && path[0] != '/' {
		place = "/" + path
	}
	named := w.shape.Domains[place].Value
	return named != nil && jsontree.Equal(named, v)
}

// lacks notes which optional members an object does not have.
func (w *chooser) lacks(s *schema.Schema, v *jsontree.Value, at spot) {
	if !w.lacking {
		return
	}
	for _, p := range s.Optional() {
		if !p.Schema.Never && v.Get(p.Name) == nil {
			w.absent = append(w.absent, Member{p, at.at + "/" + jsontree.EscapePointer(p.Name)})
		}
	}
}

func (w *chooser) member(s, alt *schema.Schema, m jsontree.Member, of spot, inside bool) {
	token := jsontree.EscapePointer(m.Name)
	at, p := of.below(token, token, token), s.Property(m.Name)
	switch {
	case p == nil && alt != nil && (alt.Property(m.Name) != nil || s.Extra == nil):
		return // the alternative has its schema
	case p == nil:
		named := of.below(token+"#", token, "*")
		w.add(named.choice(Free, jsontree.NewString(m.Name)))
		w.value(s.Extra, m.Value, of.below(token, token, "*"), inside)
		return
	}
	optional := !p.Required && !w.given(at.path, m.Value)
	if optional && !inside {
		w.added = append(w.added, at.path)
	}
	w.value(p.Schema, m.Value, at, inside || optional)
}

// alternative returns the first branch of anyOf or oneOf that has the value.
func (w *chooser) alternative(s *schema.Schema, v *jsontree.Value) *schema.Schema {
	for _, list := range [][]*schema.Schema{s.OneOf, s.AnyOf} {
		for _, b := range list {
			if w.shape.Matches(b, v) {
				return b
			}
		}
	}
	return nil
}

// add keeps a choice. Of several schemas of one place the one that states most counts.
func (w *chooser) add(one Choice) {
	if n := len(w.list); n > 0 && w.list[n-1].At == one.At {
		old := &w.list[n-1]
		if one.Stated && !old.Stated {
			old.Schema, old.Stated = one.Schema, true
		}
		old.Basis, old.Day = min(old.Basis, one.Basis), old.Day || one.Day
		return
	}
	w.list = append(w.list, one)
}

func (w *chooser) scalar(s *schema.Schema, v *jsontree.Value, at spot) Choice {
	out := at.choice(Free, v)
	out.Schema = s
	switch v.Kind {
	case jsontree.Bool, jsontree.Null:
		if s.Types != nil || s.MayNull { // otherwise the document says nothing of the value
			out.Basis, out.Stated = Listed, true
		}
	case jsontree.String:
		out.Stated = is(utf8.RuneCountInString(v.Text), s.MinLength, s.MaxLength)
		out.Basis, out.Ordinary = textBasis(s, v.Text), schema.BaselineText(v.Text)
		if out.Basis == Formed && !strings.HasPrefix(at.path, "/") && (strings.HasPrefix(s.Format, "uri") || strings.HasPrefix(s.Format, "iri")) {
			out.Basis = Bounding // outside a body it identifies what is asked for
		}
		out.Guessed = s.Told != nil && s.Told.Valid(v.Text)
		out.Day = s.Format == "date" || s.Format == "date-time" || s.Format == "http-date"
	case jsontree.Number:
		if onBound(s, v.Text) {
			out.Basis, out.Stated = Bounding, true
		}
		out.Stated = out.Stated || beyondInt32(s, v.Text) && jsontree.Compare(v.Text, beside) < 0
	}
	if out.Basis == Free && w.example(s, v, at.path) {
		out.Basis = Bounding
	}
	return out
}

// example reports whether the document has the value as an example.
func (w *chooser) example(s *schema.Schema, v *jsontree.Value, path string) bool {
	for _, one := range w.c.Examples(w.op, Member{&schema.Property{Schema: s}, path}) {
		if jsontree.Equal(one, v) {
			return true
		}
	}
	return false
}

// is reports whether a number is one of two bounds.
func is(n int, least, most *int) bool {
	return least != nil && n == *least || most != nil && n == *most
}

func textBasis(s *schema.Schema, text string) Basis {
	switch {
	case s.Code != nil && s.Pattern == "":
		return Free // which kind of text it is, only a name or a sentence says
	case s.Format == "uuid", s.Pattern != "":
		return Bounding
	case s.FormsTexts():
		return Formed
	case is(utf8.RuneCountInString(text), s.MinLength, s.MaxLength):
		return Bounding
	}
	return Free
}

// onBound reports whether a number is the last one that a bound of the schema allows.
func onBound(s *schema.Schema, text string) bool {
	n, ok := jsontree.Rat(text)
	if !ok {
		return false
	}
	is := func(bound string, beside int64) bool {
		b, ok := jsontree.Rat(bound)
		return bound != "" && ok && new(big.Rat).Sub(n, b).Cmp(big.NewRat(beside, 1)) == 0
	}
	return is(s.Minimum, 0) || is(s.Maximum, 0) || s.Whole() && (is(s.Above, 1) || is(s.Below, -1))
}

// beyondInt32 reports whether no int32 holds a number, and the format or a bound of the schema says that
// it goes further.
func beyondInt32(s *schema.Schema, text string) bool {
	if s == nil || !s.Whole() || jsontree.Compare(text, LastInt32) <= 0 {
		return false
	}
	_, high, _ := schema.FormatRange(s.Format)
	return high != "" && jsontree.Compare(high, text) >= 0 || s.Maximum != "" || s.Below != ""
}

// LastInt32 is the greatest number that an int32 holds.
const LastInt32 = "2147483647"

// beside is the end of the numbers that count as just beyond it.
const beside = "2147500000"

// Under reports whether the choice is at a place or inside of it.
func (c *Choice) Under(path string) bool {
	return c.Path == path || strings.HasPrefix(c.Path, path+"/")
}

// Accepted is what the requirements file promises of an operation: a document has no keyword
// for it.
type Accepted struct {
	// Valid reports whether every valid request is accepted.
	Valid bool
	// AllowedIn are the states of the resource in which the operation is allowed. In every other
	// one it is refused.
	AllowedIn []States
	// ReplacesAll reports whether nothing stays of what was there before, KeepsRest whether
	// members stay that a request leaves out.
	ReplacesAll, KeepsRest bool
	// NewestFirst reports whether the list begins with what was made last.
	NewestFirst bool
	// Listed reports whether what was made is in the list of such things.
	Listed bool
	// MadeOnce is the header field that makes a request harmless that is sent again; nil if
	// there is none.
	MadeOnce *Parameter
	// Owned reports whether only the principal that made a resource may ask for it.
	Owned bool
}

// States are values of a member that has the state of a resource.
type States struct {
	Member string
	Values []*jsontree.Value
}

// Has reports whether a value is one of them.
func (s States) Has(v *jsontree.Value) bool {
	return slices.ContainsFunc(s.Values, func(one *jsontree.Value) bool { return jsontree.Equal(one, v) })
}

// ReplacesMember reports whether the operation replaces a member of the body.
func (o *Operation) ReplacesMember(name string) bool {
	return o.Accepted.ReplacesAll || o.Replaces != nil && !hints.Excepts(o.Replaces, name)
}

// LeavesNothing reports whether members that a request leaves out do not stay.
func (o *Operation) LeavesNothing() bool { return o.Whole != nil || o.Accepted.ReplacesAll }
