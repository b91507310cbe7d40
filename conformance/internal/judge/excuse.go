package judge

import (
	"context"
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// excuse looks again at failures that a value used before would explain: a
// refusal that looks just like that of a repeat, on a target that refuses
// repeats, or an answer about an older resource of the same id. A neighbour of
// the class, never used before, decides.
func (j *Judge) excuse(ctx context.Context) {
	for _, c := range j.Cases {
		r := j.records[c]
		if r == nil || len(r.failures) == 0 || ctx.Err() != nil || j.lost.Load() {
			continue
		}
		if !j.excusable(c, &r.failures[0]) {
			continue
		}
		f := &r.failures[0]
		switch {
		case j.facts.Epoch+j.facts.Earlier > 0:
			// An earlier run sent the very value, and its neighbours may be gone too.
			j.records[c] = &record{why: usedReason}
		case j.facts.of(c.Op).countedOut(&f.steps[f.step]):
			j.records[c] = &record{why: countedReason}
		}
		for n := 1; n <= excuseTries; n++ {
			own := j.Client.Session()
			id := j.identity(j.twinOf(c))
			id.Neighbour = n
			again := j.try(ctx, c, id, own, whole)
			own.Close()
			if again.state == tried && len(again.failures) == 0 && again.passed.has(r.failures[0].at) {
				j.records[c] = again
				break
			}
		}
	}
}

const usedReason = "its value was used by an earlier run: use a fresh store for the rest"

const countedReason = "it is refused like a repeat, and the store may hold such numbers already: use a fresh store for the rest"

// counted is the largest number that a store which numbers its resources from 1
// on is thought to have come to before the run.
const counted = "16777216"

// countedOut tells whether a refusal may be that of a number which the store used
// itself, as one filled from 1 on: all neighbours are used then too.
func (o *OpFacts) countedOut(p *played) bool {
	if p.sent.Body == nil {
		return false
	}
	return slices.ContainsFunc(o.Repeats, func(r Repeat) bool {
		v := p.sent.Body.Root().At(r.Path)
		return r.Status/100 == 4 && v != nil && v.Kind == jsontree.Number &&
			jsontree.Compare(v.Text, "0") > 0 && jsontree.Compare(v.Text, counted) <= 0
	})
}

func (j *Judge) excusable(c *plan.Case, f *failure) bool {
	last := f.steps[f.step]
	b := j.bound[f.at]
	switch b.rule.Role {
	case rule.RoleAcceptance, rule.RoleOmission:
		return last.repeated
	case rule.RoleEcho, rule.RoleBelonging:
		// Only a value that looks like one of an earlier run can be an older one.
		if last.got.Reading.Root() == nil {
			return false // too large to be kept
		}
		for _, m := range last.got.Reading.Root().Members {
			if m.Value.Kind == jsontree.String && nonce(m.Value.Text) && j.owners.unknown(c.Op, m) {
				return true
			}
		}
	}
	return false
}

// looksRepeated compares an answer with the refusals of repeats of a value that
// somebody may have sent before: a fresh one has no older twin.
func (o *OpFacts) looksRepeated(g *rule.Got, s *request.Sent, id generate.Identity) bool {
	for _, r := range o.Repeats {
		v := s.Body.Root().At(r.Path)
		fresh := v != nil && (v.Kind == jsontree.Number && id.Owns(v.Text) || v.Kind == jsontree.String && nonce(v.Text))
		if r.Status == g.Status && !fresh && r.like.fits(g) {
			return true
		}
	}
	return false
}

// strengthen makes failures of rules for which one passing exchange is enough,
// where none passed; but for a member of which no allowed value is known.
func (j *Judge) strengthen(ctx context.Context) {
	passed := newBits(len(j.bound))
	for _, r := range j.records {
		if r != nil && r.passed != nil {
			passed.add(r.passed)
		}
	}
	unnamed := j.unnamed(ctx, passed)
	for _, r := range j.records {
		if r == nil {
			continue
		}
		for _, f := range r.weak {
			if !passed.has(f.at) && !unnamed.has(f.at) {
				r.failures = append(r.failures, f)
			}
		}
	}
}
