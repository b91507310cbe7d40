package diagnose

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// explanation is one way in which findings follow from others: one fault is reported once. It has
// explains or explainedBy, or, if neither fits, all.
type explanation struct {
	// by reports whether a failing requirement may explain others, and explains whether it explains
	// this one, of its own operation. Anywhere asks about those of all operations, and passed about
	// those that did not fail: they were tested only as far as the first one holds.
	by               func(d *Diagnosis, found []Finding, at int) bool
	explains         func(d *Diagnosis, found []Finding, at, other int) bool
	anywhere, passed bool
	// explainedBy returns the requirement that explains a failing one, or -1.
	explainedBy func(d *Diagnosis, found []Finding, at int) int
	all         func(d *Diagnosis, found []Finding) []Finding
}

// explanations are in the order in which they are asked. Each sees only what those before it left.
func explanations() []explanation {
	return []explanation{
		{all: (*Diagnosis).suppressMisread},
		ofTheWhole, ofOneRule, insideMember, exchangedValues, noCredentialCheck,
		{all: (*Diagnosis).suppressDrawn},
		inOneScenario, storedViolation,
		{all: (*Diagnosis).suppressAsSuccess},
		{all: (*Diagnosis).suppressShared},
		{all: (*Diagnosis).suppressUnchecked},
	}
}

// explained leaves out what the findings explain.
func (d *Diagnosis) explained(found []Finding, list ...explanation) []Finding {
	for _, e := range list {
		if e.all != nil {
			found = e.all(d, found)
			continue
		}
		for at := range d.judge.Bound {
			if !fails(found, at) {
				continue
			}
			if e.explainedBy != nil {
				if by := e.explainedBy(d, found, at); by >= 0 {
					found = d.suppress(found, at, d.judge.Bound[by].ID)
				}
				continue
			}
			if !e.by(d, found, at) {
				continue
			}
			from, end := d.judge.Of(d.judge.Bound[at].Op)
			if e.anywhere {
				from, end = 0, len(d.judge.Bound)
			}
			for other := from; other < end; other++ {
				if other != at && (e.passed || fails(found, other)) && e.explains(d, found, at, other) {
					found = d.suppress(found, other, d.judge.Bound[at].ID)
				}
			}
		}
	}
	return found
}

// again reports whether a failure came again, or may have.
func (f *Finding) again() bool { return f.Stable || f.NotTriedAgain != "" }

// ofTheWhole: if requests as a whole are refused, so are single members of them. A failure that came
// again, and not with baseline values, is a fault of its own.
var ofTheWhole = explanation{
	by: func(d *Diagnosis, _ []Finding, at int) bool {
		b := &d.judge.Bound[at]
		return b.Rule.Role == requirement.RoleAcceptance && b.Args.Key.Path == ""
	},
	explains: func(d *Diagnosis, found []Finding, at, other int) bool {
		b, o := &d.judge.Bound[at], &d.judge.Bound[other]
		if o.Body != nil && o.Body != b.Body {
			return false // of another media type
		}
		single := o.Rule.Role == requirement.RoleAcceptance && o.Args.Key.Path != "" || o.Rule.Role == requirement.RoleCredentialAcceptance
		return single && !slices.ContainsFunc(found, func(f Finding) bool { return f.At == other && f.again() && !f.Baseline })
	},
}

// ofOneRule: an undocumented rule is no suspicion if stated values of the same members are refused in the
// same words: that is one rule of the server, and a failure already.
var ofOneRule = explanation{
	explainedBy: func(d *Diagnosis, found []Finding, at int) int {
		if !d.open(at) {
			return -1
		}
		by := -1
		for _, r := range d.run.Records() {
			for i := range r.Failures {
				if f := &r.Failures[i]; f.At == at {
					if by = d.statedAlike(found, f); by < 0 {
						return -1
					}
				}
			}
		}
		return by
	},
}

// insideMember: what is inside a member whose every value is refused cannot be sent without that.
var insideMember = explanation{
	by: func(d *Diagnosis, _ []Finding, at int) bool {
		b := &d.judge.Bound[at]
		return b.Rule.Role == requirement.RoleAcceptance && b.Args.Key.Path != "" && d.tallies[at].failed == d.tallies[at].judged
	},
	explains: func(d *Diagnosis, _ []Finding, at, other int) bool {
		b, o := &d.judge.Bound[at], &d.judge.Bound[other]
		return o.Rule.Role == requirement.RoleAcceptance && o.Body == b.Body && strings.HasPrefix(o.Args.Key.Path, b.Args.Key.Path+"/")
	},
}

