package diagnose

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/rule"
)

// suppressMembers suppresses refusals of single members that did not happen again,
// or that happen for baseline values too, if requests as a whole are refused as
// well. One fault has one reason.
func (d *Diagnosis) suppressMembers(found []Finding) []Finding {
	for at := range d.judge.Bound {
		b := d.judge.Bound[at]
		if b.Rule.Role != rule.RoleAcceptance || b.Args.Key.Path != "" || !fails(found, at) {
			continue
		}
		for other, end := d.judge.Of(b.Op); other < end; other++ {
			o := d.judge.Bound[other]
			if o.Body != nil && o.Body != b.Body {
				continue // of another media type
			}
			again := slices.ContainsFunc(found, func(f Finding) bool {
				return f.At == other && (f.Stable || f.NotTriedAgain != "") && !f.Baseline
			})
			member := o.Rule.Role == rule.RoleAcceptance && o.Args.Key.Path != "" || o.Rule.Role == rule.RoleCredentialAcceptance
			if member && fails(found, other) && !again {
				found = d.suppress(found, other, b.ID)
			}
		}
	}
	return found
}

// suppressInside suppresses refusals of what is inside a member whose every value is
// refused: it cannot be sent without that.
func (d *Diagnosis) suppressInside(found []Finding) []Finding {
	for at := range d.judge.Bound {
		b := d.judge.Bound[at]
		if b.Rule.Role != rule.RoleAcceptance || b.Args.Key.Path == "" || !fails(found, at) || d.tallies[at].failed != d.tallies[at].judged {
			continue
		}
		for other, end := d.judge.Of(b.Op); other < end; other++ {
			o := d.judge.Bound[other]
			if o.Rule.Role == rule.RoleAcceptance && o.Body == b.Body && strings.HasPrefix(o.Args.Key.Path, b.Args.Key.Path+"/") && fails(found, other) {
				found = d.suppress(found, other, b.ID)
			}
		}
	}
	return found
}

// suppressMisread suppresses failures that happened once and only after other
// requests on the same connection, if the target also sends surplus bytes. Such bytes
// were read as the answer to the next request.
func (d *Diagnosis) suppressMisread(found []Finding) []Finding {
	by := slices.IndexFunc(found, func(f Finding) bool {
		return d.judge.Bound[f.At].Rule.Rank == rule.Framing && (f.group.signature == rule.Unasked || f.group.signature == rule.Surplus)
	})
	if by < 0 {
		return found
	}
	id := d.judge.Bound[found[by].At].ID
	var gone []int
	kept := slices.DeleteFunc(slices.Clone(found), func(f Finding) bool {
		out := d.judge.Bound[f.At].Rule.Rank != rule.Framing && !f.Stable && f.NotTriedAgain == "" && f.group.behindOthers()
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

// suppressCredentials suppresses the requirements about credentials if a request
// without one always passes: the target does not check credentials, which is one
// fault.
func (d *Diagnosis) suppressCredentials(found []Finding) []Finding {
	for at := range d.judge.Bound {
		b := d.judge.Bound[at]
		if b.Rule.Role != rule.RoleCredentialRefusal || b.Args.Kind != "absent" || !fails(found, at) || d.tallies[at].failed < d.tallies[at].judged {
			continue
		}
		for other, end := d.judge.Of(b.Op); other < end; other++ {
			o := d.judge.Bound[other]
			credentials := o.Rule.Role == rule.RoleCredentialRefusal && other != at || o.Rule.Role == rule.RoleCredentialAnswer
			if credentials {
				found = d.suppress(found, other, b.ID)
			}
		}
	}
	return found
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
