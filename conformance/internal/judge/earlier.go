package judge

import (
	"context"

	"plantstore/conformance/internal/plan"
)

// Every run, whatever its seed, leaves one plant that the next one knows: the
// marker of its round.
const (
	markerSeed   = 0x706C616E74
	markerNumber = 56
)

// earlier learns how many runs, of whatever seed, left their data in the target:
// values that all seeds share, such as the largest integer, are then used. Only
// a target that refuses repeats tells.
func (p *opening) earlier(ctx context.Context) {
	for i := range epochTries {
		round := laterEpoch(0, i)
		m := p.j.mild(p.j.Plan.Preflight(p.op, plan.Identity{Seed: markerSeed, Epoch: round}, markerNumber))
		if p.try(ctx, m) {
			p.j.facts.Earlier = round
			return
		}
		if p.last == nil || p.last.Failure != nil || !refusesRepeats(p.last.Response.Status) {
			return
		}
		if i == 0 && !p.facts.unique() {
			// A repeat was taken a moment ago, but an older value is not.
			p.facts.Repeats = nil
			p.repeats(ctx, m)
			if !p.facts.unique() {
				return
			}
		}
	}
}
