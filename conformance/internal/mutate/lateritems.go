package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// Bounds of what is tried at one array.
const (
	maxFlaws    = 24  // keywords of an item
	flawsLooked = 160 // values that are looked at to find one for each keyword
	fewFlaws    = 2   // keywords at a position that tells less
	firstFlaws  = 12  // keywords of the members of an item that come before other cases
	smallArray  = 20  // items of an array that is also filled up
)

// late is an array of right items with one wrong item.
type late struct {
	kind  string
	n, at int
	flaws int // how many keywords are tried there
}

var laterItems = plan.Mutator{
	Name: "later-items",
	Doc:  "Sends arrays with right items and one wrong item behind, before or between them, because servers often check only the first item or leave the loop too early.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if p.schema.Type() != "array" || p.schema.Items == nil || len(p.schema.Prefix) > 0 {
				return nil
			}
			lates := p.lates()
			if len(lates) == 0 {
				return nil
			}
			list := p.telling(s, lates[0])
			var out []plan.Class
			for _, l := range lates {
				out = append(out, p.later(s, l, list)...)
			}
			return out
		})
	},
}

// lates are the sizes and positions that are tried, the most telling first.
func (p *place) lates() []late {
	minimum, maximum := 2, maxItems
	if n := p.schema.MinItems; n != nil {
		minimum = max(minimum, *n)
	}
	if n := p.schema.MaxItems; n != nil {
		maximum = min(maximum, *n)
	}
	list := []late{{"last-of-few", minimum, minimum - 1, maxFlaws}}
	if p.schema.MaxItems != nil && maximum <= smallArray && maximum > minimum {
		list = append(list, late{"last-of-most", maximum, maximum - 1, maxFlaws})
	}
	list = append(list, late{"last-of-more", minimum + 1, minimum, fewFlaws},
		late{"between", minimum + 1, 1, fewFlaws}, late{"before-others", minimum, 0, fewFlaws})
	return slices.DeleteFunc(list, func(l late) bool { return l.n > maximum || l.n > maxItems })
}

// telling are flaws of an item, each of which breaks one keyword that no other breaks.
func (p *place) telling(s *plan.Space, l late) []flawed {
	g, known := plan.Probe(s.Op), map[schema.Key]bool{}
	var found []flawed
	for i, flaw := range itemFlaws(p.schema.Items) {
		if i == flawsLooked || len(found) == maxFlaws || !s.More(p.where().Name, i) {
			break
		}
		look(s, p.where(), g, flaw, p.lately(l), func(kind schema.Kind, one breaking[another]) {
			if kind == schema.Invalid && one.alone && !known[one.first] && strings.HasPrefix(one.first.Path, p.path+"/*") {
				known[one.first] = true
				found = append(found, flawed{flaw, one.first})
			}
		})
	}
	return found
}

// flawed is a way to make an item wrong, and the keyword that it breaks.
type flawed struct {
	make another
	key  schema.Key
}

// lately builds a message with one wrong item among right ones.
func (p *place) lately(l late) func(*plan.Gen, another) *message.Message {
	return func(g *plan.Gen, make another) *message.Message {
		m := p.items(g, l.n)
		if m == nil {
			return nil
		}
		list := p.get(m)
		if list == nil || len(list.Items) != l.n {
			return nil
		}
		list.Items[l.at] = make(g, list.Items[l.at].Clone())
		return m
	}
}

// later makes classes of arrays with one wrong item at a position, and with one that has a
// wrong member. What breaks a pattern is one of its own: whether a spoilt text still matches
// depends on the text.
func (p *place) later(s *plan.Space, l late, list []flawed) []plan.Class {
	var plain, inner, texts []another
	g := plan.Probe(s.Op)
	for _, one := range list[:min(len(list), l.flaws)] {
		look(s, p.where(), g, one.make, p.lately(l), func(kind schema.Kind, seen breaking[another]) {
			switch {
			case kind != schema.Invalid || seen.first != one.key:
			case one.key.Keyword == "pattern":
				texts = append(texts, one.make)
			case one.key.Path != p.path+"/*":
				inner = append(inner, one.make)
			default:
				plain = append(plain, one.make)
			}
		})
	}
	out := append(listed(of(plan.FamilyInvalid, p.where(), l.kind), plain, p.lately(l)),
		listed(of(plan.FamilyInvalid, p.where(), l.kind+"-member"), inner, p.lately(l))...)
	if p.section || s.Op.Body.Form() {
		out = unlabelled(out) // as text, another type may be a text that fits
	}
	out = ahead(append(out, listed(unstated(of(plan.FamilyInvalid, p.where(), l.kind+"-spoilt")), texts, p.lately(l))...))
	for i := range out {
		if l.flaws == maxFlaws && out[i].Kind == l.kind+"-member" {
			out[i].First = min(out[i].Cases, firstFlaws)
		}
	}
	return out
}

// flawDepth is how far below an item its members are made wrong.
const flawDepth = 3

// itemFlaws are ways to make a right value of a schema wrong, of each keyword in turn.
func itemFlaws(s *schema.Schema) []another { return wrongWays(s, 0) }

