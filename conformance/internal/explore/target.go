// Package explore knows the implementation under test. Learn runs the pre-flight and
// fills Facts. Send is the only way to send a message to the target.
//
// A test gives New a scripted Client and needs no network.
package explore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
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
	// Ended says why nothing more can be tried: an operation turned all others off for good, or the
	// target knows no path. It is empty otherwise.
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
	limited bool // a control was answered with 429
	changes changes
	broken  broken
	late    late
	// turn is when the turn of the operation that is explored ends; zero for never. later are those
	// that were accepted, and are explored once all others had their turn.
	turn    time.Time
	later   []*preflight
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
	// Settle is how long a resource may take to show after it was made.
	Timeout, Settle time.Duration
	Rate            float64
	Seed            uint64
	// Sending, if not nil, is called with every body and query before it is sent. The sender
	// identifies the request.
	Sending func(m *message.Message, sender string) (answered func(*exchange.Exchange))
	// Resent, if not nil, is called with every answer behind which the message is sent again, or
	// given up: no case sees it.
	Resent func(m *message.Message, e *exchange.Exchange)
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
func (t *Target) Fresh(op *openapi.Operation) *plan.Gen { return t.FreshAs(op, t.Identity(0)) }

// FreshAs is Fresh for another identity.
func (t *Target) FreshAs(op *openapi.Operation, id plan.Identity) *plan.Gen {
	n := int64(t.Plan.Places(op))
	retry := int(t.retries.Add(n) - n + 1)
	return t.Plan.Preflight(op, id.Later(retry), plan.RetryNumber(retry))
}

// RetryOf returns an unused retry id for a repeat of a case.
func (t *Target) RetryOf(c *plan.Case) int {
	n := int64(c.Retries())
	return int(t.retries.Add(n) - n + 1)
}

// Identity returns the identity of this run. A retry above 0 gives other fresh
// values.
func (t *Target) Identity(retry int) plan.Identity { return t.Facts.Identity(retry) }

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

// openValues lists the members of a body of which neither the document nor the user says which
// values are accepted.
func openValues(op *openapi.Operation) []string {
	if op.Body == nil || !op.HasJSON() {
		return nil
	}
	domains := op.Body.Shape.Domains
	return slices.DeleteFunc(slices.Sorted(maps.Keys(domains)), func(path string) bool {
		return domains[path].Given != "may-refuse" || domains[path].Value != nil
	})
}

// knownTries is how often a value is sent, and knownTaken how often it must be accepted to be
// known. Once is not enough: a target may accept each value only once.
const (
	knownTries = 4
	knownTaken = 2
)

// draw draws the values that known tries. It is called before the connections are probed: how many
// requests that takes depends on how busy the machine is, so values that are drawn later would
// differ from run to run.
func (p *preflight) draw() {
	p.facts.words = map[string]*jsontree.Value{}
	for _, path := range openValues(p.op) {
		p.facts.words[path] = jsontree.NewString(p.t.Fresh(p.op).Word())
	}
}

// LearnValues finds accepted values of members whose accepted values the document leaves open.
func (t *Target) LearnValues(ctx context.Context) {
	s := t.Client.Session()
	defer s.Close()
	for _, op := range t.tried() {
		if p := (&preflight{t: t, s: s, op: op, facts: t.Facts.ops[op]}); p.facts.Accepted {
			p.known(ctx)
		}
	}
}

// known finds an accepted value for each of these members. It must be accepted again, however
// the request is written.
func (p *preflight) known(ctx context.Context) {
	for _, path := range openValues(p.op) {
		v, taken := p.facts.words[path], 0
		if v == nil {
			continue
		}
		for range knownTries {
			if taken < knownTaken && p.takesValue(ctx, path, v) {
				taken++
			}
		}
		if taken == knownTaken {
			if p.facts.Known == nil {
				p.facts.Known = map[string]*jsontree.Value{}
			}
			p.facts.Known[path] = v
		}
	}
}

// UseKnown puts a known value into a message that may be refused only for the value that it has
// in this place. The message must then be accepted.
func (o *OpFacts) UseKnown(m *message.Message) {
	if len(o.Known) == 0 || m.Raw != nil || m.Tree == nil {
		return
	}
	r := m.Reading()
	if r == nil || r.Kind != schema.MayRefuse || len(r.Reasons) != 1 || r.Reasons[0].What != schema.GivenValue {
		return
	}
	if v := o.Known[r.Reasons[0].Path]; v != nil && m.Set(r.Reasons[0].Path, v.Clone()) {
		m.Given(r.Reasons[0].Path, v)
	}
}

// KeepsKnown reports whether the target still accepts the known value of a refused message, in
// at least one of several baseline requests. It is true for a message without a known value.
func (t *Target) KeepsKnown(ctx context.Context, s Session, m *message.Message) bool {
	for path, v := range t.Facts.Of(m.Op).Known {
		if m.Bound[path] == v && !t.keeps(ctx, s, m.Op, path, v) {
			return false
		}
	}
	return true
}

func (t *Target) keeps(ctx context.Context, s Session, op *openapi.Operation, path string, v *jsontree.Value) bool {
	for range knownTries {
		control := t.Baseline(t.Fresh(op))
		if control.Set(path, v.Clone()); Accepted(op, t.Send(ctx, s, control, "control", "control")) {
			return true
		}
	}
	return false
}

// takesValue reports whether a baseline request with this value in a place is accepted.
func (p *preflight) takesValue(ctx context.Context, path string, v *jsontree.Value) bool {
	message := p.t.Baseline(p.t.Fresh(p.op))
	return message.Set(path, v.Clone()) && p.try(ctx, message)
}

// otherScheme returns a sentence if the target answers under the other scheme, http
// or https, than that of its URL. It is empty if that cannot be why the exchange
// failed.
func (t *Target) otherScheme(ctx context.Context, e *exchange.Exchange) string {
	u := t.Endpoint.Target
	other := ""
	switch f := e.Failure; {
	case f != nil && f.PlainHTTP():
		other = "http"
	case f != nil && (f.Untold() || f.Kind == exchange.Malformed), f == nil && u.Scheme == "http" && !ofTheService(e.Response):
		other = t.Client.OtherScheme(ctx)
	}
	u.Scheme = other
	switch other {
	case "https":
		return fmt.Sprintf("the target speaks TLS: use --target %s", u)
	case "http":
		return fmt.Sprintf("the target does not speak TLS: use --target %s", u)
	}
	return ""
}

// ofTheService reports whether an answer comes from the service itself, and not
// from a TLS server that got plain HTTP: such a server refuses, asks to upgrade or
// redirects, without JSON.
func ofTheService(r *exchange.Response) bool {
	switch r.Status {
	case 301, 302, 307, 308, 400, 403, 426:
		return strings.Contains(strings.ToLower(r.Get("Content-Type")), "json")
	}
	return true
}