// exchangedValues: values that came back wrong once, and not again, are those of another request if the
// operation also gives answers that belong to other requests.
var exchangedValues = explanation{
	by: func(d *Diagnosis, _ []Finding, at int) bool {
		return d.judge.Bound[at].Rule.Role == requirement.RoleBelonging
	},
	explains: func(d *Diagnosis, found []Finding, at, other int) bool {
		once := !slices.ContainsFunc(found, func(f Finding) bool { return f.At == other && f.again() })
		return once && d.judge.Bound[at].Rule.Explains(d.judge.Bound[other].Rule)
	},
}

// noCredentialCheck: if a request without a credential always passes, the target does not check credentials.
var noCredentialCheck = explanation{
	passed: true,
	by: func(d *Diagnosis, _ []Finding, at int) bool {
		b := &d.judge.Bound[at]
		return b.Rule.Role == requirement.RoleCredentialRefusal && b.Args.Kind == "absent" && d.tallies[at].failed >= d.tallies[at].judged
	},
	explains: func(d *Diagnosis, _ []Finding, _, other int) bool {
		role := d.judge.Bound[other].Rule.Role
		return role == requirement.RoleCredentialRefusal || role == requirement.RoleCredentialAnswer
	},
}

// inOneScenario: a fault in the life of a resource shows more than once. If what was made is not where its
// maker says, nothing that names it finds it. If a resource is read after its deletion, whatever else
// names it finds it too. If reading loses a value that the thing was made with, it loses the one
// that replaces it as well.
var inOneScenario = explanation{
	anywhere: true,
	by: func(d *Diagnosis, _ []Finding, at int) bool {
		b := &d.judge.Bound[at]
		return b.Rule.Rank == requirement.History && b.Op.Method == http.MethodGet
	},
	explains: func(d *Diagnosis, found []Finding, at, other int) bool {
		b, o := &d.judge.Bound[at], &d.judge.Bound[other]
		same := o.Rule.Rank == requirement.History && (sameDeletion(b, o) || o.Op == b.Op && b.Rule.Explains(o.Rule) || sameLoss(b, o, way(found, at), way(found, other)))
		return same || b.Rule.Aspect == requirement.AspectMade && d.neverThere(found, at, other)
	},
}

// storedViolation: the server stores what it should have refused, and shows it later. Each wrong value in
// the answers has a text that only an invalid request sent, which was accepted.
var storedViolation = explanation{
	explainedBy: func(d *Diagnosis, found []Finding, at int) int {
		if d.judge.Bound[at].Rule.Rank != requirement.Schema {
			return -1
		}
		return d.storedBy(at, found)
	},
}

// sharing is what requirements have in common that state one clause for several
// operations or answers.
type sharing struct {
	rule, clause string
	level        report.Level
	kind         string
}

func (d *Diagnosis) sharingAt(at int) sharing {
	b := &d.judge.Bound[at]
	clause := b.Clause.String()
	if b.Body != nil && len(b.Op.Additional) > 0 {
		// The same place in the schemas of several media types is one clause.
		if place, found := strings.CutPrefix(clause, "#"+b.Body.Pointer); found {
			clause = b.Op.Slug + place
		}
	}
	return sharing{b.Rule.Name, clause, b.Level, b.Args.Kind}
}

// suppressShared reports a failure once if every requirement that states its clause
// fails in the same way wherever it was tried alike: what serves all these operations
// has one fault.
func (d *Diagnosis) suppressShared(found []Finding) []Finding {
	stating := map[sharing][]int{}
	for at := range d.judge.Bound {
		k := d.sharingAt(at)
		stating[k] = append(stating[k], at)
	}
	for i := 0; i < len(found); i++ {
		f := found[i]
		var same, rest []Finding
		for _, o := range found[i+1:] {
			if d.shared(&o, &f) {
				same = append(same, o)
			} else {
				rest = append(rest, o)
			}
		}
		if len(same) == 0 || d.passAlike(d.others(stating[d.sharingAt(f.At)], &f, found), &f) {
			continue
		}
		for _, o := range same {
			f.Also = append(f.Also, o.At)
		}
		found = slices.Concat(found[:i], []Finding{f}, rest)
		found = d.only(found, f)
	}
	return found
}

// shared reports whether two findings of different requirements are one way of failing.
// Which success a request got that had to be refused depends on the operation.
func (d *Diagnosis) shared(a, b *Finding) bool {
	if a.At == b.At || d.sharingAt(a.At) != d.sharingAt(b.At) {
		return false
	}
	switch d.judge.Bound[a.At].Rule.Role {
	case requirement.RoleCredentialRefusal:
		return true
	case requirement.RoleRefusal:
		return succeeds(a) == succeeds(b) && (succeeds(a) || a.group.signature == b.group.signature) && d.oneLeniency(a, b)
	}
	return a.group.signature == b.group.signature
}

