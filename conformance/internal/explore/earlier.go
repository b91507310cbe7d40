package explore

import (
	"context"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/internal/limits"
)

// markerSeed is the same for every run, whatever its seed: each run leaves the
// marker values of its run number, and the next run finds them.
const markerSeed = 0x706C616E74

// earlier finds the run number: how many runs, with any seed, left data in the
// target. Values that all seeds share, such as the largest integer, are then used
// up. Only a target that refuses repeated values shows this.
func (p *preflight) earlier(ctx context.Context) {
	for i := range limits.GenerationTries {
		round := laterGeneration(0, i)
		id := generate.Identity{Seed: markerSeed, Generation: round}
		free := true
		for _, marker := range message.Values(p.op, p.t.Baseline(p.t.Plan.Preflight(p.op, id, generate.Marker)).Tree) {
			// All other values are fresh, so that the request as a whole is no
			// repeat.
			m := p.t.Baseline(p.t.Fresh(p.op))
			m.Tree.Set(marker.Name, marker.Value)
			if p.try(ctx, m) {
				continue
			}
			if p.last == nil || p.last.Failure != nil || !refusesRepeats(p.last.Response.Status) {
				return
			}
			if free = false; !p.facts.Unique() {
				// A repeat was accepted a moment ago, but this older value is not.
				p.facts.Repeats = nil
				p.repeats(ctx, m)
			}
		}
		if free || !p.facts.Unique() {
			p.t.Facts.EarlierRuns = round
			return
		}
	}
}
