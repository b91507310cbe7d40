package main

import (
	"errors"
	"time"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

// mergeOptions are the arguments and flags of merge.
type mergeOptions struct {
	Shards  []string `arg:"" name:"report" help:"Reports of all shards of a plan, written with run --shard I/N --report json=FILE, in any order. A pattern such as shard-*.json stands for the files that match."`
	Known   *string  `name:"known-failures" placeholder:"FILE" help:"File of known failures (YAML), as for run. It is applied to the whole plan."`
	Report  []output `sep:"none" predictor:"report" placeholder:"FORMAT=PATH" help:"Write the merged report as ${formats}. With the path -, it goes to standard output and the text to standard error. Repeatable."`
	Quiet   bool     `short:"q" help:"Print only the line with the verdict."`
	NoColor bool     `help:"Turn colour off, as the environment variable NO_COLOR does."`
}

// mergeShards joins the reports of the shards of a plan, and gives the verdict of the
// whole.
func mergeShards(sys system, o mergeOptions) error {
	var c conformance.Config
	if err := knownFailures(&c, o.Known, time.Now()); err != nil {
		return err
	}
	var list []report.Named
	for _, pattern := range o.Shards {
		files, err := expand(pattern)
		if err != nil {
			return err
		}
		for _, path := range files {
			r, err := readReport(path)
			if err != nil {
				return err
			}
			list = append(list, report.Named{Name: path, Report: r})
		}
	}
	if err := checkOutputs(o.Report); err != nil {
		return err
	}
	r, err := conformance.Merge(list, c)
	if err != nil {
		return err
	}
	p := newPrinter(sys, runOptions{Report: o.Report, Quiet: o.Quiet, NoColor: o.NoColor, FailOn: failOn(r.Header.FailOn)})
	defer p.discard()
	if err := p.open(o.Report); err != nil {
		return err
	}
	return errors.Join(p.finish(r), outcome(&r.Summary))
}
