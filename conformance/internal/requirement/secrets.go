package requirement

import (
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/report"
)

// secret derives a row about what is writeOnly in the bodies of operations: a MUST where the
// document says that it never comes back.
func (d *deriver) secret(takes []*contract.Operation, id, rule, rfc, sentence string) {
	level := report.Must
	if slices.ContainsFunc(takes, func(op *contract.Operation) bool { return !d.c.KeepsSecrets(op) }) {
		level = report.Should
	}
	d.add(id, rule, level, Clause{RFC: rfc}, Args{}, "%s", sentence)
}

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
