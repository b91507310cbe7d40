package checks

import (
	"net/http"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// replacedMembers: a PUT that replaces everything leaves no old value of what it sends.
var replacedMembers = rule.Rule{
	Name:        "replaced-members",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "If a sentence of the document says that a PUT replaces everything, no member that it sent with a new value has its old value in the next read. If one says that members which are left out do not stay, none of them has a value from before. Keys, members that name other things, and those that the sentence names are not judged.",
	Explanation: "A PUT that replaces everything stores every member that it sends, and leaves no other.",
	Fix:         "Store every member of the PUT. Refuse a value that may not change, or make its member readOnly.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || by == p.Made() || by.Op.Method != http.MethodPut || by.Got.Status == http.StatusAccepted || !by.Got.Success() || !p.Got.Success() {
			return rule.None
		}
		sent, was := written(p, by), lastRead(p, 0, at)
		is := unwrapped(p.Got.Reading.Root(), sent)
		if sent == nil || is == nil {
			return rule.None
		}
		out := stays(p, by, at, is)
		if out.Verdict == report.Fail || was == nil {
			return out
		}
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
	return by.Op.ReplacesMember(m.Name) && !secret(m.Name) && !madeByServer(p, m.Name) && !openapi.IsKey(m.Name) && openapi.Refers(m.Name) == ""
}

// stays fails a member that a PUT leaves out and that has the value which any request before it
// gave, if the document says that nothing stays.
func stays(p *rule.Input, by *rule.Earlier, at int, is *jsontree.Value) rule.Outcome {
	sent := written(p, by)
	if !by.Op.LeavesNothing() || !showsNew(p, at, sent, is) {
		return rule.None
	}
	for _, q := range by.Op.Droppable(true) {
		now := is.Get(q.Name)
		if sent.Get(q.Name) != nil || now == nil || secret(q.Name) || madeByServer(p, q.Name) || !unusual(now) || q.Schema.Default != nil && kept(q.Schema.Default, now) {
			continue
		}
		for i := range at {
			e := &p.History[i]
			if v := written(p, e).Get(q.Name); !e.Aside && v != nil && v.Kind == now.Kind && kept(v, now) {
				return rule.Failed("kept "+q.Name, "no "+q.Name+", because "+by.Op.Name()+" leaves it out", q.Name+" "+shown(p, now)+", as before")
			}
		}
	}
	return rule.None
}
