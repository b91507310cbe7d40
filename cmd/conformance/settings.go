package main

import (
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"plantstore/cmd/internal/settings"
	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/internal/fetch"
	"plantstore/internal/nearest"
)

// settingsOptions are the flags about the settings file, of every command that reads
// a document.
type settingsOptions struct {
	Config      *string `placeholder:"FILE" help:"Settings file (YAML): flags by their long names, and profiles. Without it, conformance.yaml is searched for in the working folder and above, up to the top of the repository."`
	NoConfig    bool    `help:"Read no settings file."`
	Profile     string  `placeholder:"NAME" help:"Profile of the settings file to use."`
	PrintConfig bool    `help:"Print the value of each flag and where it comes from, and do nothing else."`
}

// settled adds settings to a command line.
type settled struct {
	sys      system
	settings *settings.Settings
}

// load is called by kong when it knows the command and its flags.
func (s *settled) load(ctx *kong.Context) error {
	if !settings.Has(ctx.Flags()) {
		return nil
	}
	src := settings.Source{Getenv: s.sys.getenv, Rules: rules()}
	if file, _ := valueOf(ctx, "config").(*string); file != nil {
		src.File = *file
	}
	src.Profile, _ = valueOf(ctx, "profile").(string)
	src.None = isSet(ctx, "no-config")
	if src.None && (src.File != "" || src.Profile != "") {
		return usagef("use only one of them", "--no-config and --config or --profile are both set")
	}
	if src.File == "" && !src.None {
		src.File = s.sys.getenv(settings.Variable("config"))
	}
	if src.Profile == "" && !src.None {
		src.Profile = s.sys.getenv(settings.Variable("profile"))
	}
	var err error
	if src.Folder, err = s.sys.folder(); err != nil {
		return fmt.Errorf("the working folder: %w", err)
	}
	src.Home, _ = os.UserHomeDir() // without one, the search ends with the root
	if s.settings, err = settings.Load(ctx, src); err != nil {
		return err
	}
	s.sys.watcher.settings = s.settings.File
	ctx.AddResolver(s.settings)
	return nil
}

// tell prints the settings if the user asks for nothing else. It names a settings file
// that was found by searching, because the user may not expect what it says, and
// environment variables that are mistyped.
func (s *settled) tell(ctx *kong.Context) (done bool, err error) {
	if s.settings == nil {
		return false, nil
	}
	if err := warnOfVariables(s.sys.stderr, ctx.Model, s.sys.environ()); err != nil {
		return false, err
	}
	if isSet(ctx, "print-config") {
		return true, printSettings(s.sys.stdout, ctx, s.settings)
	}
	if isSet(ctx, "verbose") && isSet(ctx, "quiet") {
		return false, usagef("use only one of them", "--verbose and --quiet are both set%s", s.by("verbose", "quiet"))
	}
	if s.settings.File != "" && !s.settings.Named && !isSet(ctx, "quiet") {
		_, err = fmt.Fprintln(s.sys.stderr, "conformance: settings of "+formats.Escape(s.settings.File))
	}
	return false, err
}

// by names the sources of two flags, unless both are on the command line.
func (s *settled) by(a, b string) string {
	a, b = s.settings.Origin(a), s.settings.Origin(b)
	if a == b {
		return ""
	}
	return ", by " + a + " and " + b
}

// valueOf is the value of a flag; nil if the command has no such flag.
func valueOf(ctx *kong.Context, name string) any {
	for _, f := range ctx.Flags() {
		if f.Name == name {
			return ctx.FlagValue(f)
		}
	}
	return nil
}

// isSet reports whether a flag without a value is set.
func isSet(ctx *kong.Context, name string) bool {
	set, _ := valueOf(ctx, name).(bool)
	return set
}

// rules are what settings must know about single flags.
func rules() settings.Rules {
	return settings.Rules{
		Secret:      credential,
		OwnVariable: []string{"token", "auth", "auth-other", "auth-command"},
		Replaced: func(flag, text string) string {
			switch name, _, _ := strings.Cut(text, "="); flag {
			case "token-file":
				return envToken
			case "auth", "auth-command":
				return conformance.AuthVariable(name, false)
			case "auth-other":
				return conformance.AuthVariable(name, true)
			}
			return ""
		},
		Explicit: []string{"auth-command"},
		Instead:  [][2]string{{"token", "token-file"}, {"target", "server"}, {"target", "server-variable"}, {"verbose", "quiet"}, {"markdown", "format"}},
	}
}

