package reports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// asRecorded sends the bytes of a report as they are, except for Host. They are not
// those of the plan, so the answers cannot be judged.
func (p *Player) asRecorded(ctx context.Context, c *plan.Case, r Recorded, why error) (*report.Transcript, error) {
	t := &report.Transcript{Case: c.ID, Reason: "the bytes in the report differ from the plan: " + why.Error()}
	if !r.SameOrigin && r.asksForToken() {
		t.Reason += "; the token was not sent, because the report is about another target"
	}
	sessions := map[int]explore.Session{}
	defer func() {
		for _, s := range sessions {
			s.Close()
		}
	}()
	for _, st := range r.Steps {
		wire, shown, err := p.fill(c, st, r.SameOrigin)
		if err != nil {
			return nil, err
		}
		s := sessions[st.Connection]
		if s == nil {
			s = p.target.Client.Session()
			sessions[st.Connection] = s
		}
		e := s.Do(ctx, wire, p.target.Timeout)
		if e.Failure != nil && e.Failure.Kind == exchange.Canceled {
			t.Reason = execute.EndedReason
			return t, nil
		}
		answer := p.explain.Shown(&judge.Played{Step: plan.Step{Message: &message.Message{Op: c.Op}}, Exchange: e}, c.ID)
		t.Steps = append(t.Steps, report.Step{Connection: st.Connection, Request: report.Bytes{Data: shown},
			Response: answer.Response, Failure: answer.Failure})
	}
	return t, nil
}

// asksForToken reports whether a credential was removed from the bytes.
func (r Recorded) asksForToken() bool {
	return slices.ContainsFunc(r.Steps, func(st report.Step) bool { return bytes.Contains(st.Request.Data, []byte(variables)) })
}

// variables is the prefix of the names that replace a credential.
const variables = "CONFORMANCE_"

// fill makes the request of a recorded step: Host names the target, and the
// credential is filled in if token is set. Every other line stays as it is,
// including white space. Shown is the request without secrets.
func (p *Player) fill(c *plan.Case, st report.Step, token bool) (r *exchange.Request, shown []byte, err error) {
	head, framed, ok := bytes.Cut(st.Request.Data, []byte("\r\n\r\n"))
	if !ok {
		return nil, nil, errors.New("a request in the report has no end of its headers: the report was changed")
	}
	for i, at := range st.Cuts {
		if at < -len(head) || at > len(framed) || i > 0 && at <= st.Cuts[i-1] || i == maxCuts {
			return nil, nil, errors.New("a request in the report is split outside its body: the report was changed")
		}
	}
	lines := strings.Split(string(head), "\r\n")
	public := slices.Clone(lines)
	if token && strings.Contains(lines[0], variables) {
		if lines[0], err = p.inLine(c, lines[0]); err != nil {
			return nil, nil, err
		}
	}
	for i, l := range lines[1:] {
		name, value, _ := strings.Cut(l, ":")
		value = strings.Trim(value, " \t")
		switch {
		case strings.EqualFold(name, "Host"):
			lines[i+1] = name + ": " + p.target.Endpoint.Target.Authority
			public[i+1] = lines[i+1]
		case token && strings.Contains(value, variables):
			real, err := p.evaluate(c, name, value)
			if err != nil {
				return nil, nil, err
			}
			lines[i+1] = name + ": " + real
		}
	}
	method, _, _ := strings.Cut(lines[0], " ")
	r = &exchange.Request{Method: method, Head: []byte(strings.Join(lines, "\r\n") + "\r\n\r\n"), Body: framed, AwaitContinue: st.Await, Cuts: st.Cuts}
	return r, append([]byte(strings.Join(public, "\r\n")+"\r\n\r\n"), framed...), nil
}

// maxCuts is how often a recorded request may pause, because each pause takes
// time.
const maxCuts = 8

// evaluate turns the shown form of a credential into its value.
func (p *Player) evaluate(c *plan.Case, field, show string) (string, error) {
	e := p.target.Endpoint
	for i, h := range e.ShownHeaders {
		if strings.EqualFold(h.Name, field) && h.Value == show {
			return e.Headers[i].Value, nil
		}
	}
	a := e.Auth(c.Op)
	if a == nil {
		return "", errors.New("the request has a credential, but the document requires none")
	}
	for _, e := range []*message.Endpoint{e, e.AsOther()} {
		if strings.EqualFold(field, "Cookie") {
			if value, found := replaced(show, e.CookieTexts(presentable(a))); found {
				return value, nil
			}
		}
		for _, credential := range presentable(a) {
			if credential.In == "" && strings.Trim(e.Shows(credential), " \t") == show && strings.EqualFold(credential.Field, field) {
				return credential.Value(e.Credential(credential.Scheme)), nil
			}
		}
	}
	return "", fmt.Errorf("credential %s was not made by this suite: the report was changed, or has another version", show)
}

