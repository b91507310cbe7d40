// Package target knows the implementation under test. Learn makes the pre-flight
// and fills Facts; Send is the only way by which a message reaches the target.
//
// A test gives New a scripted Client and needs no network.
package target

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pace"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/report"
)

// Target is the implementation under test: what is known of it, and the one door
// through which messages go to it, no faster than it and the user allow.
type Target struct {
	Options
	// Facts is what the pre-flight learned.
	Facts *Facts
	// Openings are exchanges of the pre-flight that are still to be judged.
	Openings []Opening
	// Reasons say why a run is incomplete, one sentence each.
	Reasons []string

	pace     pace.Meter
	throttle pace.Throttle
	flight   pace.Flight
	limiter  *rate.Limiter
	retries  atomic.Int64
	sent     atomic.Int64
	mu       sync.Mutex
	first    time.Time
	held     int // bytes of the openings
}

// Options are what a Target is made of.
type Options struct {
	Contract *contract.Contract
	Plan     *plan.Plan
	Endpoint *request.Endpoint
	Client   Client
	// Timeout is how long an answer is waited for, Rate how many requests a second
	// are sent at most; 0 sets no limit.
	Timeout time.Duration
	Rate    float64
	Seed    uint64
	// Sending, where it is set, is called with every body before it is sent; sender
	// names the request.
	Sending func(op *contract.Operation, body *jsontree.Value, sender string)
}

// Client opens sessions with the target.
type Client interface {
	Session() Session
	// HTTP2Alone reports whether the target speaks HTTP/2 and not HTTP/1.1.
	HTTP2Alone(ctx context.Context, f *exchange.Failure) bool
	// OtherScheme gives the scheme, http or https, under which the target answers
	// other than that of its URL; empty where there is none.
	OtherScheme(ctx context.Context) string
}

// Session is one connection at a time, kept as long as the target keeps it.
type Session interface {
	Do(ctx context.Context, r *exchange.Request, timeout time.Duration) *exchange.Exchange
	// Fresh makes the next request dial a new connection.
	Fresh()
	Close()
}

// Over gives the Client that sends over the network.
func Over(c *exchange.Client) Client { return network{c} }

type network struct{ *exchange.Client }

// Session opens a session over the network.
func (n network) Session() Session { return n.Client.Session() }

// New gives a target of which nothing is known yet.
func New(o Options) *Target {
	t := &Target{Options: o, Facts: &Facts{Seed: o.Seed}, flight: pace.NewFlight()}
	if o.Rate > 0 {
		t.limiter = rate.NewLimiter(rate.Limit(o.Rate), max(1, int(o.Rate/10)))
	}
	return t
}

// Because adds a reason why the run is incomplete.
func (t *Target) Because(reason string) {
	if !slices.Contains(t.Reasons, reason) {
		t.Reasons = append(t.Reasons, reason)
	}
}

// Fresh gives a generator for one request that belongs to no case: nobody sent
// its values before.
func (t *Target) Fresh(op *contract.Operation) *generate.Gen { return t.FreshAs(op, t.Identity(0)) }

// FreshAs is Fresh for another identity.
func (t *Target) FreshAs(op *contract.Operation, id generate.Identity) *generate.Gen {
	n := int64(t.Plan.Places(op))
	return t.Plan.Preflight(op, id, generate.RetryNumber(int(t.retries.Add(n)-n+1)))
}

// RetryOf gives the first place of a repeat of a case.
func (t *Target) RetryOf(c *plan.Case) int {
	n := int64(c.Retries())
	return int(t.retries.Add(n) - n + 1)
}

// Identity is that of this run; n above 0 asks for a retry.
func (t *Target) Identity(retry int) generate.Identity { return t.Facts.Identity(retry) }

// Exchanges is how many requests were sent.
func (t *Target) Exchanges() int { return int(t.sent.Load()) }

// First is when the first request left; zero where none did.
func (t *Target) First() time.Time { return t.first }

// Pace gives the median of the times that answers took, and the slowest.
func (t *Target) Pace() (median, slowest time.Duration) { return t.pace.Summary() }

// Limits says how often the target asked for patience.
func (t *Target) Limits() report.Limits { return t.throttle.Told() }

// Justified is how long it is worth waiting for an answer, as fast as the target
// is.
func (t *Target) Justified() time.Duration { return t.pace.Justifies() }

// Room waits until an answer may be read into a tree; leave is to be called when
// the tree is gone. It is not ok where the run ends first.
func (t *Target) Room(ctx context.Context, e *exchange.Exchange) (leave func(), ok bool) {
	return t.flight.Enter(ctx, e)
}
