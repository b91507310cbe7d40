package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// uncheckedBodies are those for which code can answer before it looks at the
// credential.
var uncheckedBodies = []struct{ kind, body string }{{"empty-body", ""}, {"malformed-body", "{"}, {"null-body", "null"}}

// longBlanks are before each member of a long body.
var longBlanks = []int{1 << 10, 6 << 10}

// tokenQueries carry a token that is wrong: a valid one would be in the logs of
// every proxy (RFC 6750, 5.3).
var tokenQueries = []string{"access_token=invalid", "token=invalid", "api_key=invalid", "auth=invalid"}

var credentialInContext = plan.Mutator{
	Name: "credential-in-context",
	Doc:  "Sends wrong credentials with an empty, malformed or long body, and a wrong token in the query, because code can answer such requests without a check.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Auth.Required() {
			return nil
		}
		var out []plan.Class
		for _, a := range s.Auth.Attempts() {
			for _, b := range uncheckedBodies {
				if s.Op.HasJSON() && plainly(a.Name) {
					out = append(out, presenting(s, a, b.kind, plan.ExpectRefusedCredential, 1, func(g *generate.Gen, _ int) *message.Message {
						m := g.Baseline()
						m.Tree, m.Raw = nil, []byte(b.body)
						return m
					}))
				}
			}
			if s.Op.HasJSON() && plainly(a.Name) {
				out = append(out, presenting(s, a, "long-body", plan.ExpectRefusedCredential, len(longBlanks), func(g *generate.Gen, draw int) *message.Message {
					m := g.Baseline()
					m.Style = jsontree.Style{Indent: strings.Repeat(" ", longBlanks[draw]), After: "\n"}
					return m
				}))
			}
			if a.Name == "absent" {
				out = append(out, presenting(s, a, "token-in-query", plan.ExpectRefusedCredential, len(tokenQueries), func(g *generate.Gen, draw int) *message.Message {
					m := g.Baseline()
					m.Query = tokenQueries[draw]
					return m
				}))
			}
		}
		return out
	},
}
