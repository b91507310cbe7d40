package openapi

import (
	"math/big"

	"plantstore/conformance/internal/jsontree"
)

// usualDepth is how deep inside a body the numbers of examples are looked for.
const usualDepth = 4

// usualNumbers returns, for the numbers of a body by their path, the smallest whole number
// above zero that an example in the document has. A payment may not be larger than the
// debt, say, and no schema tells: numbers up to that of an example are the likeliest to be
// accepted. Keys are left out, because the target may take each only once. An asterisk in a
// path stands for the items of an array.
func (l *loader) usualNumbers(media *jsontree.Value, s *Schema) map[string]*big.Int {
	out := usual{}
	for _, example := range l.c.given(media) {
		out.add("", example)
	}
	l.usualBelow(out, "", s, 0)
	return out
}

// usualBelow adds the numbers in the examples of the schemas inside a schema.
func (l *loader) usualBelow(u usual, path string, s *Schema, depth int) {
	if s == nil || depth > usualDepth {
		return
	}
	for _, p := range s.Properties {
		at := path + "/" + jsontree.EscapePointer(p.Name)
		if p.Schema.Pointer != "" {
			for _, one := range l.c.given(l.c.follow(l.root.At(p.Schema.Pointer))) {
				u.add(at, one)
			}
		}
		l.usualBelow(u, at, p.Schema, depth+1)
	}
	l.usualBelow(u, path+"/*", s.Items, depth+1)
}

type usual map[string]*big.Int

// add adds the numbers of an example at a path.
func (u usual) add(path string, v *jsontree.Value) {
	switch v.Kind {
	case jsontree.Object:
		for _, m := range v.Members {
			u.add(path+"/"+jsontree.EscapePointer(m.Name), m.Value)
		}
	case jsontree.Array:
		for _, item := range v.Items {
			u.add(path+"/*", item)
		}
	case jsontree.Number:
		r, ok := jsontree.Rat(v.Text)
		if ok && r.IsInt() && r.Sign() > 0 && !KeyAt(path) && (u[path] == nil || r.Num().Cmp(u[path]) < 0) {
			u[path] = r.Num()
		}
	}
}
