package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// storedPatched: reading gives what patching gave.
var storedPatched = rule.Rule{
	Name:        "stored-patched",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads what an accepted PATCH changed has the values of the PATCH, as its answer gave them, and not only those from before. What is left of a value fails even if its answer had it, and so does a member that still has what an earlier PATCH of the same operation gave it.",
	Explanation: "Reading a resource after a successful PATCH returns the values of the PATCH.",
	Fix:         "Store every member of the PATCH before you answer, and clear what caches the old ones.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || by == p.Made() || by.Op.Method != http.MethodPatch || !p.Got.Success() || commands(p, by) {
			return rule.None
		}
		if out := stored(p, by, at); out.Verdict != report.Pass {
			return out
		}
		return skipped(p, by, at)
	},
}

// commands reports whether a PATCH has commands in its body, and not members of the thing: it needs
// a member that the thing does not have (RFC 7644, 3.5.2).
func commands(p *rule.Input, by *rule.Earlier) bool {
	if by.Op.Body == nil || by.Op.Body.Shape == nil {
		return false
	}
	is := p.Got.Reading.Root()
	return slices.ContainsFunc(by.Op.Body.Shape.Schema.Properties, func(q *openapi.Property) bool {
		return q.Required && !q.Schema.WriteOnly && is.Get(q.Name) == nil && unwrapped(is, written(p, by)).Get(q.Name) == nil
	})
}

// skipped fails a member of a PATCH that still has what an earlier request of the same operation
// gave it, which shows that the operation changes it.
func skipped(p *rule.Input, by *rule.Earlier, at int) rule.Outcome {
	sent := written(p, by)
	is := unwrapped(p.Got.Reading.Root(), sent)
	if sent == nil || is == nil {
		return rule.Passed
	}
	for _, m := range sent.Members {
		now := is.Get(m.Name)
		if now == nil || secret(m.Name) || madeByServer(p, m.Name) || !unusual(now) || kept(m.Value, now) || enumerated(p, m.Name) {
			continue
		}
		for i := at - 1; i > 0; i-- {
			e := &p.History[i]
			v := written(p, e).Get(m.Name)
			if v == nil {
				continue
			}
			before := sentBefore(p, i, m.Name)
			if e.Op == by.Op && kept(v, now) && before != nil && !kept(before, v) {
				return rule.Failed("kept "+m.Name, m.Name+" "+shown(p, m.Value)+", as it was sent", m.Name+" "+shown(p, now)+", as an earlier "+by.Op.Name()+" gave it")
			}
			break
		}
	}
	return rule.Passed
}

// enumerated reports whether a member has one of a few values, which may depend on others.
func enumerated(p *rule.Input, name string) bool {
	q := propertyOf(p, name)
	return q != nil && (len(q.Schema.Enum) > 0 || q.Schema.Type() == "boolean")
}
