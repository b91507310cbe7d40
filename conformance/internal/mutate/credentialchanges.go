package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const wrongTimes = 10

var credentialChanges = plan.Mutator{
	Name: "credential-changes",
	Doc:  "Sends refused credentials before and after valid ones on the same and on other connections, because every request must be authenticated by itself.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		add := func(kind string, expected plan.ExpectedClass, cases int, build func(g *generate.Gen, draw int) []plan.Step) {
			c := several(kind, expected, 2, cases, build)
			c.Phase = plan.Credential
			out = append(out, c)
		}
		for _, a := range refusals(s) {
			add("valid-after-"+kindOf(a), plan.ExpectMustAccept, ways, func(g *generate.Gen, draw int) []plan.Step {
				return []plan.Step{{Message: as(g.Baseline(), a)}, follow(g.Baseline(), draw)}
			})
			add("same-after-"+kindOf(a), plan.ExpectMustAccept, ways, func(g *generate.Gen, draw int) []plan.Step {
				m := g.Baseline()
				return []plan.Step{{Message: as(m, a)}, follow(m, draw)}
			})
			add("valid-then-"+kindOf(a), plan.ExpectRefusedCredential, 2*ways, func(g *generate.Gen, draw int) []plan.Step {
				return []plan.Step{{Message: g.Baseline()}, follow(as(g.Baseline(), a), draw)}
			})
			add("same-request-"+kindOf(a), plan.ExpectRefusedCredential, ways, func(g *generate.Gen, draw int) []plan.Step {
				m := g.Baseline()
				return []plan.Step{{Message: m}, follow(as(m, a), draw)}
			})
			if a.Name == "absent" {
				// It comes early, before a cache of answers is full: a missing credential locks nobody out.
				out[len(out)-1].Phase = plan.Single
			}
			add("valid-after-many-"+kindOf(a), plan.ExpectMustAccept, 1, func(g *generate.Gen, _ int) []plan.Step {
				m := as(g.Baseline(), a)
				var steps []plan.Step
				for range wrongTimes {
					steps = append(steps, plan.Step{Message: m.Clone()})
				}
				return append(steps, plan.Step{Message: g.Baseline()})
			})
		}
		// A cache of fields or tokens shows only after the valid one, on the same
		// connection.
		attempts := behindValid(s)
		if len(attempts) > 0 {
			// No expected: with some tokens an attempt makes the valid credential again.
			add("valid-then-each", plan.ExpectNothing, len(attempts), func(g *generate.Gen, draw int) []plan.Step {
				return []plan.Step{{Message: g.Baseline()}, {Message: as(g.Baseline(), attempts[draw])}}
			})
		}
		return out
	},
}

// behindValid lists the attempts that a server must refuse whatever the token,
// by the judgement of the scheme on a token of the usual kind.
func behindValid(s *plan.Space) []message.Attempt {
	if !s.Auth.Required() {
		return nil
	}
	const sample = "aB3dE5fG7hJ9kM1nP"
	var out []message.Attempt
	for _, a := range s.Auth.Attempts() {
		if len(a.Presented) != 1 || a.Useful != nil && !a.Useful(sample) {
			continue
		}
		c, below := s.Auth.Wrong(a, sample)
		if !below && (c == message.CredentialScheme || c == message.CredentialToken) {
			out = append(out, a)
		}
	}
	return out
}
