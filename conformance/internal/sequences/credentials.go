package sequences

import (
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// wrongNames are attempts that are wrong whatever the token is.
var wrongNames = []string{"absent", "longer-by-one", "longer-in-front"}

// refusals picks those attempts from the scheme of an operation.
func refusals(s *plan.Space) []request.Attempt {
	if s.Scheme == nil || s.Op.SchemeOptional {
		return nil
	}
	var out []request.Attempt
	for _, a := range s.Scheme.Attempts(s.Op.Scheme) {
		for _, name := range wrongNames {
			if a.Name == name {
				out = append(out, a)
			}
		}
	}
	return out
}

func kindOf(a request.Attempt) string {
	if a.Name == "absent" {
		return a.Name
	}
	return "wrong-" + strings.TrimPrefix(a.Name, "longer-")
}

// as gives a copy of a message with other credentials.
func as(m *request.Message, a request.Attempt) *request.Message {
	out := m.Clone()
	out.Credentials = a.Presented
	return out
}

const wrongTimes = 10

var credentials = plan.Mutator{
	Name: "credentials",
	Doc:  "Refused credentials before and after valid ones, on the same connection and on others: authentication is decided for every request.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		add := func(kind string, claim plan.Claim, cases int, build func(g *generate.Gen, draw int) []plan.Step) {
			c := several(s, kind, claim, 2, cases, build)
			c.Phase = plan.Credential
			out = append(out, c)
		}
		for _, a := range refusals(s) {
			add("valid-after-"+kindOf(a), plan.ClaimPlain, ways, func(g *generate.Gen, draw int) []plan.Step {
				return []plan.Step{{Message: as(g.Mild(), a)}, follow(g.Mild(), draw)}
			})
			add("same-after-"+kindOf(a), plan.ClaimPlain, ways, func(g *generate.Gen, draw int) []plan.Step {
				m := g.Mild()
				return []plan.Step{{Message: as(m, a)}, follow(m, draw)}
			})
			add("valid-then-"+kindOf(a), plan.ClaimRefusedCredential, 2*ways, func(g *generate.Gen, draw int) []plan.Step {
				return []plan.Step{{Message: g.Mild()}, follow(as(g.Mild(), a), draw)}
			})
			add("same-request-"+kindOf(a), plan.ClaimRefusedCredential, ways, func(g *generate.Gen, draw int) []plan.Step {
				m := g.Mild()
				return []plan.Step{{Message: m}, follow(as(m, a), draw)}
			})
			add("valid-after-many-"+kindOf(a), plan.ClaimPlain, 1, func(g *generate.Gen, _ int) []plan.Step {
				m := as(g.Mild(), a)
				var steps []plan.Step
				for range wrongTimes {
					steps = append(steps, plan.Step{Message: m.Clone()})
				}
				return append(steps, plan.Step{Message: g.Mild()})
			})
		}
		// A cache of fields or tokens shows only behind the valid one on the same
		// connection.
		attempts := behindValid(s)
		if len(attempts) > 0 {
			// No claim: with some tokens an attempt makes the valid credential again.
			add("valid-then-each", plan.ClaimNothing, len(attempts), func(g *generate.Gen, draw int) []plan.Step {
				return []plan.Step{{Message: g.Mild()}, {Message: as(g.Mild(), attempts[draw])}}
			})
		}
		return out
	},
}

// behindValid lists the attempts that a server must refuse whatever the token,
// by the judgement of the scheme on a token of the usual kind.
func behindValid(s *plan.Space) []request.Attempt {
	if s.Scheme == nil || s.Op.SchemeOptional {
		return nil
	}
	const sample = "aB3dE5fG7hJ9kM1nP"
	var out []request.Attempt
	for _, a := range s.Scheme.Attempts(s.Op.Scheme) {
		if len(a.Presented) != 1 || a.Useful != nil && !a.Useful(sample) {
			continue
		}
		p := a.Presented[0]
		c, below := s.Scheme.Classify(s.Op.Scheme, []exchange.Field{{Name: p.Field, Value: p.Value(sample)}}, sample)
		if !below && (c == request.CredentialScheme || c == request.CredentialToken) {
			out = append(out, a)
		}
	}
	return out
}

const validBefore = 120

// rows need more fresh values than a case of the last phase has, and refuse too
// little to lock anybody out.
var rows = plan.Mutator{
	Name: "rows",
	Doc:  "A refused credential after more than a hundred valid requests, and valid and refused ones at the same time.",
	Classes: func(s *plan.Space) []plan.Class {
		list := refusals(s)
		if len(list) == 0 {
			return nil
		}
		var out []plan.Class
		for _, a := range list[:min(2, len(list))] {
			out = append(out, several(s, "many-valid-then-"+kindOf(a), plan.ClaimRefusedCredential, 1, 1, func(g *generate.Gen, _ int) []plan.Step {
				n := room(s, validBefore+1)
				return append(row(milds(g, n-1)...), plan.Step{Message: as(g.Mild(), a)})
			}))
		}
		return append(out,
			several(s, "parallel-credentials", plan.ClaimNothing, parallelConnections, parallelCases, func(g *generate.Gen, _ int) []plan.Step {
				return rounds(g, 2, func() []*request.Message {
					all := milds(g, parallelConnections)
					for i := 1; i < len(all); i += 2 {
						all[i] = as(all[i], list[0])
					}
					return all
				})
			}),
			several(s, "credentials-in-turn", plan.ClaimRefusedCredential, 1, 2, func(g *generate.Gen, _ int) []plan.Step {
				var steps []plan.Step
				for range 4 {
					steps = append(steps, plan.Step{Message: g.Mild()}, plan.Step{Message: as(g.Mild(), list[0])})
				}
				return steps
			}))
	},
}
