package explore

import (
	"context"
	"net/http"
	"slices"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
)

// Send sends one message on a session, no faster than the target and the rate
// allow. The exchange is nil if the run ended before it was sent, or if the target
// asked for a longer wait than a case may take.
func (t *Target) Send(ctx context.Context, s Session, m *message.Message, caseID, sender string) *exchange.Exchange {
	return t.SendWithin(ctx, s, m, caseID, sender, t.Timeout)
}

// SendWithin is Send with a shorter wait for the answer than the --timeout of the
// user.
func (t *Target) SendWithin(ctx context.Context, s Session, m *message.Message, caseID, sender string, wait time.Duration) *exchange.Exchange {
	t.keep(ctx, m)
	answered := t.tells(m, sender)
	e := t.sendWithin(ctx, s, m, caseID, sender, wait)
	answered(e)
	return e
}

// tells reports the values that a request sends, and returns a function that reports its answer. A
// value that is not reported would pass for one that the target made.
func (t *Target) tells(m *message.Message, sender string) (answered func(*exchange.Exchange)) {
	if m.Op.Body == nil && m.Params == nil || t.Sending == nil {
		return func(*exchange.Exchange) {}
	}
	return t.Sending(m, sender)
}

func (t *Target) sendWithin(ctx context.Context, s Session, m *message.Message, caseID, sender string, wait time.Duration) *exchange.Exchange {
	wire := t.Endpoint.Wire(m, caseID)
	var waited time.Duration
	again := 0 // with another credential
	for tries := 0; ; tries++ {
		if lone := alone(m); tries == 1 && lone != m {
			m, wire = lone, t.Endpoint.Wire(lone, caseID)
		}
		e, began := t.sendOnce(ctx, s, m, wire, wait)
		if e == nil {
			return nil
		}
		d, limited := t.throttle.Timeout(e, tries)
		// If others renewed the credential meanwhile, it expired while this request was under
		// way: it may pause longer than a credential lasts.
		meanwhile := t.Endpoint.Keys.Number() != wire.Keys
		switch {
		case t.renewed(ctx, m, e, again >= maxAgain):
			if !m.Behind && !meanwhile {
				again++
			}
			wire = t.Endpoint.Wire(m, caseID)
		case outOfTime(e) && tries < limits.OutOfTimeTries:
			s.Fresh()
		case m.Crowd && overloaded(e) && tries < limits.CrowdTries:
			client.Pause(ctx, limits.ThrottleFirst<<tries)
			s.Fresh()
		case limited && t.lockedOut(ctx, s, m, e, d):
			return e
		case limited:
			beyond := e.Fresh && t.Facts.Limited
			if beyond {
				// The previous connection is closed here, but the target may not
				// have noticed yet.
				d = min(d, limits.ClosingWait<<min(tries, 10))
				s.Fresh()
			}
			if waited += d; waited > limits.ThrottleWait {
				t.throttle.Limited(time.Now(), began, 0, false)
				t.resent(m, e)
				return nil
			}
			valid := t.Endpoint.Classify(m, e.Request).Credential == message.CredentialValid
			t.throttle.Limited(time.Now(), began, d, valid && !beyond)
		case t.Facts.Few && e.Fresh && closed(e) && tries < limits.ClosingTries:
			// The same, for a target that closes a surplus connection without an
			// answer.
			client.Pause(ctx, limits.ClosingWait<<tries)
		default:
			t.broken.note(m, e, sender)
			if e.Failure == nil {
				t.throttle.Answered(time.Now())
				// What is behind another request is answered before it is waited for, and what
				// is sent in pieces is not the target's to hurry.
				if !wire.Behind && len(wire.Cuts) == 0 && m.Rest == message.RestNever {
					t.pace.Answered(e.Took)
				}
				if e.Status()/100 == 4 {
					t.refused.Add(1)
				}
				t.made.note(m, e)
				if t.Clears(m.Op) && Accepted(m.Op, e) {
					t.shared.forgetAll()
				}
				t.turnOn(ctx, s, m, e)
				t.changed(m, e)
			}
			return e
		}
		t.resent(m, e)
	}
}

// resent hands over an answer that no case sees.
func (t *Target) resent(m *message.Message, e *exchange.Exchange) {
	if t.Resent != nil && e.Failure == nil {
		t.Resent(m, e)
	}
}

// alone returns a message without what travels with it, which is not sent twice.
func alone(m *message.Message) *message.Message {
	if !m.Behind && len(m.Followed) == 0 {
		return m
	}
	m = m.Clone()
	m.Behind, m.Followed = false, nil
	return m
}

