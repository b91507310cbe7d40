package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	completion "github.com/jotaen/kong-completion"
	"github.com/posener/complete"

	"plantstore/conformance"
)

// completionOptions are the arguments of completion.
type completionOptions struct {
	Shell shellName `arg:"" name:"shell" predictor:"shell" help:"bash, zsh or fish."`
}

// shells are those for which there is completion.
func shells() []string { return []string{"bash", "zsh", "fish"} }

// shellName is one of them.
type shellName string

func (n *shellName) UnmarshalText(text []byte) error {
	*n = shellName(text)
	return oneOf(string(text), shells(), "there is no completion for %q")
}

// completionScript prints what a shell evaluates. The shell then asks this program itself, so that
// new flags are known.
func completionScript(ctx *kong.Context, o completionOptions) error {
	err := (&completion.Completion{Shell: string(o.Shell), Code: true}).Run(ctx)
	if err == nil && o.Shell == "fish" {
		_, err = io.WriteString(ctx.Stdout, fishFiles(ctx.Model))
	}
	return err
}

// fishFiles lets fish complete the names of files, which its script turns off, where a flag
// or the arguments of a command are files.
func fishFiles(app *kong.Application) string {
	flags, takers := map[string]bool{}, []string{}
	for _, command := range app.Leaves(true) {
		for _, f := range command.Flags {
			flags[f.Name] = flags[f.Name] || strings.Contains(f.PlaceHolder, "FILE") || strings.Contains(f.PlaceHolder, "PATH")
		}
		if slices.ContainsFunc(command.Positional, func(p *kong.Positional) bool {
			return strings.Contains(p.Name, "report") || strings.Contains(p.Help, "REPORT.json")
		}) {
			name, _, _ := strings.Cut(strings.TrimPrefix(command.FullPath(), app.Name+" "), " ")
			takers = append(takers, name)
		}
	}
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		if flags[name] {
			fmt.Fprintf(&out, "complete -c %s -l %s -r -F -a \"(__complete_%s)\"\n", app.Name, name, app.Name)
		}
	}
	fmt.Fprintf(&out, "complete -c %s -n \"__fish_seen_subcommand_from %s\" -F\n", app.Name, strings.Join(takers, " "))
	return out.String()
}

// completes answers a shell that asks what may come next on a command line. It asks as
// bash does, with the environment variable COMP_LINE. completes reports whether a shell
// asks.
func completes(parser *kong.Kong, getenv func(string) string) bool {
	if getenv("COMP_LINE") == "" {
		return false
	}
	var reports []string
	for _, name := range formatNames() {
		reports = append(reports, name+"=")
	}
	completion.Register(parser, completion.WithExitFunc(func(int) {}), completion.WithPredictors(map[string]complete.Predictor{
		"shell":  complete.PredictSet(shells()...),
		"schema": complete.PredictSet(schemas()...),
		"effort": complete.PredictSet(conformance.Efforts()...),
		"gate":   complete.PredictSet(gates()...),
		"report": complete.PredictSet(reports...),
	}))
	return true
}
