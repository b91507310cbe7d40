package diagnose

import (
	"net/http"
	"slices"
	"sort"
	"strings"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// group is the failures of one requirement in one way.
type group struct {
	at        int
	signature string
	kind      string       // of requests that crash the target: what they have in common
	cases     []*plan.Case // in plan order
	failures  map[*plan.Case]*judge.Failure
}

// groups collects failures by requirement and signature.
func (d *Diagnosis) groups() []*group {
	type key struct {
		at        int
		signature string
	}
	by := map[key]*group{}
	var list []*group
	for c, r := range d.run.Records() {
		for i := range r.Failures {
			f := &r.Failures[i]
			k := key{f.At, d.signature(c, f)}
			g := by[k]
			if g == nil {
				g = &group{at: f.At, signature: k.signature, failures: map[*plan.Case]*judge.Failure{}}
				by[k] = g
				list = append(list, g)
			}
			switch old := g.failures[c]; {
			case old == nil:
				g.cases = append(g.cases, c)
				g.failures[c] = f
			case old.Beside && !f.Beside:
				g.failures[c] = f // that can be made smaller
			}
		}
	}
	return list
}

// signature tells failures of one requirement apart. Whether null is taken for a value, and
// whether a number is taken for a text, is decided at different places of a program.
func (d *Diagnosis) signature(c *plan.Case, f *judge.Failure) string {
	b := &d.judge.Bound[f.At]
	accepts := b.Rule.Role.Accepts() || b.Rule.Role == requirement.RoleOpen
	if accepts && f.Step < len(f.Steps) && f.Steps[f.Step].Sent.Body != nil && f.Steps[f.Step].Sent.Body.Empty {
		return f.Outcome.Signature + " " + emptyBody // not the rule that refuses what stands in a body
	}
	if b.Rule.Role != requirement.RoleRefusal || b.Args.Key.Keyword != "type" {
		return f.Outcome.Signature
	}
	kind, _, _ := unusual(b, c, &f.Steps[f.Step])
	return f.Outcome.Signature + " " + kind
}

// simplest returns the case that shows a failure best: fewest steps until the
// failure, fewest defects, fewest steps of a replay, one of its own, no large body, fewest
// differences from the baseline request, first in the plan, in which random values
// come last.
func (g *group) simplest() (*plan.Case, *judge.Failure) {
	var best *plan.Case
	for _, c := range g.cases {
		if best == nil || g.weight(c) < g.weight(best) {
			best = c
		}
	}
	return best, g.failures[best]
}

// weight is less for a case that shows a failure better.
func (g *group) weight(c *plan.Case) int {
	f := g.failures[c]
	last := f.Steps[len(f.Steps)-1]
	large := min(len(last.Step.Message.Body())/largeBody, 1)
	beside := 0
	if f.Beside {
		beside = 1 // it cannot be made smaller
	}
	return len(f.Steps)*1e12 + f.Defects*1e9 + c.Steps()*1e6 + beside*2e5 + large*1e5 + judge.Unusual(last.Sent)
}

// sequences returns the part of a group that failed behind other requests of the same
// case, or nil.
func (g *group) sequences() *group {
	out := &group{at: g.at, signature: g.signature, failures: g.failures}
	for _, c := range g.cases {
		if len(g.failures[c].Steps) > 1 {
			out.cases = append(out.cases, c)
		}
	}
	if len(out.cases) == 0 {
		return nil
	}
	return out
}

// largeBody is the size, in bytes, of a body that is too long for a reader.
const largeBody = 1 << 10

// take adds the cases of another group that this one does not have.
func (g *group) take(other *group) {
	for _, c := range other.cases {
		if g.failures[c] == nil {
			g.cases = append(g.cases, c)
			g.failures[c] = other.failures[c]
		}
	}
}

// merged joins groups that are reported under the same requirement.
func merged(list []*group) []*group {
	var out []*group
	for _, g := range list {
		i := slices.IndexFunc(out, func(o *group) bool { return o.at == g.at && o.signature == g.signature })
		if i < 0 {
			out = append(out, g)
			continue
		}
		out[i].take(g)
	}
	return out
}

// few keeps the most common ways in which a requirement failed, and adds the others
// to the last of them: a target whose every answer is wrong in another way has one
// fault. The list is in the order of worstFirst.
func few(list []*group) []*group {
	ways := map[int][]*group{}
	var out []*group
	for _, g := range list {
		if known := ways[g.at]; len(known) == limits.WaysKept {
			known[limits.WaysKept-1].take(g)
			continue
		}
		ways[g.at] = append(ways[g.at], g)
		out = append(out, g)
	}
	return out
}

// worstFirst orders groups: MUST before SHOULD, more cases first.
func (d *Diagnosis) worstFirst(list []*group) []*group {
	sort.SliceStable(list, func(a, b int) bool {
		x, y := d.judge.Bound[list[a].at], d.judge.Bound[list[b].at]
		if x, y := slices.Index(report.Levels(), x.Level), slices.Index(report.Levels(), y.Level); x != y {
			return x < y
		}
		if x.Index != y.Index {
			return x.Index < y.Index
		}
		return len(list[a].cases) > len(list[b].cases)
	})
	return list
}

// suppressMixed suppresses what failed beside other requests and not alone, if answers
// are given to the wrong request: then the answer that failed was for another one too.
// So are refusals of the right credential if a race decides about wrong ones.
// What came again, and what needs something that is known, is a fault of its own.
func (d *Diagnosis) suppressMixed(found []Finding) []Finding {
	for _, by := range slices.Clone(found) {
		b := &d.judge.Bound[by.At]
		var explains func(f *Finding) bool
		switch b.Rule.Role {
		case requirement.RoleBelonging:
			explains = func(f *Finding) bool { return d.judge.Bound[f.At].Rule.Rank > requirement.Framing }
		case requirement.RoleCredentialRefusal:
			explains = unauthorized // the decision about a credential reaches other requests
		default:
			continue
		}
		if !d.atTimes(&by) {
			continue
		}
		for at, end := d.judge.Of(b.Op); at < end; at++ {
			if at == by.At || !fails(found, at) || !fails(found, by.At) {
				continue
			}
			settled := slices.ContainsFunc(found, func(f Finding) bool {
				return f.At == at && (f.Stable || f.NotTriedAgain != "" || f.Cause != nil && !race(f.Cause) || !d.beside(&f) || !explains(&f))
			})
			if !settled {
				found = d.suppress(found, at, b.ID)
			}
		}
	}
	return found
}

// unauthorized reports whether each answer that failed says that the credential is wrong.
func unauthorized(f *Finding) bool {
	for _, failure := range f.group.failures {
		if got := failure.Steps[failure.Step].Answer; got == nil || got.Status != http.StatusUnauthorized {
			return false
		}
	}
	return len(f.group.failures) > 0
}

// atTimes reports whether a failure needs other requests at the same time, as far as is
// known: tried alone it passed, or its example or its cause has several at once.
func (d *Diagnosis) atTimes(f *Finding) bool {
	switch {
	case f.Cause != nil:
		return race(f.Cause)
	case f.Stable:
		steps := f.Failure.Steps
		return steps[len(steps)-1].Step.Parallel
	}
	return f.NotTriedAgain == "" && d.beside(f)
}

// beside reports whether each failure came while another request could be under way:
// one of its own case, or of another worker.
func (d *Diagnosis) beside(f *Finding) bool {
	if d.run.Workers > 1 && d.target.Facts.Connections > 1 {
		return true
	}
	for _, c := range f.group.cases {
		failure := f.group.failures[c]
		if !failure.Steps[failure.Step].Step.Parallel {
			return false
		}
	}
	return len(f.group.cases) > 0
}

// race reports whether a cause says no more than that a failure comes beside others, or at
// times.
func race(c *causes.Cause) bool { return c.Name == "in-flight" || c.Name == "now-and-then" }

// sameDeletion reports whether a resource that is still there for one requirement explains
// why it is there for another one: it is read itself, and the other request names it, a
// part of it or the list that has it.
func sameDeletion(b, o *judge.Bound) bool {
	if b.Rule.Aspect != requirement.AspectDeleted || o.Args.Kind != b.Args.Kind {
		return false
	}
	above := b.Op.Path[:strings.LastIndexByte(b.Op.Path, '/')]
	return strings.HasPrefix(o.Op.Path, b.Op.Path) || o.Rule.Aspect == requirement.AspectListed && strings.TrimSuffix(o.Op.Path, "/") == above
}

// neverThere reports whether a resource that cannot be read explains that another operation
// which names it is refused: every answer has the status that reading it has.
func (d *Diagnosis) neverThere(found []Finding, at, other int) bool {
	b, o := &d.judge.Bound[at], &d.judge.Bound[other]
	accepts := o.Rule.Role == requirement.RoleAcceptance || o.Rule.Role == requirement.RoleCredentialAcceptance
	if rest, about := strings.CutPrefix(o.Op.Path, b.Op.Path); !accepts || !about || rest != "" && rest[0] != '/' {
		return false
	}
	read := statuses(found, at)
	for status := range statuses(found, other) {
		if !read[status] {
			return false
		}
	}
	return true
}

// statuses returns the statuses of the answers with which a requirement fails; -1 stands
// for no answer.
func statuses(found []Finding, at int) map[int]bool {
	out := map[int]bool{}
	for _, f := range found {
		if f.At != at {
			continue
		}
		for _, failure := range f.group.failures {
			if g := failure.Steps[failure.Step].Answer; g != nil {
				out[g.Status] = true
			} else {
				out[-1] = true
			}
		}
	}
	return out
}

// sameLoss reports whether two requirements about what reading gives fail in one way.
func sameLoss(b, o *judge.Bound, one, two string) bool {
	return o.Op == b.Op && b.Rule.Aspect == requirement.AspectStored && one == two
}

// way returns how a requirement fails.
func way(found []Finding, at int) string {
	for i := range found {
		if found[i].At == at && found[i].group != nil {
			return found[i].group.signature
		}
	}
	return ""
}
