// Package conformancetest runs the suite in the go test of a server, with one subtest
// for each requirement of the document.
//
//	func TestPlantStore(t *testing.T) {
//		conformancetest.Run(t, conformancetest.Handler(newServer()), conformancetest.Token("open-sesame-42"))
//	}
//
// A failed MUST fails its subtest. The message is that of conformance run: the clause,
// what was sent, what was expected and what came back, a curl command, and the command to
// repeat the case.
// A failed SHOULD is logged. A requirement that could not be tested fails as well, and
// the message says why. Each subtest has the name of its requirement, so
//
//	go test -run TestPlantStore/newplant-id-integer
//
// sends only the cases for that requirement, and fails if there is none of that name.
// `conformance explain newplant-id-integer` tells how to fix a server that fails it.
//
// A run sends thousands of requests in a few seconds, and the server may store
// data for each of them: use a test server. go test -short sends about 30 requests for each
// operation (the effort smoke), unless With sets Config.Effort.
package conformancetest

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net"
	"net/http"
	"regexp"
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

// narrow tries only the requirements whose subtests go test -run and -skip leave. It
// does not change a selection that the test makes itself: go test then only leaves
// subtests out. The error says that nothing is left.
func narrow(ctx context.Context, c *conformance.Config, parent string) error {
	if !testing.Testing() || len(c.Only) > 0 {
		return nil
	}
	run, skip := given("test.run"), given("test.skip")
	depth := strings.Count(parent, "/") + 1
	if !run.deeper(depth) && !skip.deeper(depth) {
		return nil
	}
	list, err := conformance.List(ctx, *c)
	if err != nil {
		return nil // the run says what is wrong
	}
	var left, out []string
	for _, r := range list.Requirements {
		switch name := parent + "/" + r.Requirement; {
		case !run.matches(name):
		case skip.deeper(depth) && skip.matches(name):
			out = append(out, r.Requirement)
		default:
			left = append(left, r.Requirement)
		}
	}
	if len(left) == 0 {
		return fmt.Errorf("-run %q and -skip %q leave no requirement: the subtests have the ids that conformance list prints", flagText("test.run"), flagText("test.skip"))
	}
	if run.deeper(depth) {
		c.Only = left
	} else {
		c.Skip = append(append([]string(nil), c.Skip...), out...)
	}
	return nil
}

// filter is -run or -skip: alternatives, each an expression for each part of a name.
type filter [][]*regexp.Regexp

// given is the filter of a flag of go test; it has no alternative if the flag is not set.
func given(name string) filter {
	text := flagText(name)
	if text == "" {
		return nil
	}
	var out filter
	for _, parts := range alternatives(text) {
		var list []*regexp.Regexp
		for _, p := range parts {
			e, err := regexp.Compile(strings.ReplaceAll(p, " ", "_"))
			if err != nil {
				return nil // go test refused it already
			}
			list = append(list, e)
		}
		out = append(out, list)
	}
	return out
}

func flagText(name string) string {
	if f := flag.Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// deeper reports whether the filter is about subtests of a test at that depth.
func (f filter) deeper(depth int) bool {
	for _, parts := range f {
		if len(parts) > depth {
			return true
		}
	}
	return false
}

// matches reports whether an alternative matches a name, or the filter has none. Parts of
// the name behind those of the alternative match.
func (f filter) matches(name string) bool {
	words := strings.Split(name, "/")
	for _, parts := range f {
		all := len(parts) <= len(words)
		for i := range min(len(parts), len(words)) {
			all = all && parts[i].MatchString(words[i])
		}
		if all {
			return true
		}
	}
	return len(f) == 0
}

// alternatives splits an expression as package testing does: at | and / that are in no
// brackets.
func alternatives(text string) (out [][]string) {
	var parts []string
	square, round, start := 0, 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '[':
			square++
		case c == ']':
			square = max(square-1, 0)
		case c == '(' && square == 0:
			round++
		case c == ')' && square == 0:
			round--
		case (c == '/' || c == '|') && square == 0 && round == 0:
			parts = append(parts, text[start:i])
			start = i + 1
			if c == '|' {
				out = append(out, parts)
				parts = nil
			}
		}
	}
	return append(out, append(parts, text[start:]))
}
