package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
)

// desk is a system in memory with an engine that remembers what it was asked.
type desk struct {
	stdout, stderr bytes.Buffer
	env            map[string]string
	folder         string
	engine         engine
	got            conformance.Config // what the engine was given
	asked          string             // and the id
	replays        []report.Replayed  // what became of the failures of a report
	stopped        bool               // the embedded server was closed
}

// newDesk answers every run with a conformant report.
func newDesk() *desk {
	d := &desk{env: map[string]string{}, folder: "/nowhere"}
	d.engine = engine{
		run: func(_ context.Context, c conformance.Config) (*report.Report, error) {
			d.got = c
			return d.ran(c, report.Conformant), nil
		},
		list: func(_ context.Context, c conformance.Config) (*report.Listing, error) {
			d.got = c
			return &report.Listing{Version: 1, Document: "Thing Store", Cases: 3, Requirements: []report.ListingEntry{
				{Requirement: "thing-size", Level: report.Must, Sentence: "A size is a number.", Cases: 3}}}, nil
		},
		coverage: func() (*report.Coverage, error) {
			return &report.Coverage{Version: 1, Keywords: []report.KeywordCoverage{{Keyword: "const", Dialects: []string{"3.1"}, Why: "none"}}}, nil
		},
		explain: func(_ context.Context, c conformance.Config, id string) (*report.Explanation, error) {
			d.got, d.asked = c, id
			return &report.Explanation{ListingEntry: report.ListingEntry{Requirement: id, Level: report.Must}, Fix: "Check it."}, nil
		},
		reach: func(_ context.Context, c conformance.Config) (*report.Reach, error) {
			d.got = c
			return &report.Reach{Version: 1, Document: "Thing Store", Reached: 1, Ways: []report.Way{
				{Operation: "getThing", Reached: true, Sources: []report.Source{{Place: "path/id", Kind: "producer", From: "addThing#/id"}}}}}, nil
		},
		propose: func(_ context.Context, c conformance.Config) (*report.Proposals, error) {
			d.got = c
			return &report.Proposals{Version: 1, Document: "Thing Store"}, nil
		},
		replay: func(_ context.Context, c conformance.Config, id string) (*report.Transcript, error) {
			d.got, d.asked = c, id
			return &report.Transcript{Case: id}, nil
		},
		replayFailure: func(_ context.Context, c conformance.Config, r *report.Report, n int, _ bool) (*report.Transcript, error) {
			f, found := r.Failure(n)
			if !found {
				return nil, errors.New("no such failure")
			}
			d.got, d.asked = c, "bytes of "+f.Case
			return &report.Transcript{Case: f.Case}, nil
		},
		replayReport: func(_ context.Context, c conformance.Config, r *report.Report, pattern string, each func(report.Replayed)) (*report.Replay, error) {
			d.got, d.asked = c, "all of "+pattern
			out := &report.Replay{Failures: d.replays}
			for _, x := range out.Failures {
				each(x)
			}
			return out, nil
		},
		reference: func(io.Writer) (*proof.Server, error) {
			return &proof.Server{URL: "http://127.0.0.1:4000", Token: "embedded-token", Close: func() { d.stopped = true }}, nil
		},
	}
	return d
}

// ran is a report of the outcome; the callbacks were called as a run does.
func (d *desk) ran(c conformance.Config, o report.Outcome) *report.Report {
	h := report.Header{Target: c.Target, Embedded: c.Embedded, Document: "Thing Store 1.0.0", Seed: max(c.Seed, 1), Cases: 3}
	if c.Started != nil {
		c.Started(h)
	}
	if c.Progress != nil {
		c.Progress(1, 3, 0)
		c.Progress(3, 3, 1)
	}
	r := &report.Report{Version: report.Version, Header: h, Summary: report.Summary{Verdict: o, Exchanges: 3},
		Results: []report.Result{{Requirement: "thing-label", Level: report.Must, Verdict: report.Pass, Cases: report.Cases{Planned: 3, Judged: 3}}}}
	if o == report.NotConformant {
		r.Results = []report.Result{{Requirement: "thing-size", Level: report.Must, Verdict: report.Fail,
			Failures: []report.Failure{{N: 1, Case: "thing-size/0", Stable: true, Minimal: true}}}}
	}
	return r
}

// answer makes every run end so.
func (d *desk) answer(o report.Outcome) *desk {
	d.engine.run = func(_ context.Context, c conformance.Config) (*report.Report, error) {
		d.got = c
		return d.ran(c, o), nil
	}
	return d
}

func (d *desk) system() system {
	environ := func() (list []string) {
		for name, value := range d.env {
			list = append(list, name+"="+value)
		}
		return list
	}
	return system{stdout: stream{Writer: &d.stdout}, stderr: stream{Writer: &d.stderr},
		getenv: func(name string) string { return d.env[name] }, environ: environ, folder: func() (string, error) { return d.folder, nil }, engine: d.engine}
}

// exec runs a command line.
func (d *desk) exec(args ...string) exitCode {
	return executeIn(context.Background(), args, d.system())
}

// keep writes a file for a test and gives its path.
func keep(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o666))
	return path
}
