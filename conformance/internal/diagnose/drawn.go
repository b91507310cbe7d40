package diagnose

import (
	"cmp"
	"slices"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// drawn reports whether all cases of a group are of longer orders of requests.
func (g *group) drawn() bool {
	return !slices.ContainsFunc(g.cases, func(c *plan.Case) bool { return !c.Class.Drawn })
}

// joinDrawn adds what longer orders of requests show of a requirement to what shorter ones
// show of it, or the first of the longer ones: that is one fault, which may look different
// after other changes.
func joinDrawn(list []*group) []*group {
	return slices.DeleteFunc(slices.Clone(list), func(g *group) bool {
		if !g.drawn() {
			return false
		}
		i := slices.IndexFunc(list, func(o *group) bool { return o.at == g.at && !o.drawn() })
		if i < 0 {
			i = slices.IndexFunc(list, func(o *group) bool { return o.at == g.at })
		}
		if list[i] == g {
			return false
		}
		list[i].take(g)
		return true
	})
}

// suppressDrawn suppresses what only longer orders of requests show of the values of a
// thing if a shorter one shows another fault of them, or another order does: a lost value
// is missing wherever it is looked for.
func (d *Diagnosis) suppressDrawn(found []Finding) []Finding {
	var values []Finding
	for i := range found {
		if r := d.judge.Bound[found[i].At].Rule; r.Role == rule.RoleHistory && aboutValues(r.Name) {
			values = append(values, found[i])
		}
	}
	slices.SortStableFunc(values, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(len(a.Failure.Steps), len(b.Failure.Steps)))
	})
	for k, f := range values {
		by := slices.IndexFunc(values[:k], func(o Finding) bool { return d.explainsDrawn(&o, &f) && fails(found, o.At) })
		shorter := slices.ContainsFunc(values, func(o Finding) bool { return o.At == f.At && !o.group.drawn() })
		if by >= 0 && f.group.drawn() && !shorter && fails(found, f.At) {
			found = d.suppress(found, f.At, d.judge.Bound[values[by].At].ID)
		}
	}
	return found
}

// order puts findings of longer orders behind the others.
func order(f Finding) int {
	if f.group.drawn() {
		return 1
	}
	return 0
}

// explainsDrawn reports whether a finding is about the same thing as another one, and not
// of a lower level.
func (d *Diagnosis) explainsDrawn(b, o *Finding) bool {
	x, y := &d.judge.Bound[b.At], &d.judge.Bound[o.At]
	return b.At != o.At && x.Op == y.Op && (x.Level == report.Must || y.Level != report.Must)
}

// aboutValues reports whether a rule is about the values that reading a thing gives.
func aboutValues(name string) bool {
	return slices.Contains([]string{"stored-created", "stored-replaced", "stored-patched", "patch-leaves-rest", "refused-unchanged"}, name)
}
