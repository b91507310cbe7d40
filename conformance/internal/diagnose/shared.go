package diagnose

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/verdict"
	"plantstore/conformance/report"
)

// sharing is what requirements have in common that state one clause for several
// operations or answers.
type sharing struct {
	rule, clause string
	level        report.Level
	kind         string
}

func sharingOf(b *verdict.Bound) sharing {
	return sharing{b.Rule.Name, b.Clause.String(), b.Level, b.Args.Kind}
}

// suppressShared reports a failure once if every requirement that states its clause
// fails in the same way wherever it was tried alike: what serves all these operations
// has one fault.
func (d *Diagnosis) suppressShared(found []Finding) []Finding {
	stating := map[sharing][]int{}
	for at := range d.judge.Bound {
		k := sharingOf(&d.judge.Bound[at])
		stating[k] = append(stating[k], at)
	}
	for i := 0; i < len(found); i++ {
		f := found[i]
		list := stating[sharingOf(&d.judge.Bound[f.At])]
		same := func(o Finding) bool {
			return o.At != f.At && slices.Contains(list, o.At) && d.alike(&o, &f)
		}
		others := slices.DeleteFunc(slices.Clone(list), func(at int) bool {
			return at == f.At || slices.ContainsFunc(found, func(o Finding) bool { return o.At == at && same(o) })
		})
		if !slices.ContainsFunc(found[i+1:], same) || d.passAlike(others, &f) {
			continue
		}
		for _, o := range found[i+1:] {
			if same(o) {
				found[i].Also = append(found[i].Also, o.At)
			}
		}
		found = slices.Concat(found[:i+1], slices.DeleteFunc(slices.Clone(found[i+1:]), same))
		for _, at := range found[i].Also {
			if !fails(found, at) {
				found = d.suppress(found, at, d.judge.Bound[f.At].ID)
			}
		}
	}
	return found
}

// alike reports whether two findings of one clause are one way of failing. Which
// success a request got that had to be refused depends on the operation.
func (d *Diagnosis) alike(a, b *Finding) bool {
	return a.group.signature == b.group.signature || d.judge.Bound[a.At].Rule.Role == rule.RoleCredentialRefusal
}

// passAlike reports whether one of the requirements passed in a case like one that a
// finding failed in.
func (d *Diagnosis) passAlike(list []int, f *Finding) bool {
	kinds := map[string]bool{}
	for _, c := range f.group.cases {
		kinds[kind(c)] = true
	}
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r == nil || !kinds[kind(c)] {
			continue
		}
		for _, at := range list {
			if r.Passed.Has(at) {
				return true
			}
		}
	}
	return false
}

// kind names what a case tries without its operation.
func kind(c *plan.Case) string { return strings.TrimPrefix(c.Class.Slug, c.Op.Slug+"/") }
