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

// commands are the functions behind the grammar.
type commands struct {
	run        func(context.Context, runOptions) error
	list       func(context.Context, listOptions) error
	explain    func(context.Context, explainOptions) error
	reach      func(context.Context, reachOptions) error
	propose    func(context.Context, proposeOptions) error
	replay     func(context.Context, replayOptions) error
	diff       func(context.Context, diffOptions) error
	matrix     func(context.Context, matrixOptions) error
	merge      func(context.Context, mergeOptions) error
	known      func(context.Context, knownOptions) error
	selftest   func(context.Context, selftestOptions) error
	start      func(context.Context, initOptions) error
	schema     func(*kong.Application, schemaOptions) error
	completion func(*kong.Context, completionOptions) error
	man        func(*kong.Application) error
	version    func(versionOptions) error
}

func newCommands(sys system) commands {
	return commands{
		run:        newRun(sys),
		list:       newList(sys),
		explain:    newExplain(sys),
		reach:      newReach(sys),
		propose:    newPropose(sys),
		replay:     newReplay(sys),
		diff:       newDiff(sys),
		matrix:     newMatrix(sys),
		merge:      newMerge(sys),
		known:      newKnown(sys),
		selftest:   newSelftest(sys),
		start:      newInit(sys),
		schema:     newSchema(sys),
		completion: newCompletion(sys),
		man:        newMan(sys),
		version:    newVersion(sys),
	}
}

// dispatch parses a command line and calls its command. Every mistake in it is
// a *usageError of one line.
func dispatch(ctx context.Context, args []string, sys system, c commands) error {
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
		return c.run(ctx, g.Run)
	case "list":
		return c.list(ctx, g.List)
	case "explain":
		return c.explain(ctx, g.Explain)
	case "reach":
		return c.reach(ctx, g.Reach)
	case "propose":
		return c.propose(ctx, g.Propose)
	case "replay":
		return c.replay(ctx, g.Replay)
	case "diff":
		return c.diff(ctx, g.Diff)
	case "matrix":
		return c.matrix(ctx, g.Matrix)
	case "merge":
		return c.merge(ctx, g.Merge)
	case "known-failures":
		return c.known(ctx, g.Known)
	case "selftest":
		return c.selftest(ctx, g.Selftest)
	case "init":
		return c.start(ctx, g.Init)
	case "schema":
		return c.schema(parsed.Model, g.Schema)
	case "completion":
		if err := c.completion(parsed, g.Completion); err != nil {
			return err
		}
		_, err := sys.stdout.Write(help.Bytes())
		return err
	case "man":
		return c.man(parsed.Model)
	default:
		return c.version(g.Version)
	}
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
