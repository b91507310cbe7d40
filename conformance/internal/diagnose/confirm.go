package diagnose

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// CleanedUp adds to the findings the failures of requests that deleted what the run made, of
// requirements that have not failed yet. They come too late to be tried again.
func (d *Diagnosis) CleanedUp(ctx context.Context, found []Finding) []Finding {
	for _, c := range d.run.JudgeBroken(ctx) {
		for i := range d.run.Record(c).Failures {
			f := &d.run.Record(c).Failures[i]
			if !f.Beside || fails(found, f.At) {
				continue
			}
			g := &group{at: f.At, signature: f.Outcome.Signature, cases: []*plan.Case{c}, failures: map[*plan.Case]*judge.Failure{c: f}}
			d.tallies[f.At].judged++
			d.tallies[f.At].failed++
			found = append(found, Finding{At: f.At, Case: c, Failure: f, NotTriedAgain: "it happened while the run deleted what it had made", group: g})
		}
	}
	return found
}

// confirm tries the case again with fresh values and reports whether the failure is
// stable. A time-out has happened twice already. Untried says why there was no
// second try.
func (d *Diagnosis) confirm(ctx context.Context, c *plan.Case, g *group, f *judge.Failure) (stable bool, untried string) {
	switch {
	case f.Outcome.Signature == "flaky":
		return false, ""
	case execute.Hung(f.Steps[len(f.Steps)-1].Exchange):
		return true, "" // where it happened, and alone
	case d.run.Lost():
		return false, execute.LostReason
	}
	if f.Beside {
		return d.run.SendAgain(ctx, c, f)
	}
	own := d.target.Client.Session()
	defer own.Close()
	id := f.Identity
	id.Retry = d.target.RetryOf(c)
	steps := d.run.Build(c, id)
	r, err := d.run.Insist(ctx, c, id, steps, own, execute.Whole)
	switch {
	case err != nil && ctx.Err() != nil:
		return false, execute.EndedReason
	case err != nil:
		return false, err.Error()
	}
	for i := range r.Failures {
		if r.Failures[i].At == g.at || d.judge.Bound[r.Failures[i].At].Rule == d.judge.Bound[g.at].Rule {
			return true, ""
		}
	}
	for i := range r.Provisional {
		if r.Provisional[i].At == g.at {
			return true, ""
		}
	}
	return false, ""
}

