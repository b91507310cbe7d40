package conformance

import (
	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/plan"
)

// rulesFolder is where the rules are in the repository.
const rulesFolder = "conformance/internal/rules/"

// Efforts returns the values that Config.Effort can have, the smallest effort first.
func Efforts() []string {
	var out []string
	for _, e := range plan.Efforts() {
		out = append(out, e.Name)
	}
	return out
}

// entries are the mutators of one catalogue and where they are in the repository.
type entries struct {
	folder  string
	entries []plan.Mutator
}

// catalogues are what a plan is made from, in order.
func catalogues() []entries {
	return []entries{
		{"conformance/internal/mutators/", mutate.List()},
		{"conformance/internal/sequences/", mutate.Sequences()},
		{"conformance/internal/lifecycles/", checks.Scenarios()},
	}
}

// catalogue is all of them.
func catalogue() []plan.Mutator {
	var out []plan.Mutator
	for _, c := range catalogues() {
		out = append(out, c.entries...)
	}
	return out
}
