package diagnose

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/requirement"
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

// ofTheWhole: if requests as a whole are refused, so are single members of them. What came again, and not
// for baseline values, is a fault of its own.
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
// operation also answers with what belongs to one.
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

// storedViolation: the server stores what it should have refused, and shows it later. Each thing that is wrong
// in the answers has a text that only a request sent which was invalid and accepted.
var storedViolation = explanation{
	explainedBy: func(d *Diagnosis, found []Finding, at int) int {
		if d.judge.Bound[at].Rule.Rank != requirement.Schema {
			return -1
		}
		return d.storedBy(at, found)
	},
}
