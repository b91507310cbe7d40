package generate

import "plantstore/conformance/internal/jsontree"

// IsFresh reports whether a text has the form of a fresh word: 6 to 64 letters and
// digits, first a letter, at least one digit.
func IsFresh(s string) bool {
	if len(s) < 6 || len(s) > 64 {
		return false
	}
	digit := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			digit = true
			if i == 0 {
				return false
			}
		case c < 'a' || c > 'z':
			return false
		}
	}
	return digit
}

// Carrier returns the object that holds the fresh texts of a body: the body, or the only member of
// it that is an object and has some, in its envelopes. It is nil if there is none.
func Carrier(tree *jsontree.Value) *jsontree.Value {
	for tree != nil && tree.Kind == jsontree.Object {
		var inside *jsontree.Value
		for _, m := range tree.Members {
			switch {
			case m.Value.Kind == jsontree.String && IsFresh(m.Value.Text):
				return tree
			case m.Value.Kind == jsontree.Object && inside != nil:
				return nil
			case m.Value.Kind == jsontree.Object:
				inside = m.Value
			}
		}
		tree = inside
	}
	return nil
}