// recheck examines failures that a used value would explain: a refusal in the form
// of a repeat, from a target that refuses repeats, or an answer about an older
// resource with the same id. A neighbour of the value, never used before, decides.
func (d *Diagnosis) recheck(ctx context.Context) {
	for c, r := range d.run.Records() {
		if len(r.Failures) == 0 || ctx.Err() != nil || d.run.Lost() {
			continue
		}
		if d.interferes(c, &r.Failures[0]) || d.disturbed(ctx, c, &r.Failures[0]) || d.hadNoRoom(&r.Failures[0]) {
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
		switch {
		case !out:
		case d.usedUp(c, f):
			d.run.Replace(c, &judge.Record{Why: usedUpReason})
		case d.taken(c, f):
			d.run.Replace(c, &judge.Record{Why: takenReason})
		}
	}
}

// hadNoRoom reports whether a valid request was refused as by a target that takes no more things.
func (d *Diagnosis) hadNoRoom(f *judge.Failure) bool {
	last := &f.Steps[f.Step]
	return last.Answer != nil && last.Sent.Expectation() == message.Accept && d.target.Full(last.Step.Message.Op, last.Answer.Status)
}

const usedReason = "an earlier run has used its value: use a fresh store to test it"

const usedUpReason = "its pattern allows few values, and the target answers that they are taken: use a fresh store to test it"

const takenReason = "its value is taken: a request of this run was accepted with it before"

// taken reports whether a request was refused only because it repeats values that the operation
// accepted before.
func (d *Diagnosis) taken(c *plan.Case, f *judge.Failure) bool {
	last := &f.Steps[f.Step]
	return last.Repeated && slices.ContainsFunc(d.target.Facts.Of(c.Op).Repeats, func(r explore.Repeat) bool {
		v, place := last.Sent.Body.At(r.Path), r.Path
		if r.Status != last.Answer.Status || v == nil {
			return false
		}
		list := []*jsontree.Value{v}
		if v.Kind == jsontree.Array {
			list, place = v.Items, place+"/*"
		}
		return len(list) > 0 && !slices.ContainsFunc(list, func(v *jsontree.Value) bool { return !d.judge.Taken.Took(c.Op, [2]string{place, v.Text}) })
	})
}

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
		return r.Status == last.Answer.Status && p != nil && p.Schema.Type() == "string" && plan.Few(c.Op.Body.Shape, p.Schema)
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

// aboutState are the statuses for requests that are right by themselves (RFC 9110, 15.5.3, 15.5.4,
// 15.5.10 and 15.5.21). Targets use them to refuse what would exceed a quota.
var aboutState = []int{http.StatusPaymentRequired, http.StatusForbidden, http.StatusConflict, http.StatusUnprocessableEntity}

// full finds operations that by now refuse all valid requests, whatever their values: the run may have
// used up a quota, or all values of a member. Their refusals say nothing then.
func (d *Diagnosis) full(ctx context.Context) {
	asked := map[*openapi.Operation]bool{}
	for c, r := range d.run.Records() {
		i := slices.IndexFunc(r.Failures, func(f judge.Failure) bool { return d.aboutState(c, &f) })
		if i < 0 || ctx.Err() != nil || d.run.Lost() {
			continue
		}
		op := c.Op.First()
		if _, known := asked[op]; !known {
			asked[op] = d.takesNone(ctx, c)
		}
		if asked[op] {
			d.run.Replace(c, &judge.Record{Why: fmt.Sprintf(fullReason, r.Failures[i].Shows().Answer.Status)})
		}
	}
}

const fullReason = "it was answered with %d, and so are all valid requests now, as if a quota were used up: use a fresh store, or a smaller --effort"

// aboutState reports whether a failure is the refusal of a valid request with a documented status that
// may be about the state of the target, where nobody promised that all valid requests are accepted.
// Only requests that store something can exceed a quota.
func (d *Diagnosis) aboutState(c *plan.Case, f *judge.Failure) bool {
	p := f.Shows()
	stores := slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, c.Op.Method)
	return stores && p.Answer != nil && slices.Contains(aboutState, p.Answer.Status) && c.Op.Lists(p.Answer.Status) != nil && !c.Op.First().Accepted.Valid &&
		d.judge.Bound[f.At].Rule.Role.ValidRefused()
}

// takesNone reports whether an operation refuses fresh baseline requests, each sent alone, for reasons of
// state, or whether the things that they need can no longer be made. Where the deletion of what the run made
// gives room, the refusals are tried again: while other requests made and deleted things, the run did not
// find that out.
func (d *Diagnosis) takesNone(ctx context.Context, c *plan.Case) bool {
	own := d.target.Client.Session()
	defer own.Close()
	for range vainTries {
		m := d.target.Baseline(d.target.Fresh(c.Op))
		if d.target.Bind(ctx, own, m) != nil {
			return true
		}
		e := d.target.Send(ctx, own, m, c.ID, "control")
		if !slices.Contains(aboutState, e.Status()) || c.Op.Lists(e.Status()) == nil {
			return false
		}
		d.target.RefusedValid(c.Op, e.Status())
	}
	return !d.target.MakeRoom(ctx, own)
}

