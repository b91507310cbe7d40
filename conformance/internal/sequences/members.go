package sequences

import (
	"slices"

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
