package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"time"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// runOptions are the flags of run.
type runOptions struct {
	Send       sendOptions      `embed:""`
	Seed       seed             `group:"cases" placeholder:"N|random" help:"Seed for all random values (default ${seed}; the same seed sends the same requests). With random, the report shows the seed that was chosen."`
	Draws      draws            `group:"cases" placeholder:"N" help:"Number of random cases per class; 0 for none (default ${draws})."`
	Workers    workers          `group:"pace" placeholder:"N" help:"Number of concurrent connections (default 8, and 6 more if the server takes them)."`
	MaxTime    duration         `group:"pace" placeholder:"TIME" help:"Time limit for the whole run (default 5m). Cleaning up may take another tenth of it."`
	Rate       rate             `group:"pace" placeholder:"N" help:"Maximum requests per second (default: no limit)."`
	Only       []pattern        `group:"cases" sep:"none" placeholder:"PATTERN" help:"Run only requirements or cases that match; * matches any characters. The verdict is then partial. Repeatable."`
	Skip       []pattern        `group:"cases" sep:"none" placeholder:"PATTERN" help:"Skip requirements or cases that match. The verdict is then partial. Repeatable."`
	Operations operationOptions `embed:"" group:"cases"`
	Shard      *shardOf         `group:"cases" placeholder:"I/N|auto" help:"Run only part I of N of the plan, such as 3/8. With auto, the numbers come from GitLab, CircleCI, Buildkite or Kubernetes, or from CONFORMANCE_SHARD and CONFORMANCE_SHARDS. Write a JSON report of each part, and join them with conformance merge."`
	FailOn     failOn           `group:"verdict" predictor:"gate" placeholder:"LEVEL|CATEGORIES" help:"Exit 1 if a requirement of this level or higher fails: must, should or suspected (default must). Suspected is what descriptions and names suggest, and no keyword states. Or, with commas: exit 1 for findings of these categories alone, such as crash,security,loss,answer; the others are refusal, leniency and protocol."`
	RequireAll bool             `group:"verdict" help:"Exit 3 if this version cannot try an operation of the document, such as one with a body of an unsupported media type. Without the flag, the verdict says how many there are, and the exit code stays."`
	FailFast   bool             `group:"verdict" help:"Stop at the first confirmed MUST failure (or SHOULD failure, with --fail-on should). The report is then incomplete, and the exit code 1."`
	Known      *string          `group:"verdict" name:"known-failures" placeholder:"FILE" help:"File of known failures (YAML): a failed requirement that it lists is reported as known, and does not fail the run. An entry that no longer holds fails the run. Make one with conformance known-failures write REPORT.json."`
	Subject    []subject        `group:"output" sep:"none" placeholder:"NAME@sha256:DIGEST" help:"The artifact under test, for the report and for --report attestation: a container image or a file with its digest (sha256, sha384 or sha512), or a repository with @gitCommit:DIGEST. Repeatable."`
	Report     []output         `group:"output" sep:"none" predictor:"report" placeholder:"FORMAT=PATH" help:"Write a report as ${formats}. With the path -, it goes to standard output and the text to standard error. Repeatable."`
	Trace      *string          `group:"output" placeholder:"FILE" help:"Write every exchange as a line of JSON, with the token redacted."`
	Watch      bool             `group:"verdict" help:"Run again, until Ctrl-C, whenever a file that you gave or that the document refers to changes, or the server is back after a restart. What failed the last time is tried first, and shown at once."`
	Verbose    bool             `group:"output" short:"v" help:"Print each failure in one line as soon as it has been tried again, before the report. Some of them may follow from others; the report leaves those out."`
	Quiet      bool             `group:"output" short:"q" help:"Print only the line with the verdict. Reports and warnings are written as usual."`
	NoColor    bool             `group:"output" help:"Turn colour off, as the environment variable NO_COLOR does."`
}

