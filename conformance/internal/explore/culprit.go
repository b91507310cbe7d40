package explore

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/internal/limits"
)

// blamed looks for the change that turned operations off, once the first controls are refused.
func (t *Target) blamed(ctx context.Context, s Session, list []change, controls []*control, noted int) *Harm {
	if plain := slices.DeleteFunc(slices.Clone(controls), func(c *control) bool { return len(c.op.Bind) > 0 }); len(plain) > 0 {
		controls = plain // a control may also fail because its own resource cannot be made
	}
	x := &search{t: t, s: s, list: list, wait: lateFactor * limits.ControlTime}
	if !x.off(ctx, controls) {
		return nil
	}
	defer t.broken.forget(noted) // this is told as a whole
	if x.refused, x.seen, x.sure = t.refusedNow(ctx, s, nil, controls); len(x.refused) == 0 || ctx.Err() != nil || t.silent != nil {
		return nil
	}
	x.nearest()
	undo := x.undone(ctx)
	switch {
	case undo == nil && x.sure && !x.passing():
		return x.ended(ctx)
	case undo == nil:
		return nil
	}
	by := x.again(ctx, undo)
	if by == nil {
		return nil
	}
	off := &Off{Sentence: "after " + sentAs(by) + ", " + x.seen}
	off.undoneBy(undo)
	t.Facts.Of(by.Op.First()).Off = off
	return &Harm{Off: off, op: by.Op.First(), Statuses: x.statuses()}
}

// search is for the request that turned others off.
type search struct {
	t       *Target
	s       Session
	list    []change
	refused []*control
	seen    string
	sure    bool
	answers map[string]bool // how the controls were answered
	wait    time.Duration   // how long a change may take to show
}

// off reports whether one of the first controls is refused again and again.
func (x *search) off(ctx context.Context, list []*control) bool {
	return slices.ContainsFunc(x.t.firstControls(nil, list), func(c *control) bool {
		for range limits.ControlTries {
			if x.works(ctx, c) {
				return false
			}
			client.Pause(ctx, limits.RevivalPause)
			x.s.Fresh()
		}
		return !x.works(ctx, c)
	})
}

// works reports whether a control gives no sign that its operation is turned off.
func (x *search) works(ctx context.Context, c *control) bool {
	how, _ := x.t.refuses(ctx, x.s, c, nil)
	if how == "" {
		return true
	}
	if x.answers == nil {
		x.answers = map[string]bool{}
	}
	x.answers[how] = true
	return false
}

// all reports whether every refused operation works, at once or within the time.
func (x *search) all(ctx context.Context) bool {
	for wait := client.NewRetry(); ; {
		x.s.Fresh()
		if x.on(ctx) {
			return true
		}
		if !wait.Within(limits.ControlTime) || !wait.Pause(ctx) {
			return false
		}
	}
}

// nearest puts first the changes closest to the last success of the refused operations, and the
// latest ones: the last one may decide.
func (x *search) nearest() {
	c := &x.t.changes
	c.mu.Lock()
	last, end := 0, 0
	for _, r := range x.refused {
		last = max(last, c.worked[r.op])
	}
	c.mu.Unlock()
	for _, c := range x.list {
		end = max(end, c.at)
	}
	far := func(c change) int { return min(max(c.at-last, last-c.at), end-c.at) }
	slices.SortStableFunc(x.list, func(a, b change) int { return cmp.Compare(far(a), far(b)) })
}

// undone turns the refused operations on again, and returns the requests that did so.
func (x *search) undone(ctx context.Context) []*message.Message {
	seen, tries := map[*openapi.Operation]bool{}, 0
	for _, c := range x.list {
		op := c.message.Op.First()
		if seen[op] {
			continue
		}
		seen[op] = true
		for _, undo := range x.t.opposites(c.message) {
			if tries++; tries > maxUndos || ctx.Err() != nil {
				return nil
			}
			if x.send(ctx, undo) && x.all(ctx) {
				return undo
			}
		}
	}
	return nil
}

// send sends requests and reports whether the last one was accepted.
func (x *search) send(ctx context.Context, list []*message.Message) bool {
	accepted := false
	for _, m := range list {
		accepted = Accepted(m.Op, x.t.now(ctx, x.s, m, x.t.Timeout))
	}
	return accepted
}

