package rules

import (
	"net/http"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// replacedMembers: a PUT that replaces everything leaves no old value of what it sends.
var replacedMembers = rule.Rule{
	Name:        "replaced-members",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "If a sentence of the document says that a PUT replaces everything, no member that it sent with a new value has its old value in the next read. Keys, members that name other things, and those that the sentence names are not judged.",
	Explanation: "A PUT that replaces everything stores every member that it sends.",
	Fix:         "Store every member of the PUT. Refuse a value that may not change, or make its member readOnly.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || by == p.Made() || by.Op.Method != http.MethodPut || by.Got.Status == http.StatusAccepted || !by.Got.Success() || !p.Got.Success() {
			return rule.None
		}
		sent, was := written(p, by), lastRead(p, 0, at)
		is := unwrapped(p.Got.Reading.Root(), sent)
		if sent == nil || was == nil || is == nil {
			return rule.None
		}
		out := rule.None
		for _, m := range sent.Members {
			old, now := was.Get(m.Name), is.Get(m.Name)
			if old == nil || now == nil || kept(m.Value, old) || !replaces(p, by, m) {
				continue
			}
			if kept(old, now) && !kept(m.Value, now) {
				return rule.Failed("not replaced "+m.Name, m.Name+" "+shown(p, m.Value)+", as "+by.Op.Name()+" sent it", m.Name+" "+shown(p, now)+", as before")
			}
			out = rule.Passed
		}
		return out
	},
}

// replaces reports whether a PUT has to replace a member.
func replaces(p *rule.Input, by *rule.Earlier, m jsontree.Member) bool {
	return by.Op.ReplacesMember(m.Name) && !secret(m.Name) && !madeByServer(p, m.Name) && !contract.IsKey(m.Name) && contract.Refers(m.Name) == ""
}
