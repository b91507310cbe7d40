package explore

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/internal/limits"
)

// broken keeps the requests beside the cases, of the pre-flight, of set-ups, controls and the
// clean-up, that were answered with a server error or not at all: no request may be.
type broken struct {
	mu   sync.Mutex
	list []Opening
	seen map[brokenKey]bool
}

// lost keeps a request that got no answer while many others did: one of several at once.
func (b *broken) lost(m *message.Message, e *exchange.Exchange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, Opening{Op: m.Op, Message: m.Clone(), Exchange: e, AtOnce: true})
}

// brokenKey tells two kinds of broken answers apart.
type brokenKey struct {
	op     *openapi.Operation
	answer string
}

// beside are the senders of requests that no case judges.
var beside = []string{"preflight", "set-up", "control", cleaning, taken}

// taken is the sender of a request that was answered and took the target down.
const taken = "taken down"

// cleaning is the sender of the requests that delete what the run made.
const cleaning = "clean-up"

// note keeps an exchange if it is broken, one for each operation and answer.
func (b *broken) note(m *message.Message, e *exchange.Exchange, sender string) {
	if !slices.Contains(beside, sender) {
		return
	}
	key := brokenKey{m.Op, "none"}
	switch {
	case e.Failure != nil && e.Failure.Unreached() && sender != taken:
		return
	case e.Failure == nil && e.Status() < 500:
		return
	case e.Failure == nil:
		key.answer = strconv.Itoa(e.Status())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.seen[key] {
		return
	}
	if b.seen == nil {
		b.seen = map[brokenKey]bool{}
	}
	b.seen[key] = true
	b.list = append(b.list, Opening{Op: m.Op, Message: m.Clone(), Exchange: e})
}

// Broken returns the exchanges beside the cases that no request may end in, and forgets them.
func (t *Target) Broken() []Opening {
	t.broken.mu.Lock()
	defer t.broken.mu.Unlock()
	list := t.broken.list
	t.broken.list = nil
	return list
}

// noted counts the exchanges that are kept; forget drops the later ones.
func (b *broken) noted() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.list)
}

func (b *broken) forget(noted int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, o := range b.list[noted:] {
		for key := range b.seen {
			if key.op == o.Op {
				delete(b.seen, key)
			}
		}
	}
	b.list = b.list[:noted]
}

// drop forgets those that were answered with one of these statuses: their operation was turned off.
func (b *broken) drop(statuses []int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = slices.DeleteFunc(b.list, func(o Opening) bool {
		return slices.Contains(statuses, o.Exchange.Status())
	})
}

// ClosedOnHead reports whether the target closed the connection without an answer,
// on a head so large that servers may stop reading it.
func ClosedOnHead(e *exchange.Exchange) bool {
	return closed(e) && len(e.Request.Head) > exchange.LargeHead
}

// closed reports whether the connection ended before any byte of an answer.
func closed(e *exchange.Exchange) bool {
	return e.Failure != nil && !e.Excused() && (e.Failure.Kind == exchange.Dropped || e.Failure.Kind == exchange.DroppedWriting)
}

// watchServed waits until all connections are answered, or until it is certain that
// some are not served: the shortest wait is over, and the connection that is served
// was answered many more times since. On a busy machine that connection is slow
// too, so no clock decides whether a target is slow or serves fewer.
func (t *Target) watchServed(ctx context.Context, op *openapi.Operation, served Session, all <-chan struct{}, minimum time.Duration) {
	timer := time.NewTimer(minimum)
	defer timer.Stop()
	select {
	case <-all:
		return
	case <-ctx.Done():
		return
	case <-timer.C:
	}
	for range limits.ServedAnswers {
		select {
		case <-all:
			return
		default:
		}
		m := t.Baseline(t.Fresh(op))
		if e := t.Send(ctx, served, m, "preflight", "preflight"); e == nil || e.Failure != nil {
			return
		}
	}
}
