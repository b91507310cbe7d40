package judge

import (
	"context"
	"net/http"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/request"
)

// send sends one message on a session, waiting as the target and the rate ask.
// The exchange is nil where the run ended before it was sent, or the target
// asked for more patience than a case has.
func (j *Judge) send(ctx context.Context, s *exchange.Session, m *request.Message, caseID, owner string) *exchange.Exchange {
	return j.sendWithin(ctx, s, m, caseID, owner, j.Timeout)
}

// sendWithin is send that waits less for the answer than the user says.
func (j *Judge) sendWithin(ctx context.Context, s *exchange.Session, m *request.Message, caseID, owner string, wait time.Duration) *exchange.Exchange {
	wire := j.Endpoint.Wire(m, caseID)
	if m.Op.Body != nil && m.Raw == nil {
		j.owners.note(m.Op, m.Tree, owner)
	}
	var waited time.Duration
	for tries := 0; ; tries++ {
		if !j.paced(ctx) || !j.throttle.pass(ctx) {
			return nil
		}
		j.begin()
		began := time.Now()
		leave, ok := j.flight.exchange(ctx)
		if !ok {
			return nil
		}
		e := s.Do(ctx, wire, wait)
		leave()
		j.throttle.landed()
		if e.Failure != nil && e.Failure.Kind == exchange.Canceled {
			return nil
		}
		j.sent.Add(1)
		if outOfTime(e) && tries < outOfTimeTries {
			s.Fresh()
			continue
		}
		if d, ok := j.throttle.patience(e, tries); ok {
			if j.lockedOut(ctx, s, m, e, d) {
				return e
			}
			beyond := e.Fresh && j.facts.Limited
			if beyond {
				// The connection before is closed already, but not yet for the target.
				d = min(d, closingWait<<min(tries, 10))
				s.Fresh()
			}
			if waited += d; waited > throttleWait {
				j.throttle.limited(time.Now(), began, 0, false)
				return nil
			}
			valid := j.Endpoint.Classify(m, e.Request).Credential == request.CredentialValid
			j.throttle.limited(time.Now(), began, d, valid && !beyond)
			continue
		}
		if j.facts.Few && e.Fresh && closed(e) && tries < closingTries {
			// As above, where the target says nothing to a connection too many.
			pause(ctx, closingWait<<tries)
			continue
		}
		if e.Failure == nil {
			j.throttle.answered(time.Now())
			j.pace.answered(e.Took)
		}
		return e
	}
}

// outOfTime tells whether the target gave up waiting for a request that was sent
// whole: one of the two machines was busy, and a client may send it again on
// another connection (RFC 9110, 15.5.9).
func outOfTime(e *exchange.Exchange) bool {
	return e.Failure == nil && e.Response.Status == http.StatusRequestTimeout
}

// paced waits as the rate of the user asks; false where the run ended.
func (j *Judge) paced(ctx context.Context) bool {
	if j.limiter == nil || j.limiter.Wait(ctx) == nil {
		return true
	}
	// The limiter does not wait for a turn behind the end of the run. It is not
	// the target that asks for patience then.
	<-ctx.Done()
	return false
}

// lockedOut tells whether a 429 is the refusal of a credential and no more: the
// run has waited long enough for such, and the valid credential is answered right
// behind it, on the same session: the target may serve one connection alone.
func (j *Judge) lockedOut(ctx context.Context, s *exchange.Session, m *request.Message, e *exchange.Exchange, asked time.Duration) bool {
	if e.Response.Status != http.StatusTooManyRequests || j.Endpoint.Classify(m, e.Request).Credential == request.CredentialValid ||
		j.pace.affords(asked) {
		return false
	}
	valid := j.mild(j.Plan.Preflight(m.Op, j.identity(0), generate.TwinNumber(j.twin())))
	behind := s.Do(ctx, j.Endpoint.Wire(valid, "control"), j.Timeout)
	j.sent.Add(1)
	return behind.Failure == nil && behind.Response.Status/100 == 2
}

// begin notes when the first request left.
func (j *Judge) begin() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.first.IsZero() {
		j.first = time.Now()
	}
}

// control sends a mild request on a fresh connection and tells whether it was
// answered at all; the exchange is for the record.
func (j *Judge) control(ctx context.Context, op *contract.Operation) (*exchange.Exchange, bool) {
	s := j.Client.Session()
	defer s.Close()
	g := j.Plan.Preflight(op, j.identity(0), generate.TwinNumber(j.twin()))
	e := j.send(ctx, s, j.mild(g), "control", "control")
	return e, e != nil && e.Failure == nil
}

// mild makes a request that this target takes: with the optional members that
// it was seen to need.
func (j *Judge) mild(g *generate.Gen) *request.Message {
	m := g.Mild()
	j.facts.complete(g, m)
	return m
}
