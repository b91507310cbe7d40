// Package client decides when a request may leave: no faster than the target, the
// user and the memory of this machine allow. It also counts how long answers took, for
// the report; no verdict depends on that.
//
// Throttle learns from answers that ask to wait, Meter measures how fast the target
// answers, and Flight bounds what is in flight at the same time.
package client

import (
	"context"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// Throttle delays every worker if the target asks for fewer requests. It waits as
// long as the target says, and learns how to avoid the next such answer: first by
// fewer concurrent requests, and if one at a time is still too many, by a rate that
// it measures from what was served.
type Throttle struct {
	mu    sync.Mutex
	until time.Time // nobody sends before
	next  time.Time // nor before this, where there is a rate
	rate  float64   // requests a second; 0 sets no limit
	// flying is the number of requests in flight and most its limit; 0 sets none.
	// atOnce is the number that was too many, or 0 if it is not known.
	flying, maximum, atOnce int
	// ceiling is a rate at which the target asked to wait, and since when.
	ceiling float64
	since   time.Time
	grown   time.Time // the last change of the rate
	// mark is when served was last set to 0: at the first request, or the last time
	// that the target asked to wait.
	mark   time.Time
	served int
	// before is the last value of served. stuck counts how often in a row the
	// target served no more at a lower rate: it does not limit a rate then, and
	// none is kept.
	before, stuck int
	hopeless      bool

	limits      int
	waited      time.Duration
	unavailable int // 503 without Retry-After
}

// The measured rate is taken with a margin and grows after each growPause: in large
// steps if no rate is known to be too high, else in small ones, nearly up to that
// rate. That rate is forgotten after ceilingKept.
const (
	rateMargin  = 0.95
	rateMin     = 0.2
	rateGrowth  = 1.05
	rateSearch  = 1.5
	growPause   = time.Second
	ceilingKept = 15 * time.Second
	// slotsLate is how many requests may be sent at once to make up for late
	// workers, and slotsLatest how late they may be.
	slotsLate   = 4
	slotsLatest = 5 * time.Millisecond
	// landingPause is the pause between two checks whether fewer requests are in
	// flight.
	landingPause = time.Millisecond
	// stuckMax is how many reductions without effect end pacing; hopelessWait is
	// the first wait after that if the target gives no hint.
	stuckMax     = 3
	hopelessWait = 10 * time.Millisecond
)

// wait returns how long to wait before the next request; 0 takes the next slot.
func (t *Throttle) wait(now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.maximum > 0 && t.flying >= t.maximum {
		return landingPause
	}
	at := t.until
	if t.rate > 0 && t.next.After(at) {
		at = t.next
	}
	if d := at.Sub(now); d > 0 {
		return d
	}
	if t.mark.IsZero() {
		t.mark = now
	}
	if t.rate > 0 {
		gap := t.gap()
		if late := now.Add(-min(slotsLate*gap, slotsLatest)); t.next.Before(late) {
			t.next = late
		}
		t.next = t.next.Add(gap)
	}
	t.flying++
	return 0
}

// Landed ends a request that Pass let through.
func (t *Throttle) Landed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flying--
}

func (t *Throttle) gap() time.Duration { return time.Duration(float64(time.Second) / t.rate) }

// Pass waits until a request may be sent. It returns false if the context ended
// first. After true the caller must call Landed.
func (t *Throttle) Pass(ctx context.Context) bool {
	for ctx.Err() == nil {
		d := t.wait(time.Now())
		if d == 0 {
			return true
		}
		Pause(ctx, d)
	}
	return false
}

// Answered counts an answer that did not ask to wait, and lets the rate grow.
func (t *Throttle) Answered(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.served++
	if t.rate == 0 && t.maximum == 0 || now.Sub(t.grown) < growPause {
		return
	}
	if now.Sub(t.since) > ceilingKept {
		t.ceiling, t.atOnce = 0, 0
	}
	t.grown = now
	if t.rate == 0 {
		if t.atOnce == 0 || t.maximum+1 < t.atOnce {
			t.maximum++
		}
		return
	}
	grown := t.rate * rateSearch
	if t.ceiling > 0 {
		grown = min(t.rate*rateGrowth, t.ceiling*rateMargin)
	}
	t.rate = max(t.rate, grown)
}

