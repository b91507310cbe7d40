package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// Replay plays one case with values that are fresh for this target, and gives
// what was sent, what came and what failed.
func (j *Judge) Replay(ctx context.Context, c *plan.Case) *report.Transcript {
	t := &report.Transcript{Case: c.ID}
	if j.Open(ctx); !j.settled {
		if t.Reason = strings.Join(j.out.Reasons, "; "); t.Reason != "" {
			return t // unreachable, or the credential is not accepted
		}
	}
	j.Cases = []*plan.Case{c}
	j.aim()
	own := j.Client.Session()
	defer own.Close()
	id := j.identity(1 + int(time.Now().UnixNano()/1000%8000))
	steps := j.Plan.Build(c, id)
	j.completeAll(c, id, steps)
	played, ok := j.play(ctx, c, id, steps, own, whole)
	if !ok {
		t.Reason = orElse(t.Reason, endedReason)
		return t
	}
	return j.transcribe(c, id, played, t)
}

// transcribe judges played steps into a transcript.
func (j *Judge) transcribe(c *plan.Case, id plan.Identity, list []played, t *report.Transcript) *report.Transcript {
	for i := range list {
		t.Steps = append(t.Steps, j.shown(&list[i], c.ID))
	}
	for _, f := range j.judge(c, id, list).failures {
		b := j.bound[f.at].req
		t.Failures = append(t.Failures, report.Result{Requirement: b.ID, Level: b.Level, Sentence: b.Sentence, Clause: b.Clause.String(),
			Verdict:  report.Fail,
			Failures: []report.Failure{{Case: c.ID, Class: c.Class.Slug, Expected: j.own(f.out.Expected), Got: j.hide(f.out.Got)}}})
	}
	return t
}

// ReplayBytes sends the bytes of a reported failure again.
func (j *Judge) ReplayBytes(ctx context.Context, c *plan.Case, f report.Failure) (*report.Transcript, error) {
	t := &report.Transcript{Case: c.ID}
	sessions := map[int]*exchange.Session{}
	defer func() {
		for _, s := range sessions {
			s.Close()
		}
	}()
	j.facts = Facts{}
	var list []played
	for i, st := range f.Steps {
		if st.Request.Cut > 0 {
			return nil, fmt.Errorf("request %d of the failure was too large for the report: replay the case %s instead", i+1, c.ID)
		}
		wire, shown, body, err := j.fill(c, st)
		if err != nil {
			return nil, err
		}
		s := sessions[st.Connection]
		if s == nil {
			s = j.Client.Session()
			sessions[st.Connection] = s
		}
		e := s.Do(ctx, wire, j.Timeout)
		if e.Failure != nil && e.Failure.Kind == exchange.Canceled {
			t.Reason = endedReason
			return t, nil
		}
		p := played{step: plan.Step{Connection: st.Connection - 1, Message: &plan.Message{Op: c.Op, Raw: body}}, ex: e}
		p.sent = j.Endpoint.ClassifyBytes(c.Op, wire, body)
		p.got = j.read(c.Op, e)
		list = append(list, p)
		answer := j.shown(&p, c.ID)
		t.Steps = append(t.Steps, report.Step{Connection: st.Connection, Request: report.Bytes{Data: shown},
			Response: answer.Response, Failure: answer.Failure})
	}
	r := &report.Transcript{Case: c.ID}
	j.aims = map[*plan.Case]bits{}
	t.Failures = j.transcribe(c, plan.Identity{}, list, r).Failures
	return t, nil
}

// fill puts the token, or what was made from it, back into the bytes, and the
// target's own name into Host. Every other line stays as it is, to the blank.
// Shown is the request as it is sent, without the token.
func (j *Judge) fill(c *plan.Case, st report.Step) (r *exchange.Request, shown, body []byte, err error) {
	head, framed, ok := bytes.Cut(st.Request.Data, []byte("\r\n\r\n"))
	if !ok {
		return nil, nil, nil, errors.New("the request in the report has no end of its head: the report was changed")
	}
	lines := strings.Split(string(head), "\r\n")
	public := slices.Clone(lines)
	chunked := false
	for i, l := range lines[1:] {
		name, value, _ := strings.Cut(l, ":")
		value = strings.Trim(value, " \t")
		switch {
		case strings.EqualFold(name, "Host"):
			lines[i+1] = name + ": " + j.Endpoint.Target.Authority
			public[i+1] = lines[i+1]
		case strings.Contains(value, "CONFORMANCE_TOKEN"):
			real, err := j.evaluate(c, name, value)
			if err != nil {
				return nil, nil, nil, err
			}
			lines[i+1] = name + ": " + real
		case strings.EqualFold(name, "Transfer-Encoding"):
			chunked = true
		}
	}
	r = &exchange.Request{Method: c.Op.Method, Head: []byte(strings.Join(lines, "\r\n") + "\r\n\r\n"), Body: framed, AwaitContinue: st.Await, Cuts: st.Cuts}
	shown = append([]byte(strings.Join(public, "\r\n")+"\r\n\r\n"), framed...)
	if body = framed; chunked {
		body = unchunk(framed)
	}
	return r, shown, body, nil
}

// evaluate turns the shown form of a credential into its value.
func (j *Judge) evaluate(c *plan.Case, field, show string) (string, error) {
	s := j.Endpoint.Scheme(c.Op)
	if s == nil {
		return "", errors.New("the request carries a credential and the document asks for none")
	}
	list := []plan.Presented{s.Valid(c.Op.Scheme)}
	for _, a := range s.Attempts(c.Op.Scheme) {
		list = append(list, a.Presented...)
	}
	for _, p := range list {
		if strings.Trim(p.Show, " \t") == show && strings.EqualFold(p.Field, field) {
			return p.Value(j.Endpoint.Token), nil
		}
	}
	return "", fmt.Errorf("credential %s is none that this suite makes: the report was changed or is of another version", show)
}

// unchunk reads back what exchange.Chunk wrote.
func unchunk(b []byte) []byte {
	head := []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
	e := exchange.ReadResponse(bytes.NewReader(append(head, b...)), &exchange.Request{Method: "POST", BodyLimit: len(b) + 1}, exchange.DefaultLimits())
	if e.Response == nil {
		return nil
	}
	return e.Response.Body
}
