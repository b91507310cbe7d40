package judge

import (
	"context"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
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
		if j.facts.Epoch > 0 && small(r.failures[0]) {
			// An earlier run with this seed sent the very value, and its few
			// neighbours may be gone too.
			j.records[c] = &record{why: "its value was used by an earlier run"}
		}
		for n := 1; n <= excuseTries; n++ {
			own := j.Client.Session()
			id := j.identity(j.twinOf(c))
			id.Neighbour = n
			again := j.try(ctx, c, id, own)
			own.Close()
			if again.state == tried && len(again.failures) == 0 && again.passed.has(r.failures[0].at) {
				j.records[c] = again
				break
			}
		}
	}
}

// small tells whether a request is about a number with few neighbours.
func small(f failure) bool {
	root := f.steps[f.step].sent.Body.Root()
	if root == nil {
		return false
	}
	for _, m := range root.Members {
		if m.Value.Kind == jsontree.Number && len(m.Value.Text) <= 6 {
			return true
		}
	}
	return false
}

func (j *Judge) excusable(c *plan.Case, f *failure) bool {
	last := f.steps[f.step]
	b := j.bound[f.at]
	facts := j.facts.of(c.Op)
	switch b.rule.Name {
	case "accepted", "optional":
		return last.got != nil && facts.looksRepeated(last.got, look(c.Op, last.sent, last.got), last.sent, f.identity)
	case "echo", "echo-exact", "belongs":
		// Only a value that looks like one of an earlier run can be an older one.
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
func (o *OpFacts) looksRepeated(g *requirement.Got, look string, s *requirement.Sent, id plan.Identity) bool {
	for _, r := range o.Repeats {
		v := s.Body.Root().At(r.Path)
		fresh := v != nil && (v.Kind == jsontree.Number && id.Owns(v.Text) || v.Kind == jsontree.String && nonce(v.Text))
		if r.Status == g.Status && r.look == look && !fresh {
			return true
		}
	}
	return false
}

// look is the text of an answer without the values of its request, so that two
// refusals for the same reason look the same.
func look(op *contract.Operation, s *requirement.Sent, g *requirement.Got) string {
	if g == nil || g.Reading == nil || g.Reading.Root() == nil {
		return ""
	}
	text := string(g.Reading.Root().Emit())
	if s.Body != nil {
		for _, m := range plan.Values(op, s.Body.Root()) {
			if len(m.Value.Text) > 2 {
				quoted := string(m.Value.Emit())
				text = strings.ReplaceAll(text, strings.Trim(quoted, `"`), "*")
			}
		}
	}
	// Request numbers, times and the like differ from answer to answer.
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return '0'
		}
		return c
	}, text)
}

// strengthen makes failures of rules for which one passing exchange is enough,
// where none passed.
func (j *Judge) strengthen() {
	passed := newBits(len(j.bound))
	for _, r := range j.records {
		if r != nil && r.passed != nil {
			passed.add(r.passed)
		}
	}
	for _, r := range j.records {
		if r == nil {
			continue
		}
		for _, f := range r.weak {
			if !passed.has(f.at) {
				r.failures = append(r.failures, f)
			}
		}
	}
}
