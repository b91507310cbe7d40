package requirement

import "plantstore/conformance/internal/contract"

// leavesSecrets reports whether a success of an operation may have a member that is writeOnly
// in what another one takes, as far as the schema of the answer says: it is open.
func leavesSecrets(takes, answers *contract.Operation) bool {
	places := takes.WriteOnly()
	for _, r := range answers.Documented(2) {
		for _, m := range r.Media {
			if !m.JSON() || m.Shape == nil || m.Shape.Schema.Type() != "object" {
				continue
			}
			for _, place := range places {
				if m.Shape.Schema.Leaves(place) {
					return true
				}
			}
		}
	}
	return false
}
