package execute

import (
	"context"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// inRoom tries a case. If the target may have taken no more things meanwhile, it is tried once more,
// alone. A failure counts as it is unless the target is known to take only so many: one that refuses now
// and then must not be taken for such a target.
func (run *Run) inRoom(ctx context.Context, c *plan.Case, own explore.Session, try Timeout) *judge.Record {
	before := run.makeRoom(ctx, own)
	run.making.RLock()
	r := run.attempt(ctx, c, own, try, false)
	run.making.RUnlock()
	if r.State == judge.Inapplicable || r.State == judge.Tried && len(r.Failures) == 0 && r.Ruled.Empty() {
		return r
	}
	if after := run.makeRoom(ctx, own); after.made == before.made && (after == before || r.Why == "") {
		return r
	}
	run.making.Lock()
	defer run.making.Unlock()
	run.Target.MakeRoom(ctx, own)
	if r = run.attempt(ctx, c, own, try, true); r.Why != "" && run.Target.MakeRoom(ctx, own) {
		r = run.attempt(ctx, c, own, try, true) // the first one showed that there was no room
	}
	return r
}

// rooms is how often the target may have taken no more things, and how often room was made then.
type rooms struct{ asked, made int }

// makeRoom deletes what earlier cases made, if the target takes no more.
func (run *Run) makeRoom(ctx context.Context, own explore.Session) rooms {
	if !run.Target.Crowded() {
		run.making.RLock()
		defer run.making.RUnlock()
		return run.rooms
	}
	run.making.Lock()
	defer run.making.Unlock()
	run.rooms.asked++
	if run.Target.MakeRoom(ctx, own) {
		run.rooms.made++
	}
	return run.rooms
}

// tooMany says of which operation steps need more things than the target takes. It is empty if there
// is room for them.
func (run *Run) tooMany(steps []plan.Step) string {
	if op := run.Target.Beyond(steps); op != nil {
		return "it needs more things of " + op.Name() + " than the target takes"
	}
	return ""
}
