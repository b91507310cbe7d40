package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// othersUnchanged: what another principal is refused to change stays as it was.
var othersUnchanged = rule.Rule{
	Name:        "others-unchanged",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "Reading a thing after a refused change of another principal finds it, and with no value that this request sent. The principal that made it has read it before. What has only few values may have changed by itself.",
	Explanation: "A PUT, PATCH or DELETE with the credential of --auth-other that is refused changes nothing of what the usual credential created.",
	Fix:         "Check to whom a resource belongs before you change it, not when you write the answer.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if at < 1 || !by.Got.Refusal() || by.Got.Status == http.StatusRequestTimeout {
			return rule.None
		}
		was := lastRead(p, 0, at)
		if was == nil || by.Key == nil {
			return rule.None
		}
		want := "what it was before another principal was refused " + by.Op.Name()
		switch {
		case p.Got.Missing():
			return verdictOf(false, p, want)
		case !p.Got.Success():
			return rule.None
		}
		is := thingIn(p, p.Got.Reading.Root())
		if by.Op.Method == http.MethodDelete {
			if nowDeleted(was, is) {
				return rule.Failed("marked", want, "one that is marked as deleted")
			}
			return rule.Passed
		}
		return tookOver(p, by, was, is, want)
	},
}

// nowDeleted reports whether a thing says that it is deleted, and did not say so before.
func nowDeleted(was, is *jsontree.Value) bool {
	return is != nil && slices.ContainsFunc(is.Members, func(m jsontree.Member) bool {
		no := m.Value.Kind == jsontree.Null || m.Value.Kind == jsontree.Bool && !m.Value.Bool
		return strings.Contains(strings.ToLower(m.Name), "delete") && !no && !jsontree.Equal(was.Get(m.Name), m.Value)
	})
}

// tookOver judges whether a thing has values that a refused request sent.
func tookOver(p *rule.Input, by *rule.Earlier, was, is *jsontree.Value, want string) rule.Outcome {
	if is == nil || by.Sent.Body == nil || by.Sent.Body.Kind >= openapi.Invalid || by.Sent.Body.Root() == nil {
		return rule.None
	}
	compared := false
	for _, m := range by.Sent.Body.Root().Members {
		old, now := was.Get(m.Name), is.Get(m.Name)
		q := propertyOf(p, m.Name)
		few := m.Value.Kind == jsontree.Bool || m.Value.Kind == jsontree.Null || q != nil && q.Schema.Enum != nil
		if few || now == nil || secret(m.Name) || old != nil && kept(m.Value, old) {
			continue
		}
		if kept(m.Value, now) {
			return rule.Failed("changed "+m.Name, want, m.Name+" "+shown(p, now)+", as that request has it")
		}
		compared = true
	}
	if !compared {
		return rule.None
	}
	return rule.Passed
}
