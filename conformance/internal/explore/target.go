// Package target knows the implementation under test. Learn runs the pre-flight and
// fills Facts. Send is the only way to send a message to the target.
//
// A test gives New a scripted Client and needs no network.
package explore

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

// Target is the implementation under test and what is known of it. All messages go
// through it, no faster than the target and the user allow.
type Target struct {
	Options
	// Facts is what the pre-flight learned.
	Facts *Facts
	// Openings are exchanges of the pre-flight that are still to be judged.
	Openings []Opening
	// Reasons say why a run is incomplete, one sentence each.
	Reasons []string
	// Ended says why nothing more can be tried: an operation turned all others off for good. It
	// is empty if none did.
	Ended string

	pace     client.Meter
	timeline client.Timeline
	throttle client.Throttle
	flight   client.Flight
	limiter  *rate.Limiter
	retries  atomic.Int64
	sent     atomic.Int64
	refused  atomic.Int64
	mu       sync.Mutex
	first    time.Time
	held     int // bytes of the openings
	renewals renewals
	shared   *shared
	chosen   *chosen
	made     *made
	kept     *kept
	controls []*control // in the order in which they worked
	// silent is how the last control got no answer, and gone reports whether the target went
	// down in the pre-flight.
	silent  *exchange.Exchange
	gone    bool
	broken  broken
	late    late
	creates sync.Map // the PUT operations that created something
}

// Options are what a Target is made of.
type Options struct {
	Contract *openapi.Contract
	// Stated reports whether the user says in a requirements file what is accepted. If
	// not, a documented refusal of the baseline request may have a reason that the
	// document does not tell.
	Stated bool
	// Reach says where values may come from.
	Reach *resource.Map
	// Asking says how to give a credential that the document does not ask for.
	Asking string
	// Aside are the operations that are not tried.
	Aside map[*openapi.Operation]bool
	// Wary are operations whose names suggest a disruption, and that the user allows.
	Wary map[*openapi.Operation]bool
	// Unasked are those of them that are never sent, and OnlyOwn operations that are sent only
	// about what the run made.
	Unasked, OnlyOwn map[*openapi.Operation]bool
	Plan             *plan.Plan
	Endpoint         *message.Endpoint
	Client           Client
	// Timeout is how long to wait for an answer. Rate is the maximum number of
	// requests per second; 0 sets no limit.
	// Settle is how long a thing may take to show after it was made.
	Timeout, Settle time.Duration
	Rate            float64
	Seed            uint64
	// Sending, if not nil, is called with every body and query before it is sent. The sender
	// identifies the request.
	Sending func(m *message.Message, sender string) (answered func(*exchange.Exchange))
	// Waits is told what the run waits for.
	Waits client.Waits
	// Renew, if not nil, is called when the target refuses a credential that it accepted
	// before. It reports whether there is another one.
	Renew func(ctx context.Context) bool
}

// Client opens sessions with the target.
type Client interface {
	Session() Session
	// HTTP2Alone reports whether the target speaks HTTP/2 and not HTTP/1.1.
	HTTP2Alone(ctx context.Context, f *exchange.Failure) bool
	// OtherScheme returns the scheme, http or https, under which the target answers
	// if it is not that of its URL, and otherwise an empty string.
	OtherScheme(ctx context.Context) string
}

// Session is one connection at a time, kept open as long as the target keeps it.
type Session interface {
	Do(ctx context.Context, r *exchange.Request, timeout time.Duration) *exchange.Exchange
	// Fresh makes the next request dial a new connection.
	Fresh()
	// Kept reports whether the session still has the connection of an earlier request.
	Kept() bool
	Close()
}

// Over returns the Client that sends over the network.
func Over(c *exchange.Client) Client { return network{c} }

type network struct{ *exchange.Client }

// Session opens a session over the network.
func (n network) Session() Session { return n.Client.Session() }

// New returns a target of which nothing is known yet.
func New(o Options) *Target {
	t := &Target{Options: o, Facts: &Facts{Seed: o.Seed}, flight: client.NewFlight(), shared: newShared(), chosen: newChosen(), made: newMade(o.Contract, o.Reach), kept: newKept(o.Contract)}
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

// Fresh returns a generator for one request that belongs to no case. No request has
// sent its values before.
func (t *Target) Fresh(op *openapi.Operation) *generate.Gen { return t.FreshAs(op, t.Identity(0)) }

// FreshAs is Fresh for another identity.
func (t *Target) FreshAs(op *openapi.Operation, id generate.Identity) *generate.Gen {
	n := int64(t.Plan.Places(op))
	retry := int(t.retries.Add(n) - n + 1)
	return t.Plan.Preflight(op, id.Later(retry), generate.RetryNumber(retry))
}

// RetryOf returns an unused retry id for a repeat of a case.
func (t *Target) RetryOf(c *plan.Case) int {
	n := int64(c.Retries())
	return int(t.retries.Add(n) - n + 1)
}

// Identity returns the identity of this run. A retry above 0 gives other fresh
// values.
func (t *Target) Identity(retry int) generate.Identity { return t.Facts.Identity(retry) }

// Exchanges returns how many requests were sent.
func (t *Target) Exchanges() int { return int(t.sent.Load()) }

// Refusals returns how many requests were answered with a client error.
func (t *Target) Refusals() int { return int(t.refused.Load()) }

// Pace returns the median and the longest time that an answer took.
func (t *Target) Pace() (median, slowest time.Duration) { return t.pace.Summary() }

// FailedCase counts a case that failed now, for the timeline of the report.
func (t *Target) FailedCase() { t.timeline.Failed(time.Now()) }

// Times returns what was measured of a run that began then: when requests were sent, how
// long their answers took, and how often the target asked to wait.
func (t *Target) Times(began time.Time) report.Times {
	out := report.Times{Began: began, Took: time.Since(began), Timeline: t.timeline.Report(), Limits: t.throttle.Told()}
	t.pace.Report(&out)
	if !t.first.IsZero() {
		out.First = t.first.Sub(began)
	}
	return out
}

// Justified returns how long it is worth waiting for an answer, given how fast the
// target is.
func (t *Target) Justified() time.Duration { return t.pace.Justifies() }

// Room waits until there is memory to read an answer into a tree. The caller must
// call leave when the tree is gone. It is not ok if the run ends first.
func (t *Target) Room(ctx context.Context, e *exchange.Exchange) (leave func(), ok bool) {
	return t.flight.Enter(ctx, e)
}