// credential reports whether a text of a flag has a credential in it.
func credential(flag, text string) bool {
	switch flag {
	case "token", "auth", "auth-other":
		return true
	case "header":
		name, _, _ := strings.Cut(text, ":")
		return conformance.SecretHeader(name)
	case "target", "spec":
		u, err := url.Parse(text)
		return err == nil && u.User != nil
	}
	return false
}

// hiddenValue stands for a credential.
const hiddenValue = "(redacted)"

// printSettings prints a line for each flag of the command that settings can have: its
// name, the value that takes effect, and where it comes from.
func printSettings(w io.Writer, ctx *kong.Context, s *settings.Settings) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	known := settings.Flags(ctx.Model)
	for _, f := range ctx.Flags() {
		if known[f.Name] == nil {
			continue
		}
		origin := s.Origin(f.Name)
		list := shownValues(f)
		switch {
		case origin == "default":
			list = []string{defaultOf(f)}
		case len(list) == 0 && f.Name == "token":
			list = []string{hiddenValue}
		}
		for i, v := range list {
			name := f.Name
			if i > 0 {
				name = ""
			}
			// Flush returns the errors of writing.
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", name, formats.Escape(v), formats.Escape(origin))
		}
	}
	return table.Flush()
}

// defaultOf is the default of a flag, as its help gives it.
func defaultOf(f *kong.Flag) string {
	if m := regexp.MustCompile(`\(default:? ([^;)]*)`).FindStringSubmatch(f.Help); m != nil {
		return m[1]
	}
	if f.IsBool() {
		return "false"
	}
	return "-"
}

// shownValues are the texts of a flag's value, without credentials.
func shownValues(f *kong.Flag) []string {
	v := f.Target
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Slice {
		return []string{shownValue(f.Name, v.Interface())}
	}
	var out []string
	for i := range v.Len() {
		out = append(out, shownValue(f.Name, v.Index(i).Interface()))
	}
	if out == nil {
		out = []string{"-"}
	}
	return out
}

// shownValue is the text of one value.
func shownValue(flag string, value any) string {
	switch v := value.(type) {
	case duration:
		return time.Duration(v).String()
	case draws:
		return strconv.Itoa(max(int(v), 0))
	case output:
		return v.format.Name + "=" + v.path
	case variable:
		return v.name + "=" + v.value
	case named:
		return v.name + "=" + hiddenValue
	case header:
		if name, _, _ := strings.Cut(string(v), ":"); credential(flag, string(v)) {
			return name + ": " + hiddenValue
		}
		return string(v)
	case string:
		if flag == "token" {
			return hiddenValue
		}
		if u, err := url.Parse(v); err == nil && fetch.IsAddress(v) {
			return fetch.Shown(u)
		}
		return v
	}
	return fmt.Sprint(value)
}

// warnOfVariables tells of environment variables that nobody reads and that look like
// one that is read: with CONFORMANCE_TARGT, a run tests the embedded reference server, and
// passes. Variables of others, which are near to none, are left alone.
func warnOfVariables(w io.Writer, app *kong.Application, environ []string) error {
	prefix := settings.Variable("")
	known := []string{settings.Variable("config"), settings.Variable("profile")}
	for _, n := range numberings() {
		known = append(known, n.index, n.total)
	}
	for _, flag := range slices.Sorted(maps.Keys(settings.Flags(app))) {
		known = append(known, settings.Variable(flag))
	}
	var names []string // the words behind the prefix, which all share
	for _, k := range known {
		if name, ours := strings.CutPrefix(k, prefix); ours {
			names = append(names, name)
		}
	}
	for _, line := range slices.Sorted(slices.Values(environ)) {
		variable, value, _ := strings.Cut(line, "=")
		name, ours := strings.CutPrefix(variable, prefix)
		if !ours || value == "" || slices.Contains(names, name) || strings.HasPrefix(name, "AUTH_") {
			continue // AUTH_ is followed by the name of a security scheme
		}
		near := nearest.Names(name, names)
		if len(near) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "conformance: warning: the environment variable %s is not read: did you mean %s?\n", formats.Escape(variable), prefix+strings.Join(near, ", "+prefix)); err != nil {
			return err
		}
	}
	return nil
}