// maxAgain is how often a request may renew the credential: on a busy machine the new one
// can expire before the request is sent with it.
const maxAgain = 2

// sendOnce sends a request when the rate allows, and returns when that was. The
// exchange is nil if the run ended first.
func (t *Target) sendOnce(ctx context.Context, s Session, m *message.Message, wire *exchange.Request, wait time.Duration) (e *exchange.Exchange, began time.Time) {
	if !t.paced(ctx) || !t.passes(ctx) {
		return nil, began
	}
	t.begin()
	began = time.Now()
	leave, ok := t.flight.Exchange(ctx)
	if !ok {
		return nil, began
	}
	e = t.do(ctx, s, m, wire, wait)
	leave()
	t.throttle.Landed()
	if e.Failure != nil && e.Failure.Kind == exchange.Canceled {
		return nil, began
	}
	t.sent.Add(1)
	t.timeline.Sent(began, e.Failure == nil)
	return e, began
}

// do sends a message and waits for the answer.
func (t *Target) do(ctx context.Context, s Session, m *message.Message, wire *exchange.Request, wait time.Duration) *exchange.Exchange {
	over := t.Waits.For("waiting for an answer (--timeout)")
	e := s.Do(ctx, wire, wait)
	over()
	t.leaves(m, e)
	return e
}

// leaves counts a valid request whose answer did not come: it may have made something that nothing names.
func (t *Target) leaves(m *message.Message, e *exchange.Exchange) {
	if e.Failure == nil || e.Failure.Kind != exchange.TimedOut && e.Failure.Kind != exchange.Canceled ||
		m.Op.Method != http.MethodPost && m.Op.Method != http.MethodPut || len(t.made.makers[m.Op.First()]) == 0 || t.Endpoint.Classify(m, e.Request).Expectation() != message.Accept {
		return
	}
	t.made.lose(m.Op, "did not answer, and may have made something")
}

// outOfTime reports whether the target gave up waiting for a request that was sent
// completely (408). One of the two machines was busy, and a client may send the
// request again on another connection (RFC 9110, 15.5.9).
func outOfTime(e *exchange.Exchange) bool {
	return e.Status() == http.StatusRequestTimeout
}

// overloaded reports whether the target says that it cannot serve so many requests at the
// same time for now (RFC 9110, 15.6.4).
func overloaded(e *exchange.Exchange) bool {
	return e.Status() == http.StatusServiceUnavailable
}

// paced waits as --rate asks. It returns false if the run ended.
func (t *Target) paced(ctx context.Context) bool {
	if t.limiter == nil {
		return true
	}
	defer t.Waits.For("waiting because of --rate")()
	if t.limiter.Wait(ctx) == nil {
		return true
	}
	// The limiter does not wait beyond the end of the run. That is not a delay that
	// the target asked for.
	<-ctx.Done()
	return false
}

// passes waits as the target asks. It returns false if the run ended.
func (t *Target) passes(ctx context.Context) bool {
	defer t.Waits.For("waiting because the server asks for it (429 or Retry-After)")()
	return t.throttle.Pass(ctx)
}

// lockedOut reports whether a 429 refuses only this credential: the run has waited
// long enough for such answers, the valid credential is accepted right after it, on
// the same session, because the target may serve a single connection, and this one is
// then refused again: the first time the target may not have noticed that another
// connection was closed.
func (t *Target) lockedOut(ctx context.Context, s Session, m *message.Message, e *exchange.Exchange, asked time.Duration) bool {
	if e.Status() != http.StatusTooManyRequests || t.Endpoint.Classify(m, e.Request).Credential == message.CredentialValid ||
		t.pace.Affords(asked) {
		return false
	}
	behind := t.sendNow(ctx, s, t.Baseline(t.Fresh(m.Op)).Put(m.Bound), "control", t.Timeout)
	return Accepted(m.Op, behind) && client.Throttled(t.sendNow(ctx, s, alone(m), "control", t.Timeout))
}

// sendNow is now, and undoes what the message did to others.
func (t *Target) sendNow(ctx context.Context, s Session, m *message.Message, caseID string, wait time.Duration) *exchange.Exchange {
	e := t.atOnce(ctx, s, m, caseID, wait)
	t.turnOn(ctx, s, m, e)
	return e
}

// now sends one message once, whatever the pace. The exchange is nil if the run ended before.
func (t *Target) now(ctx context.Context, s Session, m *message.Message, wait time.Duration) *exchange.Exchange {
	if !t.paced(ctx) {
		return nil
	}
	return t.atOnce(ctx, s, m, "control", wait)
}

