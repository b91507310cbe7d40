package pace

import (
	"context"

	"golang.org/x/sync/semaphore"

	"plantstore/conformance/internal/exchange"
)

// What may be under way at once, over all workers.
const (
	// mostExchanges is how many answers are received at once, each of at most
	// 1 MiB and 6 bytes more for each byte of its request.
	mostExchanges = 64
	// mostRead is how many bytes of answers are read into trees at once, which take
	// 50 to 100 times as much; smallRead is what counts for nothing.
	mostRead  = 1 << 20
	smallRead = 16 << 10
)

// Flight bounds what is under way at once.
type Flight struct{ exchanges, read *semaphore.Weighted }

// NewFlight gives the bounds of one run.
func NewFlight() Flight {
	return Flight{semaphore.NewWeighted(mostExchanges), semaphore.NewWeighted(mostRead)}
}

// Enter waits until an answer may be read into a tree; leave is to be called
// when the tree is gone. It is not ok where the run ends first.
func (f *Flight) Enter(ctx context.Context, e *exchange.Exchange) (leave func(), ok bool) {
	if e.Response == nil || len(e.Response.Content) <= smallRead {
		return func() {}, true
	}
	n := min(int64(len(e.Response.Content)), mostRead)
	if f.read.Acquire(ctx, n) != nil {
		return nil, false
	}
	return func() { f.read.Release(n) }, true
}

// Exchange waits until one more answer may be received.
func (f *Flight) Exchange(ctx context.Context) (leave func(), ok bool) {
	if f.exchanges.Acquire(ctx, 1) != nil {
		return nil, false
	}
	return func() { f.exchanges.Release(1) }, true
}
