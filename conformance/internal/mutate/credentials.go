package mutate

import (
	"fmt"
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// usualWrongs are the attempts that the usual mistakes let in.
var usualWrongs = []string{"absent", "wrong-invalid", "bare-token", "other-scheme-basic", "other-scheme-bearer", "prefix-half", "longer-by-one", "elsewhere-query", "elsewhere-header", "password-left-out", "password-swapped-case"}

const (
	withValidBody   = 2
	withInvalidBody = 1
)

var credentials = plan.Mutator{
	Name: "credentials",
	Doc:  "Sends every wrong or unusual credential of the security scheme, with valid and invalid bodies, because a check can compare too little of it.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Auth.Required() {
			return nil
		}
		spoilt := s.Op.HasJSON() && s.Op.Body.Shape.Read([]byte("{}")).Kind == openapi.Invalid
		var out []plan.Class
		for _, a := range s.Auth.Attempts() {
			c, _ := s.Auth.Wrong(a, sampleToken)
			expected := expectedOf(c)
			with := func(kind string, cases int, build func(g *generate.Gen) *message.Message) {
				class := presenting(s, a, kind, expected, cases, func(g *generate.Gen, _ int) *message.Message { return build(g) })
				if a.Name == "absent" && kind == validBody {
					class.Phase = plan.Single // nobody counts it as an attempt to guess one
				}
				class.Subject = fmt.Sprint("credential ", a.Prefix, c)
				if s.Most != 1 && kind == validBody && slices.Contains(usualWrongs, a.Name) {
					class.First = 1
				}
				out = append(out, class)
			}
			with(validBody, withValidBody, (*generate.Gen).Baseline)
			// A check that looks at some bodies only is missed by baseline ones.
			if plainly(a.Name) && s.Op.HasJSON() && s.Op.Body.Shape.Schema.Type() == "object" {
				for _, c := range harmlessChanges {
					with("body-"+c.name, 1, func(g *generate.Gen) *message.Message {
						m := g.Baseline()
						c.add(s, g, m)
						return m
					})
				}
			}
			if spoilt {
				with("invalid-body", withInvalidBody, func(g *generate.Gen) *message.Message {
					m := g.Baseline()
					m.Tree = jsontree.NewObject()
					return m
				})
			}
		}
		return out
	},
}
