package openapi

import (
	"strings"

	"plantstore/conformance/internal/hints"
)

// sequences finds the pairs of members of an object that are in order, as the descriptions of
// the members and, for the body itself, of the operation say.
func (co *coder) sequences(path string, s *Schema) [][2]string {
	var out [][2]string
	whole := ""
	if path == "" {
		whole = co.around
	}
	for _, p := range s.Properties {
		if !ranked(p.Schema) {
			continue
		}
		own := co.said(p.Schema)
		for _, q := range s.Properties {
			if q == p || !alike(p.Schema, q.Schema) || !strings.Contains(own+whole, q.Name) {
				continue
			}
			switch {
			case hints.Later(own, whole, p.Name, q.Name):
				out = append(out, [2]string{q.Name, p.Name})
			case hints.Earlier(own, whole, p.Name, q.Name):
				out = append(out, [2]string{p.Name, q.Name})
			}
		}
	}
	return out
}
