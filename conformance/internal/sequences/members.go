package sequences

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// jsonBody reports whether the operation has a JSON body.
func jsonBody(s *plan.Space) bool { return s.Op.Body != nil && !s.Op.Body.Form() }

// scalars names the members whose values tell one request from another.
func scalars(s *plan.Space) []string {
	var out []string
	for _, m := range request.Values(s.Op, generate.Probe(s.Op).Baseline().Tree) {
		out = append(out, m.Name)
	}
	return slices.Compact(out)
}
