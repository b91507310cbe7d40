package diagnose

import (
	"cmp"
	"context"
	"slices"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// causes says of each finding that needs more than its last request what that is, the
// most basic ones first.
func (d *Diagnosis) causes(ctx context.Context, found []Finding, list []causes.Hypothesis) []Finding {
	var budget causes.Budget
	var order []int
	for i := range found {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.basic(&found[a]), d.basic(&found[b])) })
	for _, i := range order {
		f := &found[i]
		if how := d.run.End(f.Case); how != "" && d.judge.Bound[f.At].Rule.Rank == requirement.Answered {
			f.Cause = &causes.Cause{Name: "the-end", Sentence: how}
		}
		if f.NotTriedAgain != "" || f.Failure.Beside {
			continue
		}
		c := budget.Find(ctx, d.run, list, f.Case, f.group.failures[f.Case], f.Failure, !d.mayNeedMore(f))
		if c == nil {
			continue
		}
		f.Cause = c
		if c.Failure != nil {
			f.Failure = c.Failure
		}
	}
	return d.suppressAlike(found)
}

// suppressAlike suppresses findings that need the same as a more basic one: that is one
// fault. What fails since something is used up does so wherever a rule looks.
func (d *Diagnosis) suppressAlike(found []Finding) []Finding {
	for _, f := range slices.Clone(found) {
		for _, o := range slices.Clone(found) {
			if f.Cause == nil || o.Cause == nil || f.Cause.Name != o.Cause.Name || !fails(found, f.At) || !d.before(&f, &o) {
				continue
			}
			x, y := &d.judge.Bound[f.At], &d.judge.Bound[o.At]
			alike := f.Cause.Sentence == o.Cause.Sentence || f.Cause.Name == "since-then"
			if alike && (x.Op == y.Op || x.Rule == y.Rule) {
				found = d.without(found, o, f.At)
			}
		}
	}
	return d.suppressMore(d.suppressMixed(found))
}

// before orders findings of different requirements: the more basic one first, then that
// with more cases.
func (d *Diagnosis) before(a, b *Finding) bool {
	return a.At != b.At && cmp.Or(cmp.Compare(d.basic(a), d.basic(b)), cmp.Compare(len(b.group.cases), len(a.group.cases)), cmp.Compare(a.At, b.At)) < 0
}

// maxOfOne is how many MUSTs are reported for what may be one fault.
const maxOfOne = 3

// suppressMore suppresses findings of a MUST that did not come again and whose cause is
// not known, if others have one and there are enough of them: a server with a race fails
// in many ways. So does one that is broken since some moment, every time.
func (d *Diagnosis) suppressMore(found []Finding) []Finding {
	var musts []int
	by := -1
	for i := range found {
		if d.judge.Bound[found[i].At].Level == report.Must && !slices.Contains(musts, found[i].At) {
			musts = append(musts, found[i].At)
		}
		if found[i].Cause != nil && (by < 0 || d.basic(&found[i]) < d.basic(&found[by])) {
			by = i
		}
	}
	if by < 0 || d.judge.Bound[found[by].At].Level != report.Must {
		return found
	}
	first, known := found[by].At, found[by].Cause // the list gets shorter below
	for _, at := range slices.Backward(musts) {
		settled := slices.ContainsFunc(found, func(f Finding) bool {
			return f.At == at && (f.Stable && !d.since(known, &f) || f.NotTriedAgain != "" || f.Cause != nil)
		})
		if len(musts) > maxOfOne && !settled {
			found = d.suppress(found, at, d.judge.Bound[first].ID)
			musts = slices.DeleteFunc(slices.Clone(musts), func(m int) bool { return m == at })
		}
	}
	return found
}

// since reports whether a failure was seen only after what a cause is about began for good.
func (d *Diagnosis) since(c *causes.Cause, f *Finding) bool {
	return c.Since > 0 && !slices.ContainsFunc(f.group.cases, func(k *plan.Case) bool {
		return d.run.Record(k).Sent+d.run.AtOnce() < c.Since
	})
}

// without leaves out one finding, and suppresses its requirement if that was the last.
func (d *Diagnosis) without(found []Finding, gone Finding, by int) []Finding {
	found = slices.DeleteFunc(found, func(x Finding) bool { return x.At == gone.At && x.Cause == gone.Cause })
	if !fails(found, gone.At) {
		found = d.suppress(found, gone.At, d.judge.Bound[by].ID)
	}
	return found
}

// basic orders findings by what they may explain: an answer that belongs to another
// request explains values that come back wrong, and no answer explains all others.
func (d *Diagnosis) basic(f *Finding) int {
	b := d.judge.Bound[f.At]
	switch {
	case b.Rule.Role == requirement.RoleBelonging:
		return 0
	case b.Level != report.Must:
		return 100 + int(b.Rule.Rank)
	}
	return 1 + int(b.Rule.Rank)
}

// suppressExchanged suppresses values that came back wrong once, and not again, if the
// operation also answers with what belongs to another request: that is one fault.
func (d *Diagnosis) suppressExchanged(found []Finding) []Finding {
	for at := range d.judge.Bound {
		b := d.judge.Bound[at]
		if b.Rule.Role != requirement.RoleBelonging || !fails(found, at) {
			continue
		}
		for other, end := d.judge.Of(b.Op); other < end; other++ {
			if !b.Rule.Explains(d.judge.Bound[other].Rule) {
				continue
			}
			stable := slices.ContainsFunc(found, func(f Finding) bool { return f.At == other && (f.Stable || f.NotTriedAgain != "") })
			if fails(found, other) && !stable {
				found = d.suppress(found, other, b.ID)
			}
		}
	}
	return found
}

// mayNeedMore reports whether a failure may need other requests: it did not come again,
// or its case has others, or it is about a credential, and a decision about one can be
// remembered.
func (d *Diagnosis) mayNeedMore(f *Finding) bool {
	return !f.Stable || f.Case.Steps() > 1 || d.judge.Bound[f.At].Rule.Role == requirement.RoleCredentialRefusal
}

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
		if r := d.judge.Bound[found[i].At].Rule; r.Role == requirement.RoleHistory && r.Aspect.Values() {
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
