package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	completion "github.com/jotaen/kong-completion"
	"github.com/muesli/roff"
	"github.com/posener/complete"

	"plantstore/cmd/internal/settings"
	"plantstore/conformance"
	"plantstore/conformance/report"
)

// manOptions are the flags of man: none.
type manOptions struct{}

// man prints the man page.
func man(sys system, app *kong.Application) error {
	var found bool
	app.Help, app.Detail, found = strings.Cut(unwrapped(app.Help), ". ")
	if !found {
		app.Detail = ""
	}
	for _, n := range app.Children {
		if n.Detail != "" {
			n.Detail = "\n" + unwrapped(n.Detail) // not beside the name
		}
	}
	page := mangokong.NewManPage(1, app)
	_, err := io.WriteString(sys.stdout, corrected(together(page.Build(&manual{roff.NewDocument()})))+"\n")
	return err
}

// corrected names the command in the synopsis, which the library leaves out, and writes no
// date where none is known.
func corrected(page string) string {
	page = strings.Replace(page, `"`+time.Unix(0, 0).UTC().Format(time.DateOnly)+`"`, `""`, 1)
	return strings.Replace(page, ` [\fIoptions`, ` \fI<command>\fP [\fIoptions`, 1)
}

// together removes the paragraph breaks between the lines of an example or a list. Each of
// them is indented, and stays a line of its own.
func together(page string) string {
	lines := strings.Split(page, "\n")
	out := lines[:1]
	for i, line := range lines[1:] {
		if line == ".PP" && strings.HasPrefix(lines[i], " ") && i+2 < len(lines) && strings.HasPrefix(lines[i+2], " ") {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// unwrapped joins the lines of a paragraph, because a man page wraps them itself.
// Examples and lists, which are indented, stay lines.
func unwrapped(text string) string {
	var out []string
	last := 0 // indent of the last line that begins something
	for _, line := range strings.Split(text, "\n") {
		words := strings.TrimLeft(line, " ")
		indent := len(line) - len(words)
		switch {
		case words == "":
			last = -1
			continue
		case len(out) > 0 && last >= 0 && (indent == 0 && last == 0 || indent > last+2):
			out[len(out)-1] += " " + words
			continue
		}
		last = indent
		out = append(out, line[:indent]+columns.ReplaceAllString(words, "  "))
	}
	return strings.Join(out, "\n")
}

// columns are the blanks between two columns of an example.
var columns = regexp.MustCompile(` {2,}`)

// manual is a document whose date is that of the program, so that the same program
// writes the same page.
type manual struct{ *roff.Document }

// Heading writes the head of each page.
func (m *manual) Heading(section uint, title, _ string, _ time.Time) {
	m.Document.Heading(section, title, "User Commands", built())
}

// Text writes a text. The document would take it as a format string.
func (m *manual) Text(text string) { m.Document.Text(strings.ReplaceAll(text, "%", "%%")) }

// TextBold writes a text in bold.
func (m *manual) TextBold(text string) { m.Document.TextBold(strings.ReplaceAll(text, "%", "%%")) }

// built is when the source of the program was committed, if that is known.
func built() time.Time {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); err == nil && s.Key == "vcs.time" {
				return at
			}
		}
	}
	return time.Unix(0, 0).UTC()
}

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

// versionOptions are the flags of version: none.
type versionOptions struct{}

// versionLine is the line that version prints.
func versionLine(info *debug.BuildInfo) string {
	return fmt.Sprintf("conformance %s, report version %d, %s", build(info), report.Version, runtime.Version())
}

// build is the version of the program. Go puts it there: the tag of the commit that the
// program was built from, or a version made of the commit. Without version control, as in
// an archive of the source, it is the release of the source with -devel behind it.
func build(info *debug.BuildInfo) string {
	if info == nil || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "v" + conformance.Release + "-devel"
	}
	return info.Main.Version
}

// schemaOptions are the arguments of schema.
type schemaOptions struct {
	Of schemaName `arg:"" name:"name" predictor:"schema" help:"What the schema describes: config (the settings file) or report (the JSON report of a run)."`
}

// schemaName names something that has a JSON Schema.
type schemaName string

func (n *schemaName) UnmarshalText(text []byte) error {
	*n = schemaName(text)
	return oneOf(string(text), schemas(), "there is no schema of %q")
}

// schemas are the names.
func schemas() []string { return []string{"config", "report"} }

// schema prints the JSON Schema of a file.
func schema(sys system, app *kong.Application, o schemaOptions) error {
	if o.Of == "report" {
		_, err := io.WriteString(sys.stdout, report.Schema())
		return err
	}
	return settings.WriteSchema(sys.stdout, app)
}
