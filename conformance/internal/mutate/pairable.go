package mutate

import "plantstore/conformance/internal/plan"

// mostPaired bounds the members of which each is paired with each.
const mostPaired = 4

// pairable lists members of the body that take any text or number.
func pairable(s *plan.Space) []*place {
	var out []*place
	for _, p := range tried(s) {
		if len(out) < mostPaired && p.member && p.up != nil && p.up.up == nil && (p.free() || p.number()) {
			out = append(out, p)
		}
	}
	return out
}