// Limited records that a request sent at began was not served, and that the target
// asked to wait for d. If learns is false, this says nothing about a rate: a
// credential was refused, or a surplus connection.
func (t *Throttle) Limited(now, began time.Time, d time.Duration, learns bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.limits++
	together := began.Before(t.mark) && t.limits > 1
	if until := now.Add(d); until.After(t.until) {
		from := now
		if t.until.After(now) {
			from = t.until
		}
		t.waited += until.Sub(from)
		t.until = until
	}
	if !learns || together || d <= 0 || t.hopeless || t.served == 0 {
		return // where nothing was served yet, the target is no slower than it is busy
	}
	if t.rate > 0 || t.maximum == 1 {
		t.learn(now, d)
		t.maximum = 0
		return
	}
	t.since, t.mark, t.grown, t.served = now, now, now, 0
	if t.atOnce = t.maximum; t.maximum == 0 {
		t.maximum = 2
	}
	t.maximum--
}

// learn sets the rate to what was served since the target last asked to wait,
// including that wait.
func (t *Throttle) learn(now time.Time, d time.Duration) {
	took := now.Sub(t.mark)
	measured := rateMargin * float64(t.served) / max(took, time.Millisecond).Seconds()
	if t.rate > 0 {
		if t.stuck++; t.served > t.before+t.before/2 {
			t.stuck = 0
		}
		t.ceiling, t.since = t.rate, now
		measured = min(measured, t.rate*rateMargin)
	}
	t.before, t.served, t.mark, t.grown = t.served, 0, now, now
	if t.rate = max(measured, rateMin); t.stuck >= stuckMax {
		t.rate, t.hopeless = 0, true
	}
}

// Timeout returns the wait that an answer asks for, and whether it asks for one:
// 429, or 503 with Retry-After (RFC 6585, 4; RFC 9110, 15.6.4 and 10.2.3).
func (t *Throttle) Timeout(e *exchange.Exchange, tries int) (time.Duration, bool) {
	if !Throttled(e) {
		if e.Status() == 503 {
			t.mu.Lock()
			t.unavailable++
			t.mu.Unlock()
		}
		return 0, false
	}
	if after, asked := retryAfter(e); asked {
		return after, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	first := limits.ThrottleFirst
	if t.hopeless {
		first = hopelessWait
	}
	return first << min(tries, 6), true
}

// retryAfter returns how long an answer asks to wait, if it says so (RFC 9110, 10.2.3).
func retryAfter(e *exchange.Exchange) (time.Duration, bool) {
	hint := e.Response.Get("Retry-After")
	if n, err := strconv.Atoi(hint); err == nil && n >= 0 {
		return min(time.Duration(n), 3600) * time.Second, true
	}
	at, err := time.Parse(time.RFC1123, hint)
	return max(0, time.Until(at)), err == nil
}

// Throttled reports whether an answer only asks to wait. It does not count as an
// answer.
func Throttled(e *exchange.Exchange) bool {
	r := e.Response
	return r != nil && e.Failure == nil && (r.Status == 429 || r.Status == 503 && r.Get("Retry-After") != "")
}

// Told returns how often the target asked to wait, for the report.
func (t *Throttle) Told() report.Limits {
	t.mu.Lock()
	defer t.mu.Unlock()
	return report.Limits{Answers: t.limits, Waited: t.waited, Rate: int(t.rate), Unavailable: t.unavailable}
}

// Pause waits for d, or until the context ends.
func Pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// Waits is called when a wait begins that can last longer than a second, with what is
// waited for, such as "waiting for an answer". The function that it returns is called
// when the wait ends. It is called concurrently. Nil tells nobody.
type Waits func(what string) (over func())

// For begins a wait.
func (w Waits) For(what string) (over func()) {
	if w == nil {
		return func() {}
	}
	return w(what)
}

// Retry paces requests that are sent again until a target shows something.
type Retry struct {
	began time.Time
	next  time.Duration
}

// firstPause is how long a target has before it is asked again. Each pause is twice as
// long as the one before.
const firstPause = 20 * time.Millisecond

// NewRetry returns a Retry whose time begins now.
func NewRetry() *Retry { return &Retry{began: time.Now(), next: firstPause} }

// Within reports whether the next pause ends within a time from the beginning.
func (r *Retry) Within(maximum time.Duration) bool { return r.Took()+r.next <= maximum }

// Took returns how long ago the Retry began.
func (r *Retry) Took() time.Duration { return time.Since(r.began) }

// Obey makes the next pause at least as long as an answer asks for.
func (r *Retry) Obey(e *exchange.Exchange) {
	if after, asked := retryAfter(e); asked {
		r.next = max(r.next, after)
	}
}

// Pause waits before the next request. It returns false if the context ends first.
func (r *Retry) Pause(ctx context.Context) bool {
	Pause(ctx, r.next)
	r.next *= 2
	return ctx.Err() == nil
}

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
