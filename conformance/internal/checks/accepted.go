package checks

import (
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
)

// accepted: a must-accept request is a success. Key.Path names the member that a
// requirement is about. The requirement without a path gets the requests whose
// values are all baseline, or of which several are not, or one that no other
// requirement is about.
var accepted = rule.Rule{
	Name:        "accepted",
	Rank:        rule.Class,
	Role:        rule.RoleAcceptance,
	Doc:         "A must-accept request is answered with a success (2xx). Path names the member whose value is tested; without it the request as a whole is tested: its spelling, its order, several members at once.",
	Explanation: "A valid request succeeds (2xx). If the requirement names a member, its value is what is tried; otherwise it is the request as a whole: its spelling, the order of its members, several members at once.",
	Fix:         "Accept every value that the document allows. Check the type, length and character set of this member in the code and in the database.",
	Check: func(p *rule.Input) rule.Outcome {
		if args, at := p.Requirement.Args, subject(p); args.Key.Path != at && !(args.Key.Path == "" && args.Others != nil && !args.Others[at]) {
			return rule.None
		}
		// A request with an unusual value that is also sent in pieces may be
		// refused for either.
		if p.Sent.Expectation() != message.Accept || p.Sent.Cut && p.Sent.Body != nil && len(p.Sent.Body.Unusual) > 0 {
			return rule.None
		}
		return expected(p.Got.Accepts(), p)
	},
}

// subject returns the member that a must-accept request is about: the one that is
// not baseline or, if all are, the place that the class names.
func subject(p *rule.Input) string {
	b := p.Sent.Body
	if b == nil || b.Respelled || len(b.Reasons) > 0 {
		return ""
	}
	if len(b.Unusual) > 0 {
		return innermost(b.Unusual)
	}
	if p.Op.HasMember(p.Place) {
		return p.Place
	}
	return ""
}

// innermost returns the place that is inside all the others: an optional array or object
// has to be there for the value of a member in it. There is none if one is beside others.
func innermost(paths []string) string {
	last := paths[len(paths)-1]
	for _, path := range paths {
		if path != last && !strings.HasPrefix(last, path+"/") {
			return ""
		}
	}
	return last
}
