package explore

import (
	"slices"
	"strconv"
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
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

// noted counts the exchanges that are kept, and forget drops those that came later.
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
