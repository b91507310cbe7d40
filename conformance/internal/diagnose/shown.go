package diagnose

import (
	"bytes"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// Shown returns a step for people and files. All bytes of an exchange become text
// here, so that no secret is shown.
func (e *Explainer) Shown(p *judge.Played, caseID string) report.Step {
	shown := e.target.Endpoint.Shown(p.Step.Message, caseID)
	st := report.Step{Connection: p.Step.Connection + 1, Parallel: p.Step.Parallel, IdleMS: p.Step.Idle.Milliseconds(), Case: p.Step.Of, Await: shown.AwaitContinue, Cuts: shown.Cuts}
	st.TraceID = message.TraceID(shown.Head)
	wire := append(append([]byte(nil), shown.Head...), shown.Body...)
	st.Request = shortened(e.judge.Redactor.Own(wire), len(shown.Head)+2*limits.Kept)
	if p.Exchange == nil {
		return st
	}
	hide := e.judge.Redactor.And(e.presented(p.Step.Message)...)
	if r := p.Exchange.Response; r != nil {
		head, more := first(r.Head, e.judge.Reach())
		body, rest := first(legible(r, hide), e.judge.Reach())
		rest += p.Left
		if more > 0 { // what follows would look like a part of the headers
			rest, body = more+len(body)+rest, nil
		}
		st.Response = shortened(hide.Bytes(slices.Concat(head, body), rest > 0), min(len(head), 2*limits.Kept)+limits.Kept)
		st.Response.Cut += rest
	} else {
		came, rest := first(p.Exchange.Received, e.judge.Reach())
		st.Response = shortened(hide.Bytes(came, true), limits.Kept)
		st.Response.Cut += rest
	}
	if p.Exchange.Failure != nil {
		st.Failure = hide.Text(p.Exchange.Failure.Error())
	}
	return st
}

// first returns the first bytes of b, at most most, and the number of the others.
func first(b []byte, most int) (head []byte, rest int) {
	if len(b) <= most {
		return b, 0
	}
	return b[:most], len(b) - most
}

// mostUncoded bounds how much of an encoded body is examined.
const mostUncoded = 64 << 10

// legible returns the body of an answer as it came. If the body hides a secret in a
// content coding, it is returned decoded.
func legible(r *exchange.Response, hide *redact.Redactor) []byte {
	if len(r.Content) == 0 || bytes.Equal(r.Content, r.Body) {
		return r.Body
	}
	if plain, _ := first(r.Content, mostUncoded); !bytes.Equal(hide.Bytes(plain, true), plain) {
		return r.Content
	}
	return r.Body
}

// presented returns the credentials of a message that were made from the token and
// may be too short for their parts to be recognised.
func (e *Explainer) presented(m *message.Message) []redact.Secret {
	var out []redact.Secret
	for _, c := range m.Credentials {
		if !strings.Contains(c.Show, "CONFORMANCE_TOKEN") {
			continue
		}
		value, show := c.Value(e.target.Endpoint.Credential(c.Scheme)), e.target.Endpoint.Shows(c)
		if scheme, rest, found := strings.Cut(value, " "); found && strings.HasPrefix(show, scheme+" ") {
			value, show = strings.TrimSpace(rest), strings.TrimPrefix(show, scheme+" ")
		}
		if len(value) > 2 {
			out = append(out, redact.Secret{Value: value, Shown: show})
		}
	}
	return out
}

// shortened returns the first n bytes, and counts the others.
func shortened(b []byte, n int) report.Bytes {
	if len(b) <= n {
		return report.Bytes{Data: b}
	}
	return report.Bytes{Data: b[:n], Cut: len(b) - n}
}

// Hide removes secrets from a text that a target sent.
func (e *Explainer) Hide(s string) string { return e.judge.Redactor.Text(s) }

// Own removes secrets from a text about what this suite sent.
func (e *Explainer) Own(s string) string { return string(e.judge.Redactor.Own([]byte(s))) }
