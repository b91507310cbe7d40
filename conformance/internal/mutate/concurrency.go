package mutate

import (
	"cmp"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var concurrency = plan.Mutator{
	Name: "concurrency",
	Doc:  "Sends requests at the same time on eight connections, and once on 32, with different and with equal values, because handlers share state.",
	Classes: func(s *plan.Space) []plan.Class {
		fit := min(parallelRounds, max(1, roomFor(s, freshPerCase)/(parallelConnections+1)))
		parallel := func(kind string, n int, group func(g *plan.Gen) []*message.Message) plan.Class {
			return several(kind, message.Unstated, parallelConnections, parallelCases, func(g *plan.Gen, _ int) []plan.Step {
				return rounds(g, n, func() []*message.Message { return group(g) })
			})
		}
		out := []plan.Class{
			parallel("parallel", fit, func(g *plan.Gen) []*message.Message { return baselines(g, parallelConnections) }),
			parallel("parallel-same-request", 2, func(g *plan.Gen) []*message.Message {
				m := g.Baseline()
				list := make([]*message.Message, parallelConnections)
				for i := range list {
					list[i] = m.Clone()
				}
				return list
			}),
		}
		crowd := several("parallel-crowd", message.Unstated, crowdConnections, 1, func(g *plan.Gen, _ int) []plan.Step {
			list := baselines(g, roomFor(s, crowdConnections))
			for _, m := range list { // each leaves room for the next
				m.Crowd, m.Fields = true, append(m.Fields, exchange.Field{Name: "Connection", Value: "close"})
			}
			return append(atOnce(list), plan.Step{Message: g.Baseline()})
		})
		out = append(out, crowd)
		for _, name := range scalars(s) {
			out = append(out, parallel("parallel-same-"+openapi.NameSlug(name), min(2, fit), func(g *plan.Gen) []*message.Message {
				list := baselines(g, parallelConnections)
				for _, m := range list[1:] {
					m.Tree.Set(name, list[0].Tree.Get(name).Clone())
				}
				return list
			}))
		}
		if bad := corruptions(s); len(bad) > 0 {
			out = append(out, parallel("parallel-mixed", fit, func(g *plan.Gen) []*message.Message {
				list := baselines(g, parallelConnections)
				for i := 1; i < len(list); i += 2 {
					bad[(i/2)%min(len(bad), 4)].apply(list[i])
				}
				return list
			}))
		}
		return out
	},
}

const (
	minSteps      = 4
	maxSteps      = 12
	maxConnection = 3
)

// interleaving draws valid, refused, unauthenticated and repeated requests over
// a few connections.
func interleaving(g *plan.Gen, bad []corruption, wrong []message.Attempt) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		r := p.Rng
		n := minSteps + r.Intn(maxSteps-minSteps+1)
		used := 1 + r.Intn(maxConnection)
		steps := make([]plan.Step, 0, n)
		for range n {
			m := g.Baseline()
			switch k := r.Intn(10); {
			case k < 3 && len(bad) > 0:
				bad[r.Intn(min(len(bad), 6))].apply(m)
			case k == 3 && len(wrong) > 0:
				m.Credentials = wrong[0].Presented
			case k == 4 && len(steps) > 0:
				m = steps[r.Intn(len(steps))].Message.Clone()
			}
			steps = append(steps, plan.Step{Message: m, Sending: plan.Sending{Connection: r.Intn(used), Fresh: r.Intn(8) == 0}})
		}
		// Some neighbours on distinct connections go at once, in pairs apart.
		for i := 1; i < len(steps); i++ {
			if (i < 2 || !steps[i-2].Parallel) && steps[i].Connection != steps[i-1].Connection && !steps[i-1].Parallel && r.Intn(3) == 0 {
				steps[i-1].Parallel, steps[i].Parallel = true, true
			}
		}
		return gopter.NewGenResult(steps, gopter.NoShrinker)
	}
}

var randomInterleavings = plan.Mutator{
	Name: "random-interleavings",
	Doc:  "Sends random sequences of valid, refused, unauthenticated and repeated requests over one to three connections, because fixed sequences miss some orders.",
	Classes: func(s *plan.Space) []plan.Class {
		bad, wrong := corruptions(s), refusals(s)
		if len(bad)+len(wrong) == 0 {
			return nil
		}
		return []plan.Class{several("random", message.Unstated, maxConnection, cmp.Or(s.Draws/16, 1),
			func(g *plan.Gen, _ int) []plan.Step {
				drawn, _ := interleaving(g, bad, wrong)(g.Params()).Retrieve()
				return drawn.([]plan.Step)
			})}
	},
}

// manyRequests and alternatingEach add up to more than 256 valid requests on one connection,
// where a counter may wrap.
const (
	manyRequests    = 200
	alternatingEach = 58
	longerRuns      = 40
	longerEach      = 250
)

