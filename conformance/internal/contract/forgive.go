package contract

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// forgive removes the violations that some readers do not see, and gives each as a
// reason why the value may be refused.
func (r *Reading) forgive(s *Shape) {
	r.Violations = slices.DeleteFunc(r.Violations, func(v Violation) bool {
		why := s.unseen(v, r.Document.Root.At(v.Pointer))
		if why != "" {
			r.mayRefuse(v.Path, why)
		}
		return why != ""
	})
}

// unseen returns why some readers do not see the violation of a value, or an empty
// string.
func (s *Shape) unseen(v Violation, value *jsontree.Value) string {
	switch {
	case value == nil:
	case value.Kind == jsontree.Null:
		if mayNull(s.Schema, strings.Split(v.Pointer, "/")[1:], 0) {
			return unclearNull
		}
	case s.Direction == Answers: // only null is unclear there
	case value.Kind == jsontree.String && v.Keyword == "format" && loose(v.format, value.Text):
		return "a spelling that some readers take"
	case value.Kind == jsontree.Number && v.Keyword == "type" && jsontree.FractionLost(value.Text):
		return "fraction too small for a double" // interoperability goes no further (RFC 8259, section 6)
	}
	return ""
}
