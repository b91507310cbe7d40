package judge

import (
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

// tally counts the cases of one requirement.
type tally struct {
	planned, judged, failed, masked, untried int
	// masks is the requirement that most often stood in front.
	masks string
	// hollow is a class of which nothing was judged, why the reason.
	hollow, why string
	wrong       string
}

// tally counts for every requirement of bound.
func (j *Judge) tally() []tally {
	out := make([]tally, len(j.bound))
	type class struct {
		cases, judged int
		why           string
	}
	classes := map[*plan.Class]*class{}
	for _, c := range j.Cases {
		k := classes[c.Class]
		if k == nil {
			k = &class{}
			classes[c.Class] = k
		}
		r := j.records[c]
		if r != nil && r.state == inapplicable {
			continue
		}
		k.cases++
		switch {
		case r == nil:
			k.why = j.ended()
		case r.state == tried:
			k.judged++
		default:
			k.why = r.why
		}
	}
	maskers := make([]map[string]int, len(j.bound))
	for _, c := range j.Cases {
		r := j.records[c]
		if r != nil && r.state == inapplicable {
			continue
		}
		for _, at := range j.byOp[c.Op] {
			if !j.aims[c].has(at) && !(r != nil && (failedAt(r, at) || r.passed.has(at))) {
				continue
			}
			j.count(&out[at], at, c, r, maskers)
			// Values that are taken hold what is owed to them, and nothing else that
			// other classes show as well.
			why := classes[c.Class].why
			taken := (why == usedReason || why == countedReason) && j.bound[at].rule.Rank != rule.Class
			if k := classes[c.Class]; k.cases > 0 && k.judged == 0 && out[at].hollow == "" && !taken {
				out[at].hollow, out[at].why = c.Class.Slug, k.why
			}
		}
	}
	for at := range maskers {
		best := 0
		for id, n := range maskers[at] {
			if n > best || n == best && id < out[at].masks {
				best, out[at].masks = n, id
			}
		}
	}
	return out
}

// sureAim is how many edges a case weighs whose request is owed one answer.
const sureAim = 1000

// count adds one case to a tally.
func (j *Judge) count(t *tally, at int, c *plan.Case, r *record, maskers []map[string]int) {
	t.planned++
	if r == nil || r.state != tried {
		t.untried++
		if t.why == "" && r != nil {
			t.why = r.why
		}
		if t.why == "" {
			t.why = j.ended()
		}
		return
	}
	if r.wrong != "" {
		t.wrong = r.wrong
	}
	failed := false
	for i := range r.failures {
		failed = failed || r.failures[i].at == at
	}
	weak := false
	for i := range r.weak {
		weak = weak || r.weak[i].at == at
	}
	switch {
	case failed:
		t.judged++
		t.failed++
	case r.passed.has(at):
		t.judged++
	case weak:
		t.judged++
	case r.masked.has(at):
		t.masked++
		weight := sureAim
		if c.Class.Claim == plan.ClaimEdge {
			weight = 1 // it may have tried something else than this requirement
		}
		if maskers[at] == nil {
			maskers[at] = map[string]int{}
		}
		for i := range r.failures {
			maskers[at][j.bound[r.failures[i].at].req.ID] += weight
		}
		if r.maskedBy != "" {
			maskers[at][r.maskedBy] += weight
		}
	}
}

// ended says why a case has no record.
func (j *Judge) ended() string {
	switch {
	case j.lost.Load():
		return lostReason
	case !j.settled:
		return unacceptedReason
	}
	return endedReason
}

const (
	endedReason      = "the run ended first"
	unacceptedReason = "no mild request was accepted, so nothing else would prove anything"
)
