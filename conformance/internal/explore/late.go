package explore

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// late knows the operations that do not find a thing at once after it was made. Many may
// use it at the same time.
type late struct {
	mu   sync.Mutex
	took map[*openapi.Operation]time.Duration // until it was found
	vain int                                  // how often nothing was found
}

// mostWaits is how many operations are asked for the whole time that things may take to
// show, if that never helps: an operation may refuse for any other reason.
const mostWaits = 2

// lateFactor is how many times longer than it took once a thing has to show.
const lateFactor = 2

// wait waits until an operation should find a thing that was made.
func (l *late) wait(ctx context.Context, op *openapi.Operation, most time.Duration) {
	l.mu.Lock()
	took := l.took[op]
	l.mu.Unlock()
	client.Pause(ctx, min(most, lateFactor*took))
}

// found records how long it took until an operation found a thing.
func (l *late) found(op *openapi.Operation, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.took == nil {
		l.took = map[*openapi.Operation]time.Duration{}
	}
	l.took[op] = took
}

// lost records that nothing was found.
func (l *late) lost() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.vain++
}

// hopeless reports whether it is not worth waiting: it never helped.
func (l *late) hopeless() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.took) == 0 && l.vain >= mostWaits
}

// shows asks again for a thing that was made and is not found, for as long as the user
// lets it take to show. It reports whether it did.
func (p *preflight) shows(ctx context.Context, ways map[string]resource.Way) bool {
	made := slices.ContainsFunc(p.t.Reach.Of(p.op), func(n resource.Need) bool { return ways[n.Path].Makes() })
	if !made || p.t.Settle <= 0 || p.last == nil || p.last.Failure != nil || p.last.Response.Status != http.StatusNotFound || p.t.late.hopeless() {
		return false
	}
	defer p.t.Waits.For("waiting for what was made to show (--settle)")()
	for retry := client.NewRetry(); retry.Within(p.t.Settle) && retry.Pause(ctx); {
		p.last = p.t.Send(ctx, p.s, p.message, "preflight", "preflight")
		// Any other answer says that it is there: it may be refused for what else is wrong.
		if p.last != nil && p.last.Failure == nil && p.last.Response.Status != http.StatusNotFound {
			p.t.late.found(p.op, retry.Took())
			p.facts.Accepted = Accepted(p.op, p.last)
			return p.facts.Accepted
		}
	}
	p.t.late.lost()
	return false
}
