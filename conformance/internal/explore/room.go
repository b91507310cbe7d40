package explore

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"sync/atomic"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// stores counts what the operations made that make things which others delete. Some services take only so
// many things of an account: a quota is used up then.
type stores struct {
	holding map[*openapi.Operation]int  // how much they made since room was made
	takes   map[*openapi.Operation]int  // how many things the target takes, where that is known
	refused map[*openapi.Operation]int  // valid requests since the last accepted one
	vain    map[*openapi.Operation]int  // how often these had another reason
	full    map[*openapi.Operation]bool // those that may need room, and whether they were refused
	crowded atomic.Bool                 // there are such operations
}

// fullStatuses are those of a target that takes no more. A 429 is waited for.
var fullStatuses = []int{http.StatusBadRequest, http.StatusPaymentRequired, http.StatusForbidden, http.StatusConflict,
	http.StatusUnprocessableEntity, http.StatusServiceUnavailable, http.StatusInsufficientStorage}

func newStores() stores {
	return stores{holding: map[*openapi.Operation]int{}, takes: map[*openapi.Operation]int{}, refused: map[*openapi.Operation]int{}, vain: map[*openapi.Operation]int{}, full: map[*openapi.Operation]bool{}}
}

// holds counts a thing that an operation made. With half of what the target takes, there is still
// room for the cases that are being tried.
func (k *made) holds(op *openapi.Operation) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refused[op] = 0
	if k.holding[op]++; k.takes[op] > 0 && k.holding[op] >= k.half(op) {
		k.full[op] = k.full[op] // a refusal stays one
		k.crowded.Store(true)
	}
}

// half is half of what the target takes.
func (k *made) half(op *openapi.Operation) int { return max(1, k.takes[op]/2) }

// RefusedValid notes that an operation refused a valid request. A target that takes no more refuses
// all of them. The more often such refusals had another reason, the more of them in a row it takes
// until MakeRoom looks again.
func (t *Target) RefusedValid(op *openapi.Operation, status int) {
	k := t.made
	if op = op.First(); len(k.makers[op]) == 0 || !slices.Contains(fullStatuses, status) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.refused[op]++; k.takes[op] > 0 || k.holding[op] > 0 && 4*k.refused[op] > k.vain[op] {
		k.full[op] = true
		k.crowded.Store(true)
	}
}

// Full reports whether an answer may say that the target takes no more things of an operation.
func (t *Target) Full(op *openapi.Operation, status int) bool {
	return t.Facts.Of(op.First()).Few && slices.Contains(fullStatuses, status)
}

// counted notes how many things of an operation there are, and how many the target takes: 0 if it took
// another one.
func (k *made) counted(op *openapi.Operation, there, takes int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.holding[op], k.refused[op] = there, 0
	switch {
	case k.takes[op] > 0:
	case takes == 0:
		k.vain[op]++
	default:
		k.takes[op] = takes
	}
}

// Crowded reports whether the target may take no more things: MakeRoom finds out.
func (t *Target) Crowded() bool { return t.made.crowded.Load() }

// Beyond returns an operation of which steps need more things than the target takes beside those of
// other cases, or nil.
func (t *Target) Beyond(steps []plan.Step) *openapi.Operation {
	k := t.made
	k.mu.Lock()
	defer k.mu.Unlock()
	asked := map[*openapi.Operation]int{}
	for _, st := range steps {
		makers := []*openapi.Operation{st.Message.Op.First()}
		if r := t.Facts.Of(makers[0]).Reached; r != nil && r.Own {
			for _, w := range r.Ways {
				if w.Makes() {
					makers = append(makers, w.From.First())
				}
			}
		}
		for _, op := range makers {
			if asked[op]++; k.takes[op] > 0 && asked[op] > k.half(op) {
				return op
			}
		}
	}
	return nil
}

// MakeRoom deletes what the run made of things of which the target takes only so many. That is known of
// an operation once it refuses a baseline request, and accepts another one after the deletion of a
// thing that it made. Nobody else may send requests meanwhile. It returns whether it deleted any.
func (t *Target) MakeRoom(ctx context.Context, s Session) (made bool) {
	if !t.Crowded() {
		return false
	}
	t.made.mu.Lock()
	full := maps.Clone(t.made.full)
	clear(t.made.full)
	t.made.crowded.Store(false)
	t.made.mu.Unlock()
	for _, op := range t.Contract.Rows() {
		if refused, may := full[op]; may && t.makeRoom(ctx, s, op, refused) {
			made = true
			t.shared.forgetAll()
		}
	}
	return made
}

// makeRoom deletes what an operation made, if the target takes only so many such things and refused
// one, or holds half of them.
func (t *Target) makeRoom(ctx context.Context, s Session, op *openapi.Operation, refused bool) bool {
	things, known := t.present(op), t.Facts.Of(op).Few
	c, ctx, end := t.cleaner(ctx)
	defer end()
	k, takes := t.made, len(things)
	switch {
	case !known && (len(things) == 0 || t.takesAnother(ctx, s, op)), known && !refused && len(things) < k.half(op):
		k.counted(op, len(things), 0)
		return false
	case !known:
		if c.one(ctx, s, things[0]); !t.takesAnother(ctx, s, op) {
			k.counted(op, len(things), 0)
			return false
		}
		t.Facts.Of(op).Few = true
		things = things[1:]
	}
	c.all(ctx, things)
	k.counted(op, 0, takes)
	return true
}

// takesAnother reports whether an operation accepts a baseline request.
func (t *Target) takesAnother(ctx context.Context, s Session, op *openapi.Operation) bool {
	m := t.Baseline(t.Fresh(op))
	return t.Bind(ctx, s, m) == nil && Accepted(op, t.Send(ctx, s, m, "control", "control"))
}

// present returns what an operation made and nothing deleted, the newest first.
func (t *Target) present(op *openapi.Operation) (out []*madeResource) {
	t.made.mu.Lock()
	defer t.made.mu.Unlock()
	named := map[string]bool{} // of several ways to a thing
	for _, x := range slices.Backward(t.made.resources) {
		if x.dependency.From == nil || x.dependency.From.First() != op || x.gone || t.Unasked[x.deletes] || named[x.name()] || !x.likely && !t.sure(x) {
			continue
		}
		named[x.name()] = true
		out = append(out, x)
	}
	return out
}
