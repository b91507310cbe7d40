package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// replayOptions are the flags of replay. Seed and draws are those of the run
// whose case is repeated; a report holds its own.
type replayOptions struct {
	Case    string      `arg:"" name:"case" help:"Case id, REPORT.json for all failures of a report, or REPORT.json#N for failure N alone."`
	Pattern *string     `arg:"" optional:"" name:"pattern" help:"With REPORT.json: only the failures of the finding with this id, or of requirements that match; * matches any characters."`
	Send    sendOptions `embed:""`
	Seed    seed        `group:"cases" placeholder:"N" help:"Seed of the run (default ${seed}; a report has its own)."`
	Draws   draws       `group:"cases" placeholder:"N" help:"Draws of the run (default ${draws}; a report has its own)."`
	// AsRecorded sends what a report holds, whoever wrote it.
	AsRecorded bool `group:"cases" help:"Send the bytes in REPORT.json even if the plan has others. Nothing is judged, and the token is sent only if the report is about --target."`
	NoColor    bool `group:"output" help:"Turn colour off, as the environment variable NO_COLOR does."`
}

// replay sends a case again and shows the bytes, or all failures of a report.
func replay(ctx context.Context, sys system, o replayOptions) error {
	c := conformance.Config{Seed: uint64(o.Seed), Draws: int(o.Draws)}
	r, n, err := recorded(o.Case)
	if err != nil {
		return err
	}
	if err := o.check(r, n); err != nil {
		return err
	}
	if r != nil {
		if err := o.Send.Aim.ownOf(r, sys.environ()); err != nil {
			return err
		}
	}
	if err := o.Send.apply(&c, sys.getenv); err != nil {
		return err
	}
	stop, err := o.Send.start(ctx, sys, &c)
	if err != nil {
		return err
	}
	defer stop()
	if c.Embedded {
		if _, err := fmt.Fprintln(sys.stderr, "conformance: no --target: sending to the embedded reference server at "+c.Target); err != nil {
			return err
		}
	}
	if r != nil && n == 0 {
		return replayAll(ctx, sys, o, c, r)
	}
	var t *report.Transcript
	line := waiting(sys, &c)
	if r != nil {
		t, err = sys.engine.replayFailure(ctx, c, r, n, o.AsRecorded)
	} else {
		t, err = sys.engine.replay(ctx, c, o.Case)
	}
	line.end()
	if err != nil {
		return err
	}
	if err := formats.TranscriptText(sys.stdout, t, textOptions(sys.stdout, o.NoColor, sys.getenv)); err != nil {
		return err
	}
	return replayed(t)
}

// check refuses flags that do not fit what is replayed.
func (o replayOptions) check(r *report.Report, n int) error {
	switch {
	case o.AsRecorded && n == 0:
		return usagef("give REPORT.json#N", "--as-recorded needs a failure in a report")
	case o.Pattern != nil && (r == nil || n > 0):
		return usagef("give REPORT.json PATTERN", "a pattern chooses among all failures of a report")
	case r != nil && (o.Seed != 0 || o.Draws != 0):
		return usagef("leave out --seed and --draws", "a report has the seed and the draws of its run")
	}
	return nil
}

// replayed is the outcome of a replay: a failed MUST, else whether it could be
// judged.
func replayed(t *report.Transcript) error {
	for _, f := range t.Failures {
		if f.Level == report.Must {
			return errNotConformant
		}
	}
	if t.Reason != "" {
		return errIncomplete
	}
	return nil
}

// recorded reads REPORT.json or REPORT.json#N; n is 0 without a number. The report is nil
// where the argument is the id of a case. The error is a *usageError.
func recorded(arg string) (r *report.Report, n int, err error) {
	if isFile(arg) {
		r, err = readReport(arg)
		return r, 0, err
	}
	path, number := arg, ""
	if i := strings.LastIndex(arg, "#"); i >= 0 {
		path, number = arg[:i], arg[i+1:]
	}
	if !strings.HasSuffix(path, ".json") && !isFile(path) && (strings.Contains(path, "/") || filepath.Ext(path) == "") {
		return nil, 0, nil // the id of a case has slashes
	}
	if path != arg {
		if n, err = strconv.Atoi(number); err != nil || n < 1 {
			return nil, 0, usagef("write a number from 1 up", "%q is not the number of a failure in %s", number, path)
		}
	}
	if r, err = readReport(path); err != nil {
		return nil, 0, err
	}
	if _, found := r.Failure(n); !found {
		return nil, 0, usagef(numbered(r), "%s has no failure %d", path, n)
	}
	return r, n, nil
}

// isFile reports whether a path leads to a file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// numbered says which failures a report has.
func numbered(r *report.Report) string {
	n := 0
	for _, x := range r.Results {
		n += len(x.Failures)
	}
	switch n {
	case 0:
		return "it has no failures"
	case 1:
		return "its only failure is number 1"
	}
	return fmt.Sprintf("its failures are numbered 1 to %d", n)
}

// replayAll sends all failures of a report again, and prints a line for each as soon as
// its outcome is known.
func replayAll(ctx context.Context, sys system, o replayOptions, c conformance.Config, r *report.Report) error {
	pattern := ""
	if o.Pattern != nil {
		pattern = *o.Pattern
	}
	options := textOptions(sys.stdout, o.NoColor, sys.getenv)
	var broken error
	line := waiting(sys, &c)
	all, err := sys.engine.replayReport(ctx, c, r, pattern, func(x report.Replayed) {
		line.clear()
		broken = errors.Join(broken, formats.ReplayedLine(sys.stdout, x, options))
	})
	line.end()
	if err != nil {
		return err
	}
	if err := errors.Join(broken, formats.ReplaySummary(sys.stdout, all, options)); err != nil {
		return err
	}
	switch {
	case all.Gates():
		return errNotConformant
	case all.Count(report.NotTried) > 0:
		return errIncomplete
	}
	return nil
}

// ownOf takes the target of a report if the user names none, that target is on this
// machine, and no credential is sent. A report may come from anybody, and any user of
// this machine may listen there, so it must not choose where a credential goes.
func (o *targetOptions) ownOf(r *report.Report, environ []string) error {
	if o.own() || r.Header.Embedded {
		return nil
	}
	to := "to send there, add --target " + formats.Escape(r.Header.Target)
	at, err := url.Parse(r.Header.Target)
	if err != nil || !here(at.Hostname()) {
		return usagef(to, "no --target, and the report is about a server that is not on this machine")
	}
	if o.credentials(environ) || r.HasCredential() {
		return usagef(to, "no --target, and a credential goes only to a server that you name")
	}
	o.Target = &r.Header.Target
	return nil
}

// credentials reports whether the user gave something that is or may be a credential.
func (o *targetOptions) credentials(environ []string) bool {
	return o.Token != nil || o.TokenFile != nil || o.Login.given() || len(o.Header) > 0 ||
		slices.ContainsFunc(environ, func(line string) bool {
			name, value, _ := strings.Cut(line, "=")
			return value != "" && (name == envToken || strings.HasPrefix(name, conformance.AuthVariable("", false)))
		})
}

// here reports whether a host is this machine, by its name or address.
func here(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
