package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// waive removes the violations at the places of the reasons why a text may be read
// otherwise, and above and below them: another reading may be valid. If none is left,
// the value may be refused.
func (r *Reading) waive(reasons []Reason) {
	if r.Kind != Invalid || len(reasons) == 0 {
		return
	}
	r.Violations = slices.DeleteFunc(r.Violations, func(v Violation) bool {
		place := v.Path
		if v.Name != "" {
			place += "/" + jsontree.EscapePointer(v.Name)
		}
		return slices.ContainsFunc(reasons, func(why Reason) bool { return inside(place, why.Path) || inside(why.Path, place) })
	})
	if len(r.Violations) == 0 {
		r.Kind = MayRefuse
	}
}

// inside reports whether a path is another one or below it.
func inside(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || rest[0] == '/')
}
