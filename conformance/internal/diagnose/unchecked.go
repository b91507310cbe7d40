package diagnose

import (
	"slices"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

// suppressUnchecked reports one failure for a further media type of an operation if
// every invalid body of it is accepted where those of the first are refused: the target
// checks one and not the other.
func (d *Diagnosis) suppressUnchecked(found []Finding) []Finding {
	for _, op := range d.target.Contract.Operations {
		for _, further := range op.Further {
			if first := d.unchecked(found, op, further); first >= 0 {
				found = d.fold(found, first, further)
			}
			if further.SameBytes() {
				found = d.suppressAgain(found, op, further)
			}
		}
	}
	return found
}

// unchecked returns the first finding about a further media type if all that was tried
// of it failed, or -1.
func (d *Diagnosis) unchecked(found []Finding, op, further *openapi.Operation) int {
	failed, refused := 0, false
	for at, end := d.judge.Of(op); at < end; at++ {
		b := d.judge.Bound[at]
		if b.Rule.Role != rule.RoleRefusal || b.Body == nil || d.tallies[at].judged == 0 {
			continue
		}
		switch fails := fails(found, at); {
		case b.Body == op.Body:
			refused = refused || !fails
		case b.Body == further.Body && !fails:
			return -1
		case b.Body == further.Body:
			failed++
		}
	}
	if failed < 2 || !refused {
		return -1
	}
	return slices.IndexFunc(found, func(f Finding) bool { return d.judge.Bound[f.At].Body == further.Body && d.refusal(&f) })
}

// fold adds what else fails with bodies of a media type to the first finding about it.
func (d *Diagnosis) fold(found []Finding, first int, further *openapi.Operation) []Finding {
	keep := found[first]
	keep.Unchecked = further.Body.Media
	folds := func(f Finding) bool {
		return f.At != keep.At && d.refusal(&f) && !slices.ContainsFunc(f.Cases(), func(c *plan.Case) bool { return c.Op != further })
	}
	var also []int
	for _, f := range found {
		if folds(f) && !slices.Contains(also, f.At) {
			also = append(also, f.At)
		}
	}
	keep.Also = append(keep.Also, also...)
	found[first] = keep
	return d.only(slices.DeleteFunc(found, folds), keep)
}

func (d *Diagnosis) refusal(f *Finding) bool {
	return d.judge.Bound[f.At].Rule.Role == rule.RoleRefusal
}

// suppressAgain suppresses what a further media type shows again of the first: the same
// bytes are accepted.
func (d *Diagnosis) suppressAgain(found []Finding, op, further *openapi.Operation) []Finding {
	for i := range found {
		again := slices.IndexFunc(found, func(o Finding) bool { return d.judge.Bound[o.At].Body == further.Body && d.refusal(&o) })
		if again < 0 || i == again || d.judge.Bound[found[i].At].Op != op || !d.refusal(&found[i]) {
			continue
		}
		what := kind(found[again].Case)
		if slices.ContainsFunc(found[i].Cases(), func(c *plan.Case) bool { return !c.Op.IsFurther() && kind(c) == what }) {
			at := found[again].At
			found[i].Also = append(found[i].Also, at)
			return d.suppress(found, at, d.judge.Bound[found[i].At].ID)
		}
	}
	return found
}
