package conformancetest

import (
	"context"
	"fmt"
	"maps"
	"net"
	"net/http"
	"strings"
	"testing"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// T is the part of *testing.T that Run needs.
type T[S any] interface {
	Helper()
	Context() context.Context
	Log(args ...any)
	Error(args ...any)
	Fatal(args ...any)
	Run(name string, test func(S)) bool
}

// Run tests the target and runs a subtest for every requirement. Under go test -short it
// makes the smallest effort, unless an option sets one. If go test -run or -skip select
// subtests, only the cases for their requirements are sent, unless an option sets Only; a
// test of which no subtest is left fails.
func Run[S T[S]](t S, target Target, options ...Option) {
	t.Helper()
	url, stop, err := target.start()
	if err != nil {
		t.Fatal("the handler cannot be served: " + err.Error())
		return
	}
	defer stop()
	c := conformance.Config{Target: url}
	for _, change := range options {
		change(&c)
	}
	if c.Effort == "" && testing.Testing() && testing.Short() {
		c.Effort = conformance.Efforts()[0]
	}
	if named, is := any(t).(interface{ Name() string }); is {
		if err := narrow(t.Context(), &c, named.Name()); err != nil {
			t.Fatal(err.Error())
			return
		}
	}
	for _, w := range conformance.Warnings(c) {
		t.Log("warning: " + w)
	}
	r, err := conformance.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err.Error())
		return
	}
	t.Log(formats.HeaderLine(r.Header))
	if r.Summary.Verdict == report.Incomplete && r.Summary.Passed == 0 {
		t.Fatal("nothing could be judged: " + formats.Escape(strings.Join(r.Summary.Reasons, "; ")))
		return
	}
	reported, ran := false, 0
	for _, x := range r.Results {
		failed := x.Gates(c.FailOn) && x.Known == nil && bad(x.Verdict)
		reported = reported || failed
		t.Run(x.Requirement, func(t S) {
			t.Helper()
			ran++
			switch text := describe(x, target.handler != nil); {
			case failed:
				t.Error(text)
			case text != "":
				t.Log(text)
			}
		})
	}
	if ran == 0 && len(r.Results) > 0 {
		t.Error("-run and -skip of go test leave no requirement of those that were tested: see conformance list")
	}
	for _, line := range formats.OutOfDate(r) {
		t.Error(line)
		reported = true
	}
	if !reported && r.Summary.Verdict != report.Conformant && r.Summary.Verdict != report.OnlyKnown && r.Summary.Verdict != report.PassedOver {
		t.Error("incomplete: " + formats.Escape(strings.Join(r.Summary.Reasons, "; ")))
	}
}

func bad(v report.Verdict) bool {
	return v == report.Fail || v == report.Inconclusive || v == report.Error
}

// Target is the server to test. URL and Handler return one.
type Target struct {
	url     string
	handler http.Handler
}

// URL returns a running server, given its base URL.
func URL(base string) Target { return Target{url: base} }

// Handler returns a server for a handler. It listens on the loopback interface during
// the run, so that the suite tests the same bytes as any client sees.
func Handler(h http.Handler) Target { return Target{handler: h} }

// start gives the base address of the target and what ends it.
func (t Target) start() (url string, stop func(), err error) {
	if t.handler == nil {
		return t.url, func() {}, nil
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: t.handler}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(ln) // Close ends it with an error that says just that
	}()
	return "http://" + ln.Addr().String(), func() { _ = server.Close(); <-served }, nil
}

// Option changes how a target is tested.
type Option func(*conformance.Config)

// Token sets the credential that the target accepts.
func Token(t string) Option { return func(c *conformance.Config) { c.Token = t } }

// Auth sets the credential of one security scheme of the document: a token, a key, or
// user:password.
func Auth(scheme, credential string) Option {
	return func(c *conformance.Config) {
		auth := maps.Clone(c.Auth)
		if auth == nil {
			auth = map[string]string{}
		}
		auth[scheme], c.Auth = credential, auth
	}
}

// AuthOther sets the credential of another principal, who must neither read, change nor
// delete what the usual one makes, where the document lists 403 or 404.
func AuthOther(scheme, credential string) Option {
	return func(c *conformance.Config) {
		auth := maps.Clone(c.AuthOther)
		if auth == nil {
			auth = map[string]string{}
		}
		auth[scheme], c.AuthOther = credential, auth
	}
}

// Document sets the OpenAPI document, in YAML or JSON (default: the plant store). The
// name is used in messages.
func Document(name string, spec []byte) Option {
	return func(c *conformance.Config) { c.SpecName, c.Spec = name, spec }
}

// With changes any other part of the configuration: seed, workers, selection, time
// limits, or the level that fails.
func With(change func(*conformance.Config)) Option { return change }

// describe words a result; a plain pass has nothing to say. What the target
// sent is escaped: it must not reach a terminal as it came.
func describe(x report.Result, own bool) string {
	switch x.Verdict {
	case report.Fail:
		if x.Known != nil {
			return "known failure: " + formats.Escape(x.Known.Reason) + "\n" + failure(x, own)
		}
		return failure(x, own)
	case report.Inconclusive:
		return "could not be tried: " + formats.Escape(x.Reason)
	case report.Error:
		return "an error in the suite, not in the target: " + formats.Escape(x.Reason)
	case report.Inapplicable:
		return "does not apply: " + formats.Escape(x.Reason)
	}
	if x.Cases.NotTried > 0 {
		return fmt.Sprintf("%d of %d cases not tried", x.Cases.NotTried, x.Cases.Planned)
	}
	return ""
}

// failure is the block of the text report.
func failure(x report.Result, own bool) string {
	text := formats.FailureText(x)
	if own {
		text += "\n     note      the server stopped with this test: replace its address by that of a running server"
	}
	return text
}