// oneLeniency reports whether two members of one list of required members are taken as absent by the
// same kinds of requests: a server may look for one in any case of letters, and for the other not at all.
func (d *Diagnosis) oneLeniency(a, b *Finding) bool {
	return d.judge.Bound[a.At].Args.Key.Name == d.judge.Bound[b.At].Args.Key.Name || maps.Equal(mutators(a), mutators(b))
}

// mutators are the names of those that made the cases of a finding with one defect.
func mutators(f *Finding) map[string]bool {
	out := map[string]bool{}
	for _, c := range f.group.cases {
		if f.group.failures[c].Defects == 1 {
			out[c.Class.Mutator] = true
		}
	}
	return out
}

// succeeds reports whether a finding is about a success of some status.
func succeeds(f *Finding) bool { return strings.HasPrefix(f.group.signature, "2") }

// others returns the requirements of a list that do not fail like a finding.
func (d *Diagnosis) others(list []int, f *Finding, found []Finding) []int {
	fail := map[int]bool{f.At: true}
	for _, o := range found {
		if d.shared(&o, f) {
			fail[o.At] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(at int) bool { return fail[at] })
}

// passAlike reports whether one of the requirements passed in a case like those that a
// finding failed in. What the finding's own requirement passed in says nothing.
func (d *Diagnosis) passAlike(list []int, f *Finding) bool {
	kinds := map[string]bool{}
	for _, c := range f.group.cases {
		kinds[kind(c)] = true
	}
	for c, r := range d.run.Records() {
		if r.Passed.Has(f.At) {
			delete(kinds, kind(c))
		}
	}
	for c, r := range d.run.Records() {
		if !kinds[kind(c)] {
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

// statedAlike returns a failed requirement that stated values of a refused member are accepted, if
// every member has one that failed with the same answer; else -1.
func (d *Diagnosis) statedAlike(found []Finding, f *judge.Failure) int {
	by := -1
	for path := range strings.SplitSeq(f.Outcome.Members, "\n") {
		i := slices.IndexFunc(found, func(o Finding) bool {
			b := d.judge.Bound[o.At]
			return b.Rule.Role == requirement.RoleAcceptance && b.Op == d.judge.Bound[f.At].Op && b.Args.Key.Path == path && sameAnswer(o.Failure, f)
		})
		if i < 0 {
			return -1
		}
		by = found[i].At
	}
	return by
}

// sameAnswer reports whether two failures had the same status and the same body.
func sameAnswer(a, b *judge.Failure) bool {
	if a == nil || b == nil {
		return false
	}
	x, y := a.Steps[a.Step].Exchange, b.Steps[b.Step].Exchange
	return x != nil && y != nil && x.Response != nil && y.Response != nil && x.Response.Status == y.Response.Status && bytes.Equal(x.Response.Content, y.Response.Content)
}

// suppressMisread suppresses failures that happened once and only after other
// requests on the same connection, if the target also sends surplus bytes. Such bytes
// were read as the answer to the next request.
func (d *Diagnosis) suppressMisread(found []Finding) []Finding {
	by := slices.IndexFunc(found, func(f Finding) bool {
		return d.judge.Bound[f.At].Rule.Rank == requirement.Framing && (f.group.signature == requirement.Unasked || f.group.signature == requirement.Surplus)
	})
	if by < 0 {
		return found
	}
	id := d.judge.Bound[found[by].At].ID
	var gone []int
	kept := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool {
		out := d.judge.Bound[f.At].Rule.Rank != requirement.Framing && !f.Stable && f.NotTriedAgain == "" && f.group.behindOthers()
		if out {
			gone = append(gone, f.At)
		}
		return out
	})
	for _, at := range gone {
		if !fails(kept, at) {
			kept = d.suppress(kept, at, id)
		}
	}
	return kept
}

// behindOthers reports whether every failure happened on a connection that had
// carried other requests before.
func (g *group) behindOthers() bool {
	for _, c := range g.cases {
		if f := g.failures[c]; f.Steps[f.Step].Exchange.Fresh {
			return false
		}
	}
	return true
}

func fails(found []Finding, at int) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.At == at })
}

// only suppresses the requirements that a finding stands for too and that no finding is
// left of.
func (d *Diagnosis) only(found []Finding, f Finding) []Finding {
	for _, at := range f.Also {
		if !fails(found, at) {
			found = d.suppress(found, at, d.judge.Bound[f.At].ID)
		}
	}
	return found
}

// suppress removes the findings of a requirement from the report because another
// one explains them.
func (d *Diagnosis) suppress(found []Finding, at int, by string) []Finding {
	d.tallies[at].suppressedBy, d.tallies[at].judged = by, 0
	if d.hidden == nil {
		d.hidden = map[int]string{}
	}
	d.hidden[at] = by
	return slices.DeleteFunc(found, func(f Finding) bool { return f.At == at })
}
