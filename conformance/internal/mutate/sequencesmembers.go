package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// scalars names the members whose values tell one request from another.
func scalars(s *plan.Space) []string {
	var out []string
	for _, m := range message.Values(s.Op, generate.Probe(s.Op).Baseline().Tree) {
		out = append(out, m.Name)
	}
	return slices.Compact(out)
}

// longText is the length of a long text.
const longText = 60

// free reports whether a schema takes any text.
func free(s *openapi.Schema) bool {
	return s.Type() == "string" && s.AnyText() && (s.MaxLength == nil || *s.MaxLength >= longText) && s.Not == nil
}
