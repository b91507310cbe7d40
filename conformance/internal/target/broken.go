package target

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/request"
)

// broken keeps the requests beside the cases, of the pre-flight, of set-ups, controls and the
// clean-up, that were answered with a server error or not at all: no request may be.
type broken struct {
	mu   sync.Mutex
	list []Opening
	seen map[brokenKey]bool
}

// brokenKey tells two kinds of broken answers apart.
type brokenKey struct {
	op     *contract.Operation
	answer string
}

// beside are the senders of requests that no case judges.
var beside = []string{"preflight", "set-up", "control", cleaning}

// cleaning is the sender of the requests that delete what the run made.
const cleaning = "clean-up"

// note keeps an exchange if it is broken, one for each operation and answer.
func (b *broken) note(m *request.Message, e *exchange.Exchange, sender string) {
	if !slices.Contains(beside, sender) {
		return
	}
	key := brokenKey{m.Op, "none"}
	switch {
	case e.Failure != nil && e.Failure.Unreached():
		return
	case e.Failure == nil && e.Response.Status < 500:
		return
	case e.Failure == nil:
		key.answer = strconv.Itoa(e.Response.Status)
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
	b.list = append(b.list, Opening{m.Op, m.Clone(), e})
}

// Broken returns the exchanges beside the cases that no request may end in, and forgets them.
// One without an answer is among them only if it got none again between two controls that
// were answered: another request may have taken the target down.
func (t *Target) Broken(ctx context.Context) (out []Opening) {
	t.broken.mu.Lock()
	list := t.broken.list
	t.broken.list = nil
	t.broken.mu.Unlock()
	for _, o := range list {
		if o.Exchange.Failure == nil || t.breaksAgain(ctx, &o) {
			out = append(out, o)
		}
	}
	return out
}

// breaksAgain sends a request without an answer again, alone, and keeps the new exchange.
func (t *Target) breaksAgain(ctx context.Context, o *Opening) bool {
	op := t.acceptedOp()
	if _, lives := t.Control(ctx, op); !lives {
		return false
	}
	s := t.Client.Session()
	defer s.Close()
	e := t.Send(ctx, s, o.Message, "control", "again")
	if e == nil || e.Failure == nil {
		return false
	}
	o.Exchange = e
	_, lives := t.Control(ctx, op)
	return lives
}
