package judge

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// unaccepted files why no mild request was accepted: a failure, or a credential
// that the target does not know.
func (p *opening) unaccepted(ctx context.Context, out *Outcome) {
	j, e := p.j, p.last
	if f := e.Failure; f != nil && f.Unreached() {
		out.because("the target cannot be reached: " + reached(f) + ": start it, or mend --target")
		return
	}
	if e.Failure == nil && p.likeWrongToken(ctx, e) {
		out.because(fmt.Sprintf("credential not accepted: %s answers the valid token as it answers a wrong one, %d: give a token that the target accepts", p.op.Slug, e.Response.Status))
		return
	}
	if e.Failure == nil && e.Response.Status == http.StatusNotFound {
		out.because(fmt.Sprintf("nothing is found at %s%s: --target is the base address, without the path of an operation",
			j.Endpoint.Target, p.op.Path))
	}
	j.hold(openingExchange{p.op, p.message, e})
}

// reached words how far the way to a target led.
func reached(f *exchange.Failure) string {
	if f.Kind == exchange.TimedOut {
		return f.Error()
	}
	return f.Detail
}

// unauthorised are the statuses that servers refuse a credential with.
var unauthorised = []int{400, 401, 403, 407}

// likeWrongToken tells whether a wrong token gets the very same answer.
func (p *opening) likeWrongToken(ctx context.Context, e *exchange.Exchange) bool {
	if p.op.Scheme == nil || p.op.SchemeOptional || !slices.Contains(unauthorised, e.Response.Status) {
		return false
	}
	sc := p.j.Endpoint.Scheme(p.op)
	for _, a := range sc.Attempts(p.op.Scheme) {
		// A wrong token of the usual form: malformed ones may be told apart.
		if !strings.HasPrefix(a.Name, "wrong") || len(a.Presented) == 0 || a.Useful != nil && !a.Useful(p.j.Endpoint.Token) {
			continue
		}
		m := p.message.Clone()
		m.Credentials = a.Presented
		wire := p.j.Endpoint.Wire(m, "preflight")
		sent := p.j.Endpoint.Classify(m, wire)
		if sent.CredentialTransport || sent.Credential != request.CredentialToken {
			continue
		}
		p.s.Fresh()
		got := p.j.send(ctx, p.s, m, "preflight", "preflight")
		if got == nil || got.Failure != nil || got.Response.Status != e.Response.Status {
			return false
		}
		named := e.Response.Status == 401 || e.Response.Status == 403
		return named || bytes.Equal(got.Response.Content, e.Response.Content)
	}
	return false
}

// openingExchange is a mild request that opened the run, and what came of it.
type openingExchange struct {
	op *contract.Operation
	m  *request.Message
	e  *exchange.Exchange
}

// mostHeld is how many bytes of answers to mild requests wait to be judged: there
// may be thousands of operations, and a case of the plan asks the same.
const mostHeld = 8 << 20

// hold keeps an exchange of the pre-flight until it is judged.
func (j *Judge) hold(o openingExchange) {
	size := 0
	if r := o.e.Response; r != nil {
		size = len(r.Head) + len(r.Body) + len(r.Content)
	}
	if j.held += size; j.held <= mostHeld || len(j.openings) == 0 {
		j.openings = append(j.openings, o)
	}
}

// judgeOpening files what a mild request of the pre-flight came to, beside what
// comes of the first such case.
func (j *Judge) judgeOpening(o openingExchange) {
	for _, c := range j.Cases {
		if c.Op != o.op || c.Class.Claim != plan.ClaimPlain {
			continue
		}
		p := played{step: plan.Step{Message: o.m}, owner: "preflight", ex: o.e, sent: j.Endpoint.Classify(o.m, o.e.Request), got: j.read(o.op, o.e)}
		r := j.judge(c, j.identity(0), []played{p})
		if old := j.records[c]; old != nil && old.state == tried {
			r.failures = append(r.failures, old.failures...)
			r.passed.add(old.passed)
			r.masked.add(old.masked)
			r.observed, r.weak = append(r.observed, old.observed...), append(r.weak, old.weak...)
		}
		j.records[c] = r
		return
	}
	if !j.settled {
		j.out.because("no mild request was accepted")
	}
}