// run judges a target and writes its reports. All that can be found wrong
// without the target is found before anything is sent.
func run(ctx context.Context, sys system, o runOptions) error {
	var c conformance.Config
	if err := leaving(ctx, func() (err error) { c, err = o.config(sys.getenv, time.Now()); return err }); err != nil {
		return err
	}
	if err := checkOutputs(o.Report); err != nil {
		return err
	}
	warn(sys.stderr, &c)
	p := newPrinter(sys, o)
	defer p.discard()
	if err := p.open(o.Report); err != nil {
		return err
	}
	var t *trace
	if o.Trace != nil {
		var err error
		if t, err = newTrace(*o.Trace); err != nil {
			return err
		}
		defer func() { _ = t.close() }()
		c.Trace = t
	}
	stop, err := o.Send.Aim.reach(ctx, &c, sys.engine)
	if err != nil {
		return err
	}
	defer stop()
	c.Estimated = busier
	p.events(&c, o.Report, o.Verbose)
	if sys.stderr.terminal && !o.Quiet {
		c.Waits = p.bar.wait
	}
	c.Started = func(h report.Header) {
		busier(h.Cases)
		p.started(h)
	}
	if o.Watch {
		if err := sys.watcher.begin(o, &c); err != nil {
			return err
		}
		c.FirstTried = p.triedFirst
	}
	p.bar.limit(cmp.Or(c.MaxTime, conformance.DefaultMaxTime))
	r, err := sys.engine.run(ctx, c)
	switch {
	case r == nil && err == nil:
		return errors.New("the run returned no report: this is a bug in the suite")
	case r == nil:
		p.progressEnds()
		return err
	}
	if o.Watch {
		p.progressEnds()
		err = errors.Join(err, sys.watcher.ended(p.human, r))
	}
	return errors.Join(err, p.finish(r), t.close(), outcome(&r.Summary))
}

// config turns the flags into what the engine takes. The error is a *usageError.
func (o runOptions) config(getenv func(string) string, now time.Time) (conformance.Config, error) {
	c := conformance.Config{
		Seed: uint64(o.Seed), Draws: int(o.Draws), Workers: int(o.Workers),
		MaxTime: time.Duration(o.MaxTime), Rate: float64(o.Rate), FailOn: report.Gate(o.FailOn), FailFast: o.FailFast, RequireAll: o.RequireAll,
	}
	for _, s := range o.Subject {
		c.Subjects = append(c.Subjects, report.Subject(s))
	}
	for _, p := range o.Only {
		c.Only = append(c.Only, string(p))
	}
	for _, p := range o.Skip {
		c.Skip = append(c.Skip, string(p))
	}
	o.Operations.apply(&c)
	if err := o.Shard.apply(&c, getenv); err != nil {
		return c, err
	}
	if err := knownFailures(&c, o.Known, now); err != nil {
		return c, err
	}
	if o.Trace != nil {
		for _, out := range o.Report {
			if filepath.Clean(out.path) == filepath.Clean(*o.Trace) {
				return c, usagef("give each its own file", "--trace and --report both write to %s", out.path)
			}
		}
	}
	return c, o.Send.apply(&c, getenv)
}

// sendOptions are the flags of every command that sends requests.
type sendOptions struct {
	Aim      targetOptions   `embed:""`
	Document documentOptions `embed:""`
}

// apply puts the options into the configuration. The error is a *usageError.
func (o sendOptions) apply(c *conformance.Config, getenv func(string) string) error {
	if err := o.Aim.apply(c, getenv); err != nil {
		return err
	}
	return o.Document.apply(c)
}

// waiting shows on a terminal what a command waits for, until the bar ends.
func waiting(sys system, c *conformance.Config) *bar {
	line := newBar(sys.stderr)
	if sys.stderr.terminal {
		c.Waits = line.wait
	}
	return line
}

// start prints warnings, and starts the embedded reference server where no
// target is given. The function it returns stops it.
func (o sendOptions) start(ctx context.Context, sys system, c *conformance.Config) (stop func(), err error) {
	warn(sys.stderr, c)
	return o.Aim.reach(ctx, c, sys.engine)
}
