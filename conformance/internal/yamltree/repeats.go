package yamltree

import "plantstore/conformance/internal/jsontree"

// Repeat is a key that an object has more than once. Readers differ in which value they
// take: here the first one stays.
type Repeat struct {
	In   *jsontree.Value
	Name string
	Err  *Error // the complaint about it
}

// ParseLoosely is Parse for the document of a stranger, of which one bad part must not
// cost the rest: duplicate keys are no error, but listed in Repeats.
func ParseLoosely(name string, b []byte) (*Tree, error) { return parse(name, b, usual(), true) }

// repeated notes a key that was there before. It returns the error where that is not
// allowed.
func (t *Tree) repeated(in *jsontree.Value, name string, err *Error) error {
	if !t.loose {
		return err
	}
	t.Repeats = append(t.Repeats, Repeat{in, name, err})
	return nil
}

// onlyFirst drops the members of JSON text whose name was there before.
func (t *Tree) onlyFirst(v *jsontree.Value, text string) {
	for _, item := range v.Items {
		t.onlyFirst(item, text)
	}
	seen := make(map[string]bool, len(v.Members))
	kept := v.Members[:0]
	for _, m := range v.Members {
		if seen[m.Name] {
			_ = t.repeated(v, m.Name, t.errAt(placeOf(text, int(m.Value.Mark)-1), "duplicate key %q", m.Name))
			continue
		}
		seen[m.Name] = true
		kept = append(kept, m)
		t.onlyFirst(m.Value, text)
	}
	v.Members = kept
}
