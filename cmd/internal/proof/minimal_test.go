package proof_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/faults"
)

// Of the faults one in so many has its smallest request checked; rare ones and
// those that no single stable request shows are left out.
const (
	minimalSampled = 24
	minimalFaults  = 6
)

// TestTheSmallestRequestHasNothingToSpare takes the smallest request of a fault
// apart: whatever single member, character or header is left out, the rest is
// either another kind of request or no failure.
func TestTheSmallestRequestHasNothingToSpare(t *testing.T) {
	t.Parallel()
	sample.Slow(t)
	kind, err := conformance.Classifier(conformance.Config{Cache: shared}, "post-plants")
	require.NoError(t, err)
	checked := 0
	for _, f := range faults.List() {
		if f.Rare || proof.Part(proof.Fault, f.Name, minimalSampled) != 1 {
			continue
		}
		s, err := proof.StartFault(f.Name)
		require.NoError(t, err)
		c := conformance.Config{Target: s.URL, Token: s.Token, Draws: 1, Cache: shared}
		r, err := conformance.Run(context.Background(), c)
		require.NoError(t, err)
		if x, fail, ok := smallestOf(r); ok && failsAlone(t, f.Name, c, r, x, fail) {
			checked++
			spare(t, kind, c, r, x, fail, f.Name)
		}
		s.Close()
	}
	assert.GreaterOrEqual(t, checked, minimalFaults, "too few faults have one stable, minimal request")
}

// failsAlone sends the request to a new server of the same fault: what hangs on
// the requests before it, such as a cache, says nothing about its bytes.
func failsAlone(t *testing.T, fault string, c conformance.Config, r *report.Report, x report.Result, f report.Failure) bool {
	s, err := proof.StartFault(fault)
	require.NoError(t, err)
	defer s.Close()
	c.Target = s.URL
	out, err := conformance.ReplayFailure(context.Background(), c, r, f.N, false)
	require.NoError(t, err)
	return slices.ContainsFunc(out.Failures, func(now report.Result) bool { return now.Requirement == x.Requirement })
}

// smallestOf gives the first failed MUST that one stable, minimal request shows.
func smallestOf(r *report.Report) (report.Result, report.Failure, bool) {
	for _, x := range r.Results {
		for _, f := range x.Failures {
			if x.Level == report.Must && f.Stable && f.Minimal && len(f.Steps) == 1 && f.Steps[0].Response.Data != nil {
				return x, f, true
			}
		}
	}
	return report.Result{}, report.Failure{}, false
}

// spare asserts that every smaller request is of another kind or answered
// rightly.
func spare(t *testing.T, kind func([]byte) string, c conformance.Config, r *report.Report, x report.Result, f report.Failure, fault string) {
	head, body, _ := bytes.Cut(f.Steps[0].Request.Data, []byte("\r\n\r\n"))
	if bytes.Contains(head, []byte("Transfer-Encoding")) {
		return // its body is framed; the framing is what is tried
	}
	answer := f.Steps[0].Response.Data
	for what, less := range smaller(string(head), body) {
		_, smallerBody, _ := bytes.Cut(less, []byte("\r\n\r\n"))
		if kind(smallerBody) != kind(body) || statusLine(send(t, c, less)) != statusLine(answer) {
			continue
		}
		again := *r
		g := f
		g.Steps = []report.Step{{Connection: 1, Request: report.Bytes{Data: less}}}
		again.Results = []report.Result{{Requirement: x.Requirement, Level: x.Level, Failures: []report.Failure{g}}}
		out, err := conformance.ReplayFailure(context.Background(), c, &again, f.N, false)
		require.NoError(t, err)
		for _, now := range out.Failures {
			assert.NotEqual(t, x.Requirement, now.Requirement, "%s: without %s %q fails as %q does", fault, what, less, f.Steps[0].Request.Data)
		}
	}
}

// smaller gives the request without one header, one member or one character of
// its body, by what was left out. Host, the length and the credential belong to
// every request.
func smaller(head string, body []byte) map[string][]byte {
	out := map[string][]byte{}
	lines := strings.Split(head, "\r\n")
	for i, l := range lines[1:] {
		name, _, _ := strings.Cut(l, ":")
		switch strings.ToLower(name) {
		case "host", "content-length", "authorization", "content-type", "accept", "user-agent":
			continue
		}
		rest := append(append([]string(nil), lines[:i+1]...), lines[i+2:]...)
		out["header "+name] = fmt.Appendf(nil, "%s\r\n\r\n%s", strings.Join(rest, "\r\n"), body)
	}
	cut := func(what string, b []byte) {
		var kept []string
		for _, l := range lines {
			if name, _, _ := strings.Cut(l, ":"); strings.EqualFold(name, "content-length") {
				l = fmt.Sprintf("Content-Length: %d", len(b))
			}
			kept = append(kept, l)
		}
		out[what] = fmt.Appendf(nil, "%s\r\n\r\n%s", strings.Join(kept, "\r\n"), b)
	}
	if len(body) > 200 {
		return out // characters of long bodies are left out in larger pieces
	}
	for at := 0; at < len(body); {
		_, n := utf8.DecodeRune(body[at:])
		cut(fmt.Sprintf("character %d", at), append(append([]byte(nil), body[:at]...), body[at+n:]...))
		at += n
	}
	for name, b := range withoutMembers(body) {
		cut("member "+name, b)
	}
	return out
}

// withoutMembers gives an object without each of its members.
func withoutMembers(body []byte) map[string][]byte {
	type member struct{ name, value string }
	d := jsontext.NewDecoder(bytes.NewReader(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil
	}
	var list []member
	for d.PeekKind() != '}' {
		name, err := d.ReadValue()
		if err != nil {
			return nil
		}
		n := string(name)
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		list = append(list, member{n, string(value)})
	}
	out := map[string][]byte{}
	for i := range list {
		var parts []string
		for j, m := range list {
			if i != j {
				parts = append(parts, m.name+":"+m.value)
			}
		}
		out[fmt.Sprintf("%d %s", i, list[i].name)] = []byte("{" + strings.Join(parts, ",") + "}")
	}
	return out
}

// send sends a shown request on a connection of its own and gives the head of
// the answer.
func send(t *testing.T, c conformance.Config, shown []byte) []byte {
	authority := strings.TrimPrefix(c.Target, "http://")
	conn, err := net.Dial("tcp", authority)
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	wire := strings.ReplaceAll(string(shown), "$CONFORMANCE_TOKEN", c.Token)
	if _, err := io.WriteString(conn, wire); err != nil {
		return nil
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil
	}
	_ = resp.Body.Close()
	return []byte(resp.Proto + " " + resp.Status + "\r\n")
}

func statusLine(b []byte) string {
	line, _, _ := strings.Cut(string(b), "\r\n")
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return ""
	}
	return fields[1]
}