func wrongWays(s *schema.Schema, depth int) []another {
	if s == nil || depth > flawDepth {
		return nil
	}
	var needed, wrong, inner [][]another
	for _, m := range s.Properties {
		if m.Schema.Never || m.Schema.ReadOnly {
			continue
		}
		if m.Required {
			needed = append(needed, []another{leavingOut(m.Name)})
		}
		inner = append(inner, atMember(m, wrongWays(m.Schema, depth+1)))
	}
	if s.Type() == "array" {
		inner = append(inner, atItem(s, wrongWays(s.Items, depth+1)), []another{noItems, sameItems})
	}
	wrong = append(wrong, listedValues(slices.Concat(lookalikes(s.Enum), beside(s.Enum))), listedValues(besideOne(s.Const)), wrongTexts(s))
	if s.Closed {
		wrong = append(wrong, []another{extraMember})
	}
	if s.Allows("number") || s.Allows("integer") {
		wrong = append(wrong, listedValues(outerBounds(s)), listedValues(offMultiple(s)))
	}
	wrong = append(wrong, wrongKinds(s)) // a server most likely notices these
	first := append(needed, inTurn(wrong))
	return append(inTurn(first), inTurn(inner)...)
}

// inTurn takes the first of each list, then the second of each, and so on.
func inTurn[T any](lists [][]T) []T {
	var out []T
	for i, more := 0, true; more; i++ {
		more = false
		for _, list := range lists {
			if i < len(list) {
				out, more = append(out, list[i]), true
			}
		}
	}
	return out
}

// listedValues makes each of some values whatever the right one is.
func listedValues(list []*jsontree.Value) []another {
	var out []another
	for _, v := range list {
		out = append(out, always(v))
	}
	return out
}

// wrongKinds are values of other JSON types, such as no library reads as the right one.
func wrongKinds(s *schema.Schema) []another {
	if s.Types == nil {
		return nil
	}
	return []another{always(jsontree.NewObject()), always(jsontree.NewBool(true)), text("x"), number("7"), always(jsontree.NewNull())}
}

// wrongTexts are texts of a wrong length, and such as a pattern or a format refuses.
func wrongTexts(s *schema.Schema) []another {
	if s.Type() != "string" || s.Enum != nil || s.Const != nil {
		return nil
	}
	changed := func(corrupt func(string) string) another {
		return func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
			return jsontree.NewString(corrupt(right.Text))
		}
	}
	var lengths, formats, spoilt []another
	if n := s.MinLength; n != nil && *n > 0 {
		lengths = append(lengths, changed(func(t string) string { return firstLetters(t, *n-1) }))
	}
	if n := s.MaxLength; n != nil && *n < longest {
		lengths = append(lengths, changed(func(t string) string {
			return t + strings.Repeat(lastLetter(t), max(1, *n+1-len([]rune(t))))
		}))
	}
	for _, t := range notOfFormat(s.Format) {
		formats = append(formats, text(t))
	}
	if s.Pattern != "" {
		for _, end := range patternEnds() {
			for _, corrupt := range end.corruptions {
				spoilt = append(spoilt, changed(corrupt))
			}
		}
	}
	return inTurn([][]another{spoilt, lengths, formats})
}

func firstLetters(t string, n int) string {
	r := []rune(t)
	return string(r[:min(n, len(r))])
}

func leavingOut(name string) another {
	return func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
		right.Remove(name)
		return right
	}
}

func extraMember(g *plan.Gen, right *jsontree.Value) *jsontree.Value {
	if right.Kind == jsontree.Object {
		right.Set("extra", jsontree.NewString(g.Word()))
	}
	return right
}

// atMember makes a member wrong, which is put there if it is not.
func atMember(m *schema.Property, list []another) []another {
	return inside(jsontree.Object, list, func(g *plan.Gen, right *jsontree.Value, flaw another) {
		v := right.Get(m.Name)
		if v == nil {
			v = g.BaselineValue(m.Schema)
		}
		right.Set(m.Name, flaw(g, v))
	})
}

// atItem makes the last item of an array wrong.
func atItem(s *schema.Schema, list []another) []another {
	return inside(jsontree.Array, list, func(g *plan.Gen, right *jsontree.Value, flaw another) {
		if len(right.Items) == 0 {
			right.Items = append(right.Items, g.BaselineValue(s.Items))
		}
		last := len(right.Items) - 1
		right.Items[last] = flaw(g, right.Items[last])
	})
}

// inside makes each of the flaws inside a value of a kind, and leaves other values as they are.
func inside(kind jsontree.Kind, flaws []another, apply func(*plan.Gen, *jsontree.Value, another)) []another {
	var out []another
	for _, flaw := range flaws {
		out = append(out, func(g *plan.Gen, right *jsontree.Value) *jsontree.Value {
			if right.Kind == kind {
				apply(g, right, flaw)
			}
			return right
		})
	}
	return out
}

func noItems(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
	if right.Kind == jsontree.Array {
		right.Items = nil
	}
	return right
}

// manyItems is more than a small array has.
const manyItems = 21

// sameItems repeats the first item of an array until there are many.
func sameItems(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
	if right.Kind == jsontree.Array && len(right.Items) > 0 {
		for len(right.Items) < manyItems {
			right.Items = append(right.Items, right.Items[0].Clone())
		}
	}
	return right
}
