package conformancetest

import (
	"context"
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
		failed := x.Level.Gates(c.FailOn) && x.Known == nil && bad(x.Verdict)
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
	if !reported && r.Summary.Verdict != report.Conformant && r.Summary.Verdict != report.OnlyKnown {
		t.Error("incomplete: " + formats.Escape(strings.Join(r.Summary.Reasons, "; ")))
	}
}

func bad(v report.Verdict) bool {
	return v == report.Fail || v == report.Inconclusive || v == report.Error
}
