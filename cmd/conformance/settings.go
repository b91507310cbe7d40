package main

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"plantstore/cmd/internal/settings"
	"plantstore/conformance"
	"plantstore/conformance/formats"
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
