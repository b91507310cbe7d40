package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const (
	parallelConnections = 8
	parallelRounds      = 6
	parallelCases       = 2
	crowdConnections    = 32
)

// atOnce sends messages at the same time, each on a connection of its own.
func atOnce(list []*message.Message) []plan.Step {
	out := make([]plan.Step, len(list))
	for i, m := range list {
		out[i] = plan.Step{Message: m, Connection: i + 1, Parallel: true}
	}
	return out
}

// rounds sends several groups at once, a baseline request between them.
func rounds(g *generate.Gen, n int, group func() []*message.Message) []plan.Step {
	var out []plan.Step
	for range n {
		out = append(append(out, atOnce(group())...), plan.Step{Message: g.Baseline()})
	}
	return out
}