// atOnce sends one message once and at once, whatever the rate and the pace.
func (t *Target) atOnce(ctx context.Context, s Session, m *message.Message, caseID string, wait time.Duration) *exchange.Exchange {
	began, answered := time.Now(), t.tells(m, caseID)
	e := t.do(ctx, s, m, t.Endpoint.Wire(m, caseID), wait)
	answered(e)
	t.sent.Add(1)
	t.timeline.Sent(began, e.Failure == nil)
	t.made.note(m, e)
	if client.Throttled(e) {
		t.resent(m, e)
	}
	return e
}

// begin records when the first request was sent.
func (t *Target) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first.IsZero() {
		t.first = time.Now()
	}
}

// Control sends a baseline request on a fresh connection and reports whether it was
// answered at all. The exchange is for the report.
func (t *Target) Control(ctx context.Context, op *openapi.Operation) (*exchange.Exchange, bool) {
	s := t.Client.Session()
	defer s.Close()
	m := t.Baseline(t.Fresh(op))
	if err := t.Bind(ctx, s, m); err != nil {
		return nil, false
	}
	e := t.Send(ctx, s, m, "control", "control")
	return e, e != nil && e.Failure == nil
}

// Baseline returns a baseline request that this target accepts: it has the optional
// members that the target needs.
func (t *Target) Baseline(g *plan.Gen) *message.Message {
	m := g.Baseline()
	t.Facts.Complete(g, m)
	if len(m.Bound) > 0 {
		m = m.Put(t.shared.of(m.Op))
		if chosen := t.chosen.values(t, m.Op); len(chosen) > 0 {
			m = m.Put(chosen)
		}
	}
	return m
}

// spare returns how many connections the target serves at once beside those that are open, of
// which it closes none: limits.Spare, and limits.SlowSpare more if its answers take so long that
// most of a run would be waiting.
func (t *Target) spare(ctx context.Context, op *openapi.Operation, open []Session) int {
	if slices.ContainsFunc(open, func(s Session) bool { return !s.Kept() }) {
		return 0
	}
	median := t.pace.Median()
	steps := []struct {
		more int
		wait time.Duration
	}{{limits.Spare, limits.SpareFactor * median * limits.Spare}, {limits.SlowSpare, limits.SpareFactor * median}}
	if median < limits.SlowMedian {
		steps = steps[:1]
	}
	found, all := 0, slices.Clone(open)
	for _, step := range steps {
		var additional []Session
		for range step.more {
			s := t.Client.Session()
			defer s.Close()
			additional = append(additional, s)
		}
		all = slices.Concat(additional, all)
		if !t.answersAll(ctx, op, additional, max(limits.LateAnswers, step.wait), false) || !t.answersAll(ctx, op, all, t.Timeout, true) {
			for _, s := range all {
				s.Close()
			}
			t.awaitAnswer(ctx, op)
			break
		}
		found += step.more
	}
	return found
}

// answersAll reports whether requests that are sent at the same time are accepted, one on each
// session. If kept is set, each has to come on the connection that the session has already.
func (t *Target) answersAll(ctx context.Context, op *openapi.Operation, sessions []Session, wait time.Duration, kept bool) bool {
	served := make([]bool, len(sessions))
	var asked parallel.Group
	for i, s := range sessions {
		m := t.Baseline(t.Fresh(op))
		asked.Go(func() {
			e := t.sendNow(ctx, s, m, "preflight", wait)
			served[i] = Accepted(op, e) && !(kept && e.Fresh)
		})
	}
	asked.Wait()
	return !slices.Contains(served, false)
}

// turnedAway asks again on the connections that were refused with 429, or 503 with
// Retry-After, and returns how many of them are served then. If the first
// connection is served while another is not, the target limits connections.
// Otherwise it limits requests, and that passes.
func (t *Target) turnedAway(ctx context.Context, op *openapi.Operation, sessions []Session, turned []bool, wait time.Duration) int {
	ask := func(s Session) *exchange.Exchange {
		return t.sendNow(ctx, s, t.Baseline(t.Fresh(op)), "preflight", wait)
	}
	served, waits := 0, 0
	for i := range turned {
		if !turned[i] {
			continue
		}
		for waits < limits.ProbeWaits && ctx.Err() == nil {
			e := ask(sessions[i])
			if e.Failure != nil {
				break
			}
			d, again := t.throttle.Timeout(e, waits)
			if !again {
				served++
				break
			}
			if first := ask(sessions[0]); first.Failure == nil && !client.Throttled(first) {
				t.Facts.Limited = true
				return served
			}
			waits++
			over := t.Waits.For("waiting because the server asks for it (429 or Retry-After)")
			client.Pause(ctx, min(d, limits.ProbeWait))
			over()
		}
	}
	return served
}
