package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"plantstore/conformance"
	"plantstore/conformance/formats"
)

// grammar is the command line.
type grammar struct {
	Run        runOptions        `cmd:"" help:"Test a server."`
	List       listOptions       `cmd:"" help:"List the requirements and the number of cases for each. Works offline, unless --spec or --allow-ref is a URL."`
	Explain    explainOptions    `cmd:"" help:"Explain one requirement, class or case: what it says, what is sent, what the suite expects, and how to fix a server that fails it. Works offline, unless --spec or --allow-ref is a URL."`
	Reach      reachOptions      `cmd:"" help:"Find out how to reach each operation with a request that the server accepts. Judges nothing."`
	Propose    proposeOptions    `cmd:"" help:"Write a requirements file of guesses as comments, each with what was observed. Take away the # of those that are true. Judges nothing."`
	Replay     replayOptions     `cmd:"" help:"Send one case again and print the bytes, or all failures of a report."`
	Diff       diffOptions       `cmd:"" help:"Compare two reports: what newly fails, is fixed, or is no longer tried. Or run against two servers, and show where they differ."`
	Matrix     matrixOptions     `cmd:"" help:"Compare implementations: put their reports side by side, with the verdicts on each requirement and the answers to each open point."`
	Merge      mergeOptions      `cmd:"" help:"Join the reports of all shards of a plan into one report of the whole plan."`
	Known      knownOptions      `cmd:"" name:"known-failures" help:"Turn the failures of a report into a file of known failures, for run --known-failures."`
	Selftest   selftestOptions   `cmd:"" help:"Test the suite itself: run it against every known faulty, unusual and hostile server."`
	Init       initOptions       `cmd:"" help:"Write a settings file (conformance.yaml) with comments."`
	Schema     schemaOptions     `cmd:"" help:"Print the JSON Schema of the settings file or of the JSON report."`
	Completion completionOptions `cmd:"" help:"Print the completion script for bash, zsh or fish."`
	Man        manOptions        `cmd:"" help:"Print the man page."`
	Version    versionOptions    `cmd:"" help:"Print the version."`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`
}

// dispatch parses a command line and calls its command. Every mistake in it is
// a *usageError of one line.
func dispatch(ctx context.Context, args []string, sys system) error {
	var g grammar
	var help bytes.Buffer
	helped := false
	applied := settled{sys: sys}
	parser, err := kong.New(&g,
		kong.Name("conformance"),
		kong.Description(about),
		kong.ConfigureHelp(kong.HelpOptions{NoAppDescFormat: true, NoExpandSubcommands: true, Compact: true}),
		vars(),
		flagGroups(),
		kong.Writers(&help, io.Discard),
		kong.Exit(func(int) { helped = true }),
		kong.WithBeforeResolve(applied.load),
	)
	if err != nil {
		return fmt.Errorf("command line: %w", err)
	}
	parser.Model.HelpFlag.Help = "Print this help."
	if completes(parser, sys.getenv) {
		_, err := sys.stdout.Write(help.Bytes())
		return err
	}
	parsed, err := parser.Parse(args)
	if helped {
		_, err := sys.stdout.Write(help.Bytes())
		return err // whatever else is on the command line
	}
	if err != nil {
		return mistake(err)
	}
	if done, err := applied.tell(parsed); done || err != nil {
		return err
	}
	switch name, _, _ := strings.Cut(parsed.Command(), " "); name {
	case "run":
		return run(ctx, sys, g.Run)
	case "list":
		return leaving(ctx, func() error { return list(ctx, sys, g.List) })
	case "explain":
		return leaving(ctx, func() error { return explain(ctx, sys, g.Explain) })
	case "reach":
		return reach(ctx, sys, g.Reach)
	case "propose":
		return propose(ctx, sys, g.Propose)
	case "replay":
		return leaving(ctx, func() error { return replay(ctx, sys, g.Replay) })
	case "diff":
		return compare(ctx, sys, g.Diff)
	case "matrix":
		return leaving(ctx, func() error { return matrix(sys, g.Matrix) })
	case "merge":
		return leaving(ctx, func() error { return mergeShards(sys, g.Merge) })
	case "known-failures":
		return leaving(ctx, func() error { return known(sys, g.Known) })
	case "selftest":
		return selftest(ctx, sys, g.Selftest)
	case "init":
		return leaving(ctx, func() error { return start(ctx, sys, g.Init) })
	case "schema":
		return schema(sys, parsed.Model, g.Schema)
	case "completion":
		if err := completionScript(parsed, g.Completion); err != nil {
			return err
		}
		_, err := sys.stdout.Write(help.Bytes())
		return err
	case "man":
		return man(sys, parsed.Model)
	}
	info, _ := debug.ReadBuildInfo()
	_, err = fmt.Fprintln(sys.stdout, versionLine(info))
	return err
}

// vars are what the help texts name.
func vars() kong.Vars {
	names := formatNames()
	info, _ := debug.ReadBuildInfo()
	return kong.Vars{"version": versionLine(info), "seed": strconv.Itoa(conformance.DefaultSeed), "draws": strconv.Itoa(conformance.DefaultDraws), "formats": strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]}
}

// formatNames are the names of the report formats.
func formatNames() []string {
	var names []string
	for _, f := range formats.List() {
		names = append(names, f.Name)
	}
	return names
}
