package target

import (
	"context"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/request"
)

// Every run, whatever its seed, leaves values that the next one knows: the
// markers of its round.
const markerSeed = 0x706C616E74

// earlier learns how many runs, of whatever seed, left their data in the target:
// values that all seeds share, such as the largest integer, are then used. Only
// a target that refuses repeats tells.
func (p *preflight) earlier(ctx context.Context) {
	for i := range limits.GenerationTries {
		round := laterGeneration(0, i)
		id := generate.Identity{Seed: markerSeed, Generation: round}
		free := true
		for _, marker := range request.Values(p.op, p.t.Baseline(p.t.Plan.Preflight(p.op, id, generate.Marker)).Tree) {
			// Its neighbours are of this run, so that it is no plain repetition.
			m := p.t.Baseline(p.t.Fresh(p.op))
			m.Tree.Set(marker.Name, marker.Value)
			if p.try(ctx, m) {
				continue
			}
			if p.last == nil || p.last.Failure != nil || !refusesRepeats(p.last.Response.Status) {
				return
			}
			if free = false; !p.facts.Unique() {
				// A repeat was taken a moment ago, but an older value is not.
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
