package judge

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// Placeholder stands for the token wherever it would be shown.
const Placeholder = "$CONFORMANCE_TOKEN"

// shown gives a played step for people and files: no secret is in it.
func (j *Judge) shown(p *played, caseID string) report.Step {
	shown := j.Endpoint.Shown(p.step.Message, caseID)
	st := report.Step{Connection: p.step.Connection + 1, Parallel: p.step.Parallel, Await: shown.AwaitContinue, Cuts: shown.Cuts}
	st.Request = j.cut(append(append([]byte(nil), shown.Head...), shown.Body...), len(shown.Head)+2*kept)
	if p.ex == nil {
		return st
	}
	if r := p.ex.Response; r != nil {
		st.Response = j.cut(append(append([]byte(nil), r.Head...), r.Body...), len(r.Head)+kept)
	} else {
		st.Response = j.cut(p.ex.Received, kept)
	}
	if p.ex.Failure != nil {
		st.Failure = p.ex.Failure.Error()
	}
	return st
}

// cut shortens bytes and takes the token out of them.
func (j *Judge) cut(b []byte, n int) report.Bytes {
	b = j.redact(b)
	if len(b) <= n {
		return report.Bytes{Data: b}
	}
	return report.Bytes{Data: b[:n], Cut: len(b) - n}
}

// redact replaces the token: a target may send back what it was sent.
func (j *Judge) redact(b []byte) []byte {
	if t := j.Endpoint.Token; len(t) >= 4 {
		b = bytes.ReplaceAll(b, []byte(t), []byte(Placeholder))
	}
	return b
}

func (j *Judge) redactText(s string) string { return string(j.redact([]byte(s))) }

// Curl writes a request as a command; empty where curl would send other bytes.
func Curl(e *plan.Endpoint, m *plan.Message) string {
	if m.Framing == plan.Expect || m.Framing == plan.Pieces || m.Framing == plan.HeadPieces {
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
		b.WriteString(" -H " + quote(f.Name+": "+f.Value, strings.Contains(f.Value, "CONFORMANCE_TOKEN")))
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
