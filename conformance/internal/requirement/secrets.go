package requirement

import "plantstore/conformance/internal/openapi"

// secret derives a row about what is writeOnly in the bodies of operations, with a sentence that
// says that it never comes back.
func (d *deriver) secret(id, rule, sentence string, takes ...*openapi.Operation) {
	d.should(id, rule, "OpenAPI 3.1, 4.8.24; JSON Schema Validation, 9.4", Args{}, "%s", sentence)
	for _, op := range takes {
		d.evidence(d.c.KeepsSecrets(op))
	}
}

// leavesSecrets reports whether a success of an operation may have a member that is writeOnly
// in what another one takes, as far as the schema of the answer says: it is open.
func leavesSecrets(takes, answers *openapi.Operation) bool {
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
