package execute

import (
	"context"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/parallel"
)

// playAround sends steps at the same time. If one of them is sent in pieces, the others are
// sent after its first piece, and its last piece after they are answered: what a server keeps
// of half a request then matters in whatever order it serves the connections.
func (run *Run) playAround(ctx context.Context, c *plan.Case, list []judge.Played, lines *connections) {
	if len(list) == 1 {
		run.playStep(ctx, c, &list[0], lines, nil)
		return
	}
	var whole []*judge.Played
	var halves, others parallel.Group
	gate := exchange.NewGate()
	defer halves.Wait()
	defer gate.Open()
	for i := range list {
		p := &list[i]
		if p.Step.Message.Framing != message.Pieces {
			whole = append(whole, p)
			continue
		}
		ended := make(chan struct{})
		halves.Go(func() {
			defer close(ended)
			run.playStep(ctx, c, p, lines, gate)
		})
		select {
		case <-gate.Held():
		case <-ended:
		}
	}
	for _, p := range whole {
		others.Go(func() { run.playStep(ctx, c, p, lines, nil) })
	}
	others.Wait()
}
