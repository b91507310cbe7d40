package judge

import (
	"plantstore/conformance/internal/rule"
	"slices"
)

// folded leaves out refusals of single members that did not come again, or for
// mild values as well, where requests as a whole are refused too: one fault, one
// reason.
func (j *Judge) folded(failures map[int][]described, t []tally) {
	for at := range j.bound {
		b := j.bound[at]
		if b.rule.Role != rule.RoleAcceptance || b.req.Args.Key.Path != "" || len(failures[at]) == 0 {
			continue
		}
		for other := range j.bound {
			o := j.bound[other]
			again := slices.ContainsFunc(failures[other], func(d described) bool { return (d.Stable || d.NotTriedAgain != "") && !d.mild })
			member := o.rule.Role == rule.RoleAcceptance && o.req.Args.Key.Path != "" || o.rule.Role == rule.RoleCredentialAcceptance
			if o.req.Op == b.req.Op && member && len(failures[other]) > 0 && !again {
				mask(failures, t, other, b.req.ID)
			}
		}
	}
}

// explained masks credential rows where even an absent credential always
// passes: nobody looks at credentials, which is one fault.
func (j *Judge) explained(failures map[int][]described, t []tally) {
	for at := range j.bound {
		b := j.bound[at]
		if b.rule.Role != rule.RoleCredentialRefusal || b.req.Args.Kind != "absent" || len(failures[at]) == 0 || t[at].failed < t[at].judged {
			continue
		}
		for other := range j.bound {
			o := j.bound[other]
			credentials := o.rule.Role == rule.RoleCredentialRefusal && other != at || o.rule.Role == rule.RoleCredentialAnswer
			if o.req.Op == b.req.Op && credentials {
				mask(failures, t, other, b.req.ID)
			}
		}
	}
}

// mask takes the failures of a requirement out of the report: another one is
// their reason.
func mask(failures map[int][]described, t []tally, at int, by string) {
	delete(failures, at)
	t[at].masks, t[at].judged = by, 0
}