// inLine fills the credential into the query of a request line.
func (p *Player) inLine(c *plan.Case, line string) (string, error) {
	e := p.target.Endpoint
	if a := e.Auth(c.Op); a != nil {
		for _, e := range []*message.Endpoint{e, e.AsOther()} {
			if value, found := replaced(line, e.QueryTexts(presentable(a))); found {
				return value, nil
			}
		}
	}
	return "", fmt.Errorf("the credential in %s was not made by this suite: the report was changed, or has another version", line)
}

// presentable lists everything that the suite presents for an operation.
func presentable(a *message.Auth) []message.Presented {
	list := a.Valid()
	for _, t := range a.Attempts() {
		list = append(list, t.All()...)
	}
	for _, t := range a.Others() {
		list = append(list, t.Presented...)
	}
	return list
}

// replaced replaces the longest shown form that a text has, and those that are left.
func replaced(text string, forms []message.Text) (string, bool) {
	for range maxShown {
		best := message.Text{}
		for _, f := range forms {
			if len(f.Shown) > len(best.Shown) && strings.Contains(text, f.Shown) {
				best = f
			}
		}
		if best.Shown == "" {
			return text, false
		}
		if text = strings.Replace(text, best.Shown, best.Value, 1); !strings.Contains(text, variables) {
			return text, true
		}
	}
	return text, false
}

// maxShown is how many credentials one line has at most.
const maxShown = 8

// headRead is the head of a request, in parts.
type headRead struct {
	method, path, query, proto string
	lines                      []string // of the fields, to the blank
	fields                     []exchange.Field
}

func readHead(text string) headRead {
	lines := strings.Split(text, "\r\n")
	var h headRead
	h.method, h.path, _ = strings.Cut(lines[0], " ")
	if i := strings.LastIndexByte(h.path, ' '); i >= 0 {
		h.path, h.proto = h.path[:i], h.path[i+1:]
	}
	h.path, h.query, _ = strings.Cut(h.path, "?")
	h.lines = lines[1:]
	for _, l := range h.lines {
		name, value, _ := strings.Cut(l, ":")
		h.fields = append(h.fields, exchange.Field{Name: name, Value: strings.TrimPrefix(value, " ")})
	}
	return h
}

func (h *headRead) value(name string) (string, bool) {
	for _, f := range h.fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value, true
		}
	}
	return "", false
}

// narrow returns a message without what shrinking removed: fields, a query, a
// framing, or a change that removes fields.
func (h *headRead) narrow(known *message.Message) *message.Message {
	m := known.Clone()
	kept := m.Fields[:0]
	for _, f := range m.Fields {
		if slices.Contains(h.fields, f) {
			kept = append(kept, f)
		} else if v, found := h.value(f.Name); found && (v == f.Value || len(v) == len(f.Value) && alikeButFresh(v, f.Value)) {
			kept = append(kept, exchange.Field{Name: f.Name, Value: v})
		}
	}
	m.Fields = kept
	m.Drop = slices.DeleteFunc(m.Drop, func(name string) bool {
		_, found := h.value(name)
		return found
	})
	if alikeButFresh(h.query, m.Query) || h.query == "" {
		m.Query = h.query
	}
	if h.proto == exchange.UsualVersion {
		m.Version = ""
	}
	_, chunked := h.value("Transfer-Encoding")
	_, awaits := h.value("Expect")
	if m.Framing.Chunky() && !chunked || m.Framing == message.Expect && !awaits {
		m.Framing = message.Length
	}
	return m
}

// ways returns the ways in which a recorded head differs from that of the plan.
func (h *headRead) ways(known headRead) []string {
	var out []string
	if h.method != known.method {
		out = append(out, fmt.Sprintf("method %s, not %s", printed(h.method), known.method))
	}
	if h.path != known.path {
		out = append(out, fmt.Sprintf("path %s, not %s", printed(h.path), known.path))
	}
	if h.query != known.query {
		out = append(out, fmt.Sprintf("query %s, which the plan does not send", printed(h.query)))
	}
	if h.proto != known.proto {
		out = append(out, fmt.Sprintf("%s, not %s", printed(h.proto), known.proto))
	}
	for _, l := range h.lines {
		if !slices.Contains(known.lines, l) {
			out = append(out, fmt.Sprintf("field %s, which the plan does not send", printed(l)))
		}
	}
	for _, l := range known.lines {
		if !slices.Contains(h.lines, l) {
			out = append(out, "no field "+printed(l))
		}
	}
	if len(out) == 0 && !slices.Equal(h.lines, known.lines) {
		out = append(out, "its headers are in another order")
	}
	return out
}

// printed returns a text of a report in a form that is safe to print, because
// anybody may have written it.
func printed(s string) string { return jsontree.Cut(exchange.Visible([]byte(s)), 120) }