func (d *Diagnosis) worthRechecking(c *plan.Case, f *judge.Failure) bool {
	last := f.Steps[f.Step]
	b := d.judge.Bound[f.At]
	switch role := b.Rule.Role; {
	case role.ValidRefused():
		return last.Repeated
	case role == requirement.RoleEcho, role == requirement.RoleBelonging:
		// Only a value of the form that an earlier run sends can be an older one.
		if last.Answer.Reading.Root() == nil {
			return false // too large to be kept
		}
		for _, m := range last.Answer.Reading.Root().Members {
			if m.Value.Kind == jsontree.String && plan.IsFresh(m.Value.Text) && d.judge.Origins.Unknown(c.Op, m) {
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
	for _, r := range d.run.Records() {
		r.Passed.Each(func(at int) { passed[at] = true })
	}
	unnamed := d.withoutKnownValue(ctx, passed)
	for _, r := range d.run.Records() {
		for _, f := range r.Provisional {
			if !passed[f.At] && !unnamed[f.At] {
				r.Failures = append(r.Failures, f)
			}
		}
	}
}

// suppressUnchecked reports one failure for an additional media type of an operation if
// every invalid body of it is accepted where those of the first are refused: the target
// checks one and not the other.
func (d *Diagnosis) suppressUnchecked(found []Finding) []Finding {
	for _, op := range d.target.Contract.Operations {
		for _, additional := range op.Additional {
			if first := d.unchecked(found, op, additional); first >= 0 {
				found = d.fold(found, first, additional)
			}
			if additional.SameBytes() {
				found = d.suppressAgain(found, op, additional)
			}
		}
	}
	return found
}

// unchecked returns the first finding about an additional media type if all that was tried
// of it failed, or -1.
func (d *Diagnosis) unchecked(found []Finding, op, additional *openapi.Operation) int {
	failed, refused := 0, false
	for at, end := d.judge.Of(op); at < end; at++ {
		b := d.judge.Bound[at]
		if b.Rule.Role != requirement.RoleRefusal || b.Body == nil || d.tallies[at].judged == 0 {
			continue
		}
		switch fails := fails(found, at); {
		case b.Body == op.Body:
			refused = refused || !fails
		case b.Body == additional.Body && !fails:
			return -1
		case b.Body == additional.Body:
			failed++
		}
	}
	if failed < 2 || !refused {
		return -1
	}
	return slices.IndexFunc(found, func(f Finding) bool { return d.judge.Bound[f.At].Body == additional.Body && d.refusal(&f) })
}

// fold adds what else fails with bodies of a media type to the first finding about it.
func (d *Diagnosis) fold(found []Finding, first int, additional *openapi.Operation) []Finding {
	keep := found[first]
	keep.Unchecked = additional.Body.Media
	folds := func(f Finding) bool {
		return f.At != keep.At && d.refusal(&f) && !slices.ContainsFunc(f.Cases(), func(c *plan.Case) bool { return c.Op != additional })
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
	return d.judge.Bound[f.At].Rule.Role == requirement.RoleRefusal
}

// suppressAgain suppresses what an additional media type shows again of the first: the same
// bytes are accepted.
func (d *Diagnosis) suppressAgain(found []Finding, op, additional *openapi.Operation) []Finding {
	for i := range found {
		again := slices.IndexFunc(found, func(o Finding) bool { return d.judge.Bound[o.At].Body == additional.Body && d.refusal(&o) })
		if again < 0 || i == again || d.judge.Bound[found[i].At].Op != op || !d.refusal(&found[i]) {
			continue
		}
		what := kind(found[again].Case)
		if slices.ContainsFunc(found[i].Cases(), func(c *plan.Case) bool { return !c.Op.IsAdditional() && kind(c) == what }) {
			at := found[again].At
			found[i].Also = append(found[i].Also, at)
			return d.suppress(found, at, d.judge.Bound[found[i].At].ID)
		}
	}
	return found
}

// nowAndThen returns the kind of a server error that did not come again alone, or was not tried again
// and has a request that servers seldom look at: what is asked at the same time may be the reason,
// and not what is asked. It is empty if the request is to blame.
func nowAndThen(g *Finding, form, kind string) string {
	switch untried := g.NotTriedAgain != ""; {
	case g.Stable || form[0] != '5':
		return ""
	case untried && (strings.HasPrefix(kind, fieldKind) || strings.HasPrefix(kind, "sent/") || strings.HasPrefix(kind, "spelling/")):
		return report.NowAndThen + "/untried"
	case !untried && (g.Cause == nil || form == "503"):
		return report.NowAndThen
	}
	return ""
}