// again repeats the changes one by one until the operations are refused again, and undoes that. Then
// it tries the last of these changes alone, and all of them together: an effect that ends by itself
// blames nobody. It returns nil unless one of both turns the operations off each time.
func (x *search) again(ctx context.Context, undo []*message.Message) (by *message.Message) {
	suspects := distinct(x.list, nil, 0)
	suspects = suspects[:min(len(suspects), maxSuspects)]
	restore := func() bool { return x.send(ctx, undo) && x.all(ctx) && ctx.Err() == nil }
	find := func(list []change, stays func(context.Context) bool) int {
		return slices.IndexFunc(list, func(c change) bool { return x.send(ctx, []*message.Message{c.message}) && !stays(ctx) })
	}
	began := time.Now()
	blamed := find(suspects, x.on)
	if blamed < 0 && !x.stays(ctx) { // it shows late
		x.wait = min(x.wait, lateFactor*time.Since(began)+limits.RevivalPause)
		if !restore() {
			return nil
		}
		suspects = distinct(x.list, nil, maxLateSuspects)
		blamed = find(suspects, x.stays)
	}
	if !restore() || blamed < 0 {
		return nil
	}
	for _, list := range [][]change{suspects[blamed : blamed+1], suspects[:blamed+1]} {
		times := 0
		for range limits.ControlTries {
			for _, c := range list {
				x.send(ctx, []*message.Message{c.message})
			}
			if !x.stays(ctx) {
				times++
			}
			if !restore() {
				return nil
			}
		}
		if times == limits.ControlTries {
			return suspects[blamed].message
		}
	}
	return nil
}

// on reports whether every refused operation works now.
func (x *search) on(ctx context.Context) bool {
	return !slices.ContainsFunc(x.refused, func(c *control) bool { return !x.works(ctx, c) })
}

// stays reports whether they keep working for as long as a change may take to show.
func (x *search) stays(ctx context.Context) bool {
	for wait := client.NewRetry(); ; {
		if !x.on(ctx) {
			return false
		}
		if !wait.Within(x.wait) || !wait.Pause(ctx) {
			return true
		}
	}
}

// since is how many requests were sent before the first change by an operation.
func (x *search) since(op *openapi.Operation) int {
	first := -1
	for _, c := range x.list {
		if (op == nil || c.message.Op.First() == op.First()) && (first < 0 || c.at < first) {
			first = c.at
		}
	}
	return max(first, 0)
}

// passing reports whether the refusals may end by themselves, or be about the credential.
func (x *search) passing() bool {
	return x.answers[answeredPlainly(401)] || x.answers[answeredPlainly(429)] || x.t.silent != nil
}

// statuses are those of the answers.
func (x *search) statuses() (out []int) {
	for status := 400; status < 600; status++ {
		if x.answers[answeredPlainly(status)] {
			out = append(out, status)
		}
	}
	return out
}

// ended reports that no request turns the refused operations on again.
func (x *search) ended(ctx context.Context) *Harm {
	if ctx.Err() != nil || x.all(ctx) {
		return nil
	}
	var names, leave []string
	for _, c := range x.list {
		if name := c.message.Op.First().Name(); !slices.Contains(names, name) && len(names) < maxSaid {
			names, leave = append(names, name), append(leave, "--exclude "+name)
		}
	}
	off := &Off{Sentence: "after one of the requests of " + strings.Join(names, ", ") + ", " + x.seen}
	x.t.Ended = off.Sentence + ", and no request that the document has turns that back: put the target right, and leave it out with " + strings.Join(leave, " ")
	x.t.Reasons = slices.Insert(x.t.Reasons, 0, x.t.Ended)
	return &Harm{Off: off, Statuses: x.statuses()}
}

// sentAs names an operation and the body of its request, if that is short.
func sentAs(m *message.Message) string {
	if body := m.Body(); len(body) > 0 && len(body) <= maxSent {
		return m.Op.First().Name() + " " + string(body)
	}
	return m.Op.First().Name()
}

// maxSent is the length, in bytes, of the longest body that a sentence shows.
const maxSent = 200

// undoneBy keeps the requests that turn others on again.
func (o *Off) undoneBy(undo []*message.Message) {
	o.undo, o.Undone = undo, sentAs(undo[len(undo)-1])
}
