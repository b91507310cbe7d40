package sequences

import (
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// scalars names the members whose values tell one request from another.
func scalars(s *plan.Space) []string {
	var out []string
	for _, m := range request.Values(s.Op, generate.Probe(s.Op).Baseline().Tree) {
		out = append(out, m.Name)
	}
	return slices.Compact(out)
}

// slug spells a member name as a part of a slug.
func slug(name string) string {
	if s := contract.Slug(name); s != "" {
		return s
	}
	return "member"
}
