package judge

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/report"
)

// shown gives a played step for people and files. It is the one door by which
// bytes of an exchange become text: no secret gets through it.
func (j *Judge) shown(p *played, caseID string) report.Step {
	shown := j.Endpoint.Shown(p.step.Message, caseID)
	st := report.Step{Connection: p.step.Connection + 1, Parallel: p.step.Parallel, Await: shown.AwaitContinue, Cuts: shown.Cuts}
	request := append(append([]byte(nil), shown.Head...), shown.Body...)
	st.Request = shortened(j.Redactor.Own(request), len(shown.Head)+2*kept)
	if p.ex == nil {
		return st
	}
	hide := j.Redactor.And(j.presented(p.step.Message)...)
	if r := p.ex.Response; r != nil {
		head, more := first(r.Head, j.reach())
		body, rest := first(legible(r, hide), j.reach())
		rest += p.left
		if more > 0 { // what is behind it would seem to be a part of the head
			rest, body = more+len(body)+rest, nil
		}
		st.Response = shortened(hide.Bytes(slices.Concat(head, body), rest > 0), min(len(head), 2*kept)+kept)
		st.Response.Cut += rest
	} else {
		came, rest := first(p.ex.Received, j.reach())
		st.Response = shortened(hide.Bytes(came, true), kept)
		st.Response.Cut += rest
	}
	if p.ex.Failure != nil {
		st.Failure = hide.Text(p.ex.Failure.Error())
	}
	return st
}

// reach is how many bytes of an answer are looked at: those that are shown, and
// as many behind them as a secret may take in its longest form.
func (j *Judge) reach() int { return kept + 12*j.Redactor.Longest() }

// first gives so many bytes at most, and the number of the others.
func first(b []byte, most int) (head []byte, rest int) {
	if len(b) <= most {
		return b, 0
	}
	return b[:most], len(b) - most
}

// mostUncoded bounds how much of a coded body is looked at.
const mostUncoded = 64 << 10

// legible is the body of an answer as it came, but one that hides a secret in a
// content coding is given without the coding.
func legible(r *exchange.Response, hide *redact.Redactor) []byte {
	if len(r.Content) == 0 || bytes.Equal(r.Content, r.Body) {
		return r.Body
	}
	if plain, _ := first(r.Content, mostUncoded); !bytes.Equal(hide.Bytes(plain, true), plain) {
		return r.Content
	}
	return r.Body
}

// presented are the credentials of a message that were made from the token and
// may be too short for their parts to be known.
func (j *Judge) presented(m *request.Message) []redact.Secret {
	var out []redact.Secret
	for _, c := range m.Credentials {
		if !strings.Contains(c.Show, "CONFORMANCE_TOKEN") {
			continue
		}
		value, show := c.Value(j.Endpoint.Token), c.Show
		if scheme, rest, found := strings.Cut(value, " "); found && strings.HasPrefix(show, scheme+" ") {
			value, show = strings.TrimSpace(rest), strings.TrimPrefix(show, scheme+" ")
		}
		if len(value) > 2 {
			out = append(out, redact.Secret{Value: value, Shown: show})
		}
	}
	return out
}

// shortened keeps so many bytes, and counts the others.
func shortened(b []byte, n int) report.Bytes {
	if len(b) <= n {
		return report.Bytes{Data: b}
	}
	return report.Bytes{Data: b[:n], Cut: len(b) - n}
}

// cut takes secrets out of what a target sent, then shortens it.
func (j *Judge) cut(b []byte, n int) report.Bytes { return shortened(j.Redactor.Bytes(b, false), n) }

// hide takes secrets out of a text that was made of what a target sent.
func (j *Judge) hide(s string) string { return j.Redactor.Text(s) }

// own takes secrets out of a text about what this suite sent.
func (j *Judge) own(s string) string { return string(j.Redactor.Own([]byte(s))) }

// Curl writes a request as a command; empty where curl would send other bytes.
func Curl(e *request.Endpoint, m *request.Message) string {
	if m.Framing == request.Expect || m.Framing == request.Pieces || m.Framing == request.HeadPieces {
		return ""
	}
	shown := e.Shown(m, "") // a case is for the log of one run
	fields, ok := splitHead(shown.Head)
	if !ok {
		return ""
	}
	var b strings.Builder
	body := m.Body()
	data := ""
	switch {
	case len(body) > kept:
		return ""
	case len(body) > 0 && typeable(body):
		data = " --data-binary " + quote(string(body), false)
	case len(body) > 0:
		fmt.Fprintf(&b, "printf %%s %s | base64 -d | ", base64.StdEncoding.EncodeToString(body))
		data = " --data-binary @-"
	case m.Op.Body != nil:
		data = " --data-binary ''"
	}
	fmt.Fprintf(&b, "curl -i -X %s %s", m.Op.Method, quote(e.Target.String()+m.Op.Path, false))
	for _, f := range fields {
		switch strings.ToLower(f.Name) {
		case "host", "user-agent", "content-length", "accept":
			if f.Name != "Accept" || f.Value == "application/json" {
				continue
			}
		}
		if f.Value == "" {
			b.WriteString(" -H " + quote(f.Name+";", false))
			continue
		}
		b.WriteString(" -H " + quote(f.Name+": "+f.Value, strings.Contains(f.Value, "CONFORMANCE_")))
	}
	b.WriteString(data)
	if !utf8.ValidString(b.String()) {
		return ""
	}
	return b.String()
}

// typeable tells whether a shell word can hold the bytes as they are.
func typeable(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	for _, c := range string(b) {
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return b[0] != '@'
}

// quote writes a shell word; expands keeps $ alive inside double quotes.
func quote(s string, expands bool) string {
	if expands {
		return `"` + strings.NewReplacer("\\", `\\`, `"`, `\"`, "`", "\\`").Replace(s) + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func splitHead(head []byte) ([]exchange.Field, bool) {
	lines := strings.Split(strings.TrimSuffix(string(head), "\r\n\r\n"), "\r\n")
	var out []exchange.Field
	for _, l := range lines[1:] {
		name, value, ok := strings.Cut(l, ":")
		if !ok {
			return nil, false
		}
		out = append(out, exchange.Field{Name: name, Value: strings.TrimSpace(value)})
	}
	return out, true
}
