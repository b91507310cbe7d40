package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// pipelined sends messages in one piece on a new connection.
func pipelined(list ...*message.Message) []plan.Step {
	out := row(list...)
	out[0].Fresh = true
	for i := range out[1:] {
		out[i+1].Behind = true
	}
	return out
}

// manyPipelined is the length of a long row, and fewSpoils how many refused bodies are
// tried.
const (
	manyPipelined = 8
	fewSpoils     = 4
)

var pipelining = plan.Mutator{
	Name: "pipelining",
	Doc:  "Sends several requests in one piece, valid and refused ones, because each has to get its own answer in the same order (RFC 9112, 9.3.2). A server may close the connection after any of them.",
	Classes: func(s *plan.Space) []plan.Class {
		out := []plan.Class{
			several("pipelined", plan.ExpectMustAccept, 1, 2, func(g *generate.Gen, _ int) []plan.Step { return pipelined(baselines(g, 3)...) }),
			several("pipelined-many", plan.ExpectMustAccept, 1, 1, func(g *generate.Gen, _ int) []plan.Step {
				return pipelined(baselines(g, roomFor(s, manyPipelined))...)
			}),
		}
		var list []spoil
		for _, c := range spoils(s) {
			if c.kind == "invalid" || c.kind == "not-json" || c.kind == "empty" {
				list = append(list, c)
			}
		}
		if len(list) > 0 {
			out = append(out, several("pipelined-after-refused", plan.ExpectMustAccept, 1, min(len(list), fewSpoils), func(g *generate.Gen, draw int) []plan.Step {
				refused := g.Baseline()
				list[(draw*len(list))/min(len(list), fewSpoils)].apply(refused)
				return pipelined(refused, g.Baseline())
			}))
			out = append(out, several("pipelined-mixed", plan.ExpectMustAccept, 1, 2, func(g *generate.Gen, draw int) []plan.Step {
				refused := g.Baseline()
				list[draw%len(list)].apply(refused)
				return pipelined(g.Baseline(), refused, g.Baseline())
			}))
		}
		if wrong := refusals(s); len(wrong) > 0 {
			out = append(out, several("pipelined-credentials", plan.ExpectMustAccept, 1, min(2, len(wrong)), func(g *generate.Gen, draw int) []plan.Step {
				return pipelined(g.Baseline(), as(g.Baseline(), wrong[draw]), g.Baseline())
			}),
				several("pipelined-then-credentials", plan.ExpectRefusedCredential, 1, min(2, len(wrong)), func(g *generate.Gen, draw int) []plan.Step {
					return pipelined(g.Baseline(), as(g.Baseline(), wrong[draw]))
				}))
		}
		for i := range out {
			out[i].Phase = plan.Single // a server that waits before it closes does so beside others
		}
		return out
	},
}
