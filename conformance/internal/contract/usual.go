package contract

import (
	"math/big"

	"plantstore/conformance/internal/jsontree"
)

// usualNumbers returns, for the numbers of a body by their path, the smallest whole number
// above zero that an example in the document has. A payment may not be larger than the
// debt, say, and no schema tells: numbers up to that of an example are the likeliest to be
// accepted. Keys are left out, because the target may take each only once.
func (l *loader) usualNumbers(media *jsontree.Value, pointer string, s *Schema) map[string]*big.Int {
	out := usual{}
	out.all(media.Get("example"))
	if list := media.Get("examples"); list != nil {
		for _, m := range list.Members {
			if _, v := l.resolve(pointer + "/examples/" + jsontree.EscapePointer(m.Name)); v != nil {
				out.all(v.Get("value"))
			}
		}
	}
	for _, p := range s.Properties {
		if p.Schema.Pointer == "" {
			continue
		}
		if _, v := l.resolve(p.Schema.Pointer); v != nil {
			out.add(p.Name, v.Get("example"))
			if list := v.Get("examples"); list != nil {
				for _, item := range list.Items {
					out.add(p.Name, item)
				}
			}
		}
	}
	return out
}

type usual map[string]*big.Int

// all adds the members of an example.
func (u usual) all(example *jsontree.Value) {
	if example == nil {
		return
	}
	for _, m := range example.Members {
		u.add(m.Name, m.Value)
	}
}

func (u usual) add(name string, v *jsontree.Value) {
	if v == nil || v.Kind != jsontree.Number || IsKey(name) || Refers(name) != "" {
		return
	}
	path := "/" + jsontree.EscapePointer(name)
	r, ok := jsontree.Rat(v.Text)
	if ok && r.IsInt() && r.Sign() > 0 && (u[path] == nil || r.Num().Cmp(u[path]) < 0) {
		u[path] = r.Num()
	}
}
