package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// flawDepth is how far below an item its members are made wrong.
const flawDepth = 3

// itemFlaws are ways to make a right value of a schema wrong, of each keyword in turn.
func itemFlaws(s *openapi.Schema) []another { return wrongWays(s, 0) }

func wrongWays(s *openapi.Schema, depth int) []another {
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
	wrong = append(wrong, listedValues(slices.Concat(strangers(s.Enum), beside(s.Enum))), listedValues(besideOne(s.Const)), wrongTexts(s))
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
func wrongKinds(s *openapi.Schema) []another {
	if s.Types == nil {
		return nil
	}
	return []another{always(jsontree.NewObject()), always(jsontree.NewBool(true)), text("x"), number("7"), always(jsontree.NewNull())}
}

// wrongTexts are texts of a wrong length, and such as a pattern or a format refuses.
func wrongTexts(s *openapi.Schema) []another {
	if s.Type() != "string" || s.Enum != nil || s.Const != nil {
		return nil
	}
	changed := func(spoil func(string) string) another {
		return func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
			return jsontree.NewString(spoil(right.Text))
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
			for _, spoil := range end.spoils {
				spoilt = append(spoilt, changed(spoil))
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
	return func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
		right.Remove(name)
		return right
	}
}

func extraMember(g *generate.Gen, right *jsontree.Value) *jsontree.Value {
	if right.Kind == jsontree.Object {
		right.Set("extra", jsontree.NewString(g.Word()))
	}
	return right
}

// atMember makes a member wrong, which is put there if it is not.
func atMember(m *openapi.Property, list []another) []another {
	return inside(jsontree.Object, list, func(g *generate.Gen, right *jsontree.Value, flaw another) {
		v := right.Get(m.Name)
		if v == nil {
			v = g.BaselineValue(m.Schema)
		}
		right.Set(m.Name, flaw(g, v))
	})
}

// atItem makes the last item of an array wrong.
func atItem(s *openapi.Schema, list []another) []another {
	return inside(jsontree.Array, list, func(g *generate.Gen, right *jsontree.Value, flaw another) {
		if len(right.Items) == 0 {
			right.Items = append(right.Items, g.BaselineValue(s.Items))
		}
		last := len(right.Items) - 1
		right.Items[last] = flaw(g, right.Items[last])
	})
}

// inside makes each of the flaws inside a value of a kind, and leaves other values as they are.
func inside(kind jsontree.Kind, flaws []another, apply func(*generate.Gen, *jsontree.Value, another)) []another {
	var out []another
	for _, flaw := range flaws {
		out = append(out, func(g *generate.Gen, right *jsontree.Value) *jsontree.Value {
			if right.Kind == kind {
				apply(g, right, flaw)
			}
			return right
		})
	}
	return out
}

func noItems(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
	if right.Kind == jsontree.Array {
		right.Items = nil
	}
	return right
}

// manyItems is more than a small array has.
const manyItems = 21

// sameItems repeats the first item of an array until there are many.
func sameItems(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
	if right.Kind == jsontree.Array && len(right.Items) > 0 {
		for len(right.Items) < manyItems {
			right.Items = append(right.Items, right.Items[0].Clone())
		}
	}
	return right
}
