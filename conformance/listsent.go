package conformance

import (
	"cmp"
	"slices"

	"plantstore/conformance/report"
)

// sent says which mutators make the cases that can test a requirement.
type sent struct {
	by    []map[string]bool // the names of mutators, by the index of the requirement
	tests map[string]int    // how many requirements the cases of a mutator can test
	order map[string]int    // the place of a mutator in the catalogues
}

func newSent(requirements int) *sent {
	s := &sent{by: make([]map[string]bool, requirements), tests: map[string]int{}, order: map[string]int{}}
	for i, m := range catalogue() {
		s.order[m.Name] = i
	}
	return s
}

// note says that a case of the mutator can test a requirement.
func (s *sent) note(mutator string, requirement int) {
	if s.by[requirement] == nil {
		s.by[requirement] = map[string]bool{}
	}
	if !s.by[requirement][mutator] {
		s.by[requirement][mutator] = true
		s.tests[mutator]++
	}
}

// of lists the mutators of a requirement. Those that test little else come first: they
// are the ones that are made for it.
func (s *sent) of(requirement int) []string {
	var out []string
	for name := range s.by[requirement] {
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.tests[a], s.tests[b]), cmp.Compare(s.order[a], s.order[b]))
	})
	return out
}

// mutators lists those that make a case.
func (s *sent) mutators() []report.ListedMutator {
	var out []report.ListedMutator
	for _, m := range catalogue() {
		if s.tests[m.Name] > 0 {
			out = append(out, report.ListedMutator{Name: m.Name, Doc: m.Doc})
		}
	}
	return out
}
