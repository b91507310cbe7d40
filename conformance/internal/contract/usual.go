package contract

import (
	"math/big"

	"plantstore/conformance/internal/jsontree"
)

// usualNumbers returns, for the numbers of a body by their path, the smallest whole number
// above zero that an example in the document has. A payment may not be larger than the
// debt, say, and no schema tells: numbers up to that of an example are the likeliest to be
// accepted. Keys are left out, because the target may take each only once.
func (l *loader) usualNumbers(media *jsontree.Value, s *Schema) map[string]*big.Int {
	out := usual{}
	for _, example := range l.c.given(media) {
		for _, m := range example.Members {
			out.add(m.Name, m.Value)
		}
	}
	for _, p := range s.Properties {
		if p.Schema.Pointer == "" {
			continue
		}
		for _, one := range l.c.given(l.c.follow(l.root.At(p.Schema.Pointer))) {
			out.add(p.Name, one)
		}
	}
	return out
}

type usual map[string]*big.Int

func (u usual) add(name string, v *jsontree.Value) {
	if v.Kind != jsontree.Number || IsKey(name) || Refers(name) != "" {
		return
	}
	path := "/" + jsontree.EscapePointer(name)
	r, ok := jsontree.Rat(v.Text)
	if ok && r.IsInt() && r.Sign() > 0 && (u[path] == nil || r.Num().Cmp(u[path]) < 0) {
		u[path] = r.Num()
	}
}