var longRuns = plan.Mutator{
	Name: "long-runs",
	Doc:  "Sends hundreds of requests on one connection, valid only or alternating with refused ones, because limits and leaks show late. With --effort deep there are ten thousand more, on one connection after the other.",
	Classes: func(s *plan.Space) []plan.Class {
		out := []plan.Class{several("many", message.Accept, 1, 1, func(g *plan.Gen, _ int) []plan.Step {
			return row(baselines(g, roomFor(s, manyRequests))...)
		})}
		if s.Long {
			out = append(out, several("many-more", message.Accept, 1, longerRuns, func(g *plan.Gen, _ int) []plan.Step {
				return row(baselines(g, roomFor(s, longerEach))...)
			}))
		}
		list := corruptions(s)
		if len(list) == 0 {
			return out
		}
		return append(out, several("many-alternating", message.Accept, 1, 1, func(g *plan.Gen, _ int) []plan.Step {
			var steps []plan.Step
			for i := range min(alternatingEach, roomFor(s, 2*alternatingEach)/2) {
				refused := g.Baseline()
				if c := list[i%len(list)]; c.kind != "large" && c.kind != "huge" {
					c.apply(refused)
				} else {
					list[0].apply(refused)
				}
				steps = append(steps, plan.Step{Message: refused}, plan.Step{Message: g.Baseline()})
			}
			return steps
		}))
	},
}

const wrongTimes = 10

var credentialChanges = plan.Mutator{
	Name: "credential-changes",
	Doc:  "Sends refused credentials before and after valid ones on the same and on other connections, because every request must be authenticated by itself.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		add := func(kind string, expected message.Expectation, cases int, build func(g *plan.Gen, draw int) []plan.Step) {
			c := several(kind, expected, 2, cases, build)
			c.Phase = plan.Credential
			out = append(out, c)
		}
		for _, a := range refusals(s) {
			add("valid-after-"+kindOf(a), message.Accept, ways, func(g *plan.Gen, draw int) []plan.Step {
				return []plan.Step{{Message: as(g.Baseline(), a)}, follow(g.Baseline(), draw)}
			})
			add("same-after-"+kindOf(a), message.Accept, ways, func(g *plan.Gen, draw int) []plan.Step {
				m := g.Baseline()
				return []plan.Step{{Message: as(m, a)}, follow(m, draw)}
			})
			add("valid-then-"+kindOf(a), message.RefuseCredential, 2*ways, func(g *plan.Gen, draw int) []plan.Step {
				return []plan.Step{{Message: g.Baseline()}, follow(as(g.Baseline(), a), draw)}
			})
			add("same-request-"+kindOf(a), message.RefuseCredential, ways, func(g *plan.Gen, draw int) []plan.Step {
				m := g.Baseline()
				return []plan.Step{{Message: m}, follow(as(m, a), draw)}
			})
			if a.Name == "absent" {
				// It comes early, before a cache of answers is full: a missing credential locks nobody out.
				out[len(out)-1].Phase = plan.Single
			}
			add("valid-after-many-"+kindOf(a), message.Accept, 1, func(g *plan.Gen, _ int) []plan.Step {
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
			add("valid-then-each", message.Unstated, len(attempts), func(g *plan.Gen, draw int) []plan.Step {
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

const validBefore = 120

// rows need more fresh values than a case of the last phase has, and too few of their
// requests are refused to lock a client out.
var credentialRuns = plan.Mutator{
	Name: "credential-runs",
	Doc:  "Sends a refused credential after more than a hundred valid requests, and both at the same time, because a check can be cached.",
	Classes: func(s *plan.Space) []plan.Class {
		list := refusals(s)
		if len(list) == 0 {
			return nil
		}
		var out []plan.Class
		for _, a := range list[:min(2, len(list))] {
			out = append(out, several("many-valid-then-"+kindOf(a), message.RefuseCredential, 1, 1, func(g *plan.Gen, _ int) []plan.Step {
				n := roomFor(s, validBefore+1)
				return append(row(baselines(g, n-1)...), plan.Step{Message: as(g.Baseline(), a)})
			}))
		}
		return append(out,
			several("parallel-credentials", message.Unstated, parallelConnections, parallelCases, func(g *plan.Gen, _ int) []plan.Step {
				return rounds(g, 2, func() []*message.Message {
					all := baselines(g, parallelConnections)
					for i := 1; i < len(all); i += 2 {
						all[i] = as(all[i], list[0])
					}
					return all
				})
			}),
			several("credentials-in-turn", message.RefuseCredential, 1, 2, func(g *plan.Gen, _ int) []plan.Step {
				var steps []plan.Step
				for range 4 {
					steps = append(steps, plan.Step{Message: g.Baseline()}, plan.Step{Message: as(g.Baseline(), list[0])})
				}
				return steps
			}))
	},
}
