package client

import (
	"context"

	"golang.org/x/sync/semaphore"

	"plantstore/conformance/internal/exchange"
)

// Bounds of what is in flight at the same time, over all workers.
const (
	// maxExchanges is how many answers are received at the same time, each of at
	// most 1 MiB and 6 bytes for each byte of its request.
	maxExchanges = 64
	// maxRead is how many bytes of answers are read into trees at the same time; a
	// tree takes 50 to 100 times as much. Answers up to smallRead do not count.
	maxRead   = 1 << 20
	smallRead = 16 << 10
)

// Flight bounds what is in flight at the same time.
type Flight struct{ exchanges, read *semaphore.Weighted }

// NewFlight returns the bounds of one run.
func NewFlight() Flight {
	return Flight{semaphore.NewWeighted(maxExchanges), semaphore.NewWeighted(maxRead)}
}

// Enter waits until there is memory to read an answer into a tree. The caller must
// call leave when the tree is gone. It is not ok if the run ends first.
func (f *Flight) Enter(ctx context.Context, e *exchange.Exchange) (leave func(), ok bool) {
	if e.Response == nil || len(e.Response.Content) <= smallRead {
		return func() {}, true
	}
	n := min(int64(len(e.Response.Content)), maxRead)
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
