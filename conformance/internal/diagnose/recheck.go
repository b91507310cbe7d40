package diagnose

import (
	"context"
	"slices"
	"strings"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
	"plantstore/internal/limits"
)

// recheck examines failures that a used value would explain: a refusal in the form
// of a repeat, from a target that refuses repeats, or an answer about an older
// resource with the same id. A neighbour of the value, never used before, decides.
func (d *Diagnosis) recheck(ctx context.Context) {
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r == nil || len(r.Failures) == 0 || ctx.Err() != nil || d.run.Lost() {
			continue
		}
		if d.interferes(c, &r.Failures[0]) || d.disturbed(ctx, c, &r.Failures[0]) {
			d.tryAlone(ctx, c, r)
			continue
		}
		if !d.worthRechecking(c, &r.Failures[0]) {
			continue
		}
		f := &r.Failures[0]
		switch {
		case d.target.Facts.Generation+d.target.Facts.EarlierRuns > 0:
			// An earlier run sent this value, and its neighbours may be used too.
			d.run.Replace(c, &judge.Record{Why: usedReason})
		case countedOut(d.target.Facts.Of(c.Op), &f.Steps[f.Step]):
			d.run.Replace(c, &judge.Record{Why: countedReason})
		}
		out := true
		for n := 1; n <= limits.RecheckTries; n++ {
			own := d.target.Client.Session()
			id := d.target.Identity(d.target.RetryOf(c))
			id.Neighbour = n
			again := d.run.Try(ctx, c, id, own, execute.Whole)
			own.Close()
			if again.State == judge.Tried && len(again.Failures) == 0 && again.Passed.Has(r.Failures[0].At) {
				d.run.Replace(c, again)
				out = false
				break
			}
			out = out && again.State == judge.Tried && len(again.Failures) > 0 && again.Failures[0].Steps[again.Failures[0].Step].Repeated
		}
		if out && d.usedUp(c, f) {
			d.run.Replace(c, &judge.Record{Why: usedUpReason})
		}
	}
}

const usedReason = "an earlier run has used its value: use a fresh store to test it"

const usedUpReason = "its pattern allows few values, and the target answers that they are taken: use a fresh store to test it"

// usedUp reports whether a failure is a refusal that the document lists, with the status
// of a repeat, of a member with so few values that all may have been used.
func (d *Diagnosis) usedUp(c *plan.Case, f *judge.Failure) bool {
	last := &f.Steps[f.Step]
	if !last.Repeated || c.Op.Lists(last.Answer.Status) == nil || c.Op.Body == nil {
		return false
	}
	return slices.ContainsFunc(d.target.Facts.Of(c.Op).Repeats, func(r explore.Repeat) bool {
		name, _ := jsontree.UnescapePointer(strings.TrimPrefix(r.Path, "/"))
		p := c.Op.Body.Shape.Schema.Property(name)
		return r.Status == last.Answer.Status && p != nil && p.Schema.Type() == "string" && generate.Few(c.Op.Body.Shape, p.Schema)
	})
}

const countedReason = "it is refused like a repeated value, and the store may already contain this number: use a fresh store to test it"

// counted is the highest number that a store that numbers its resources from 1 is
// assumed to have reached before the run.
const counted = "16777216"

// countedOut reports whether a refused number may be one that the store itself
// assigned, counting from 1. All its neighbours are used then too.
func countedOut(o *explore.OpFacts, p *judge.Played) bool {
	if p.Sent.Body == nil {
		return false
	}
	return slices.ContainsFunc(o.Repeats, func(r explore.Repeat) bool {
		v := p.Sent.Body.Root().At(r.Path)
		return r.Status/100 == 4 && v != nil && v.Kind == jsontree.Number &&
			jsontree.Compare(v.Text, "0") > 0 && jsontree.Compare(v.Text, counted) <= 0
	})
}

func (d *Diagnosis) worthRechecking(c *plan.Case, f *judge.Failure) bool {
	last := f.Steps[f.Step]
	b := d.judge.Bound[f.At]
	switch b.Rule.Role {
	case rule.RoleAcceptance, rule.RoleOmission, rule.RoleOpen:
		return last.Repeated
	case rule.RoleEcho, rule.RoleBelonging:
		// Only a value of the form that an earlier run sends can be an older one.
		if last.Answer.Reading.Root() == nil {
			return false // too large to be kept
		}
		for _, m := range last.Answer.Reading.Root().Members {
			if m.Value.Kind == jsontree.String && generate.IsFresh(m.Value.Text) && d.judge.Origins.Unknown(c.Op, m) {
				return true
			}
		}
	}
	return false
}

// strengthen records failures of rules for which one passing exchange is enough, if
// none passed, except for a member without a known allowed value.
func (d *Diagnosis) strengthen(ctx context.Context) {
	passed := map[int]bool{}
	for _, c := range d.run.Cases {
		if r := d.run.Record(c); r != nil {
			r.Passed.Each(func(at int) { passed[at] = true })
		}
	}
	unnamed := d.withoutKnownValue(ctx, passed)
	for _, c := range d.run.Cases {
		r := d.run.Record(c)
		if r == nil {
			continue
		}
		for _, f := range r.Provisional {
			if !passed[f.At] && !unnamed[f.At] {
				r.Failures = append(r.Failures, f)
			}
		}
	}
}
