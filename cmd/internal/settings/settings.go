// Package settings takes the values of flags from a settings file and from the
// environment. A flag on the command line overrides the environment, and the
// environment overrides the file; within the file a profile overrides what is outside
// of it.
//
// The package knows no flag by its meaning. It reads the names, types and
// placeholders of the command line's model: a flag whose placeholder has the word
// FILE is a path, which a settings file gives relative to its own folder.
package settings

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"plantstore/internal/nearest"
)

// Name is the name of a settings file that is found.
const Name = "conformance.yaml"

// Source says where settings may come from.
type Source struct {
	Getenv  func(string) string // an empty variable counts as not set
	Folder  string              // where the search begins; absolute
	Home    string              // where the search ends at the latest; may be empty
	File    string              // the file that the user names; empty to search
	None    bool                // no file is read
	Profile string              // the profile that is chosen; may be empty
	Rules   Rules
}

// Rules are what the command line says about flags beyond its model.
type Rules struct {
	// Secret reports whether a text of a flag has a credential in it.
	Secret func(flag, text string) bool
	// OwnVariable has the flags whose environment variables are read elsewhere.
	OwnVariable []string
	// Replaced is the environment variable that stands for a text of a file and is
	// read elsewhere; empty for none.
	Replaced func(flag, text string) string
	// Explicit has the flags that a file may only set if the user names the file.
	Explicit []string
	// Instead has pairs of flags that replace each other: the value of one from a
	// stronger source removes that of the other from a weaker source. A flag that is
	// false replaces nothing.
	Instead [][2]string
}

// Settings are the values of the flags of one command that do not come from its
// command line. It resolves flags for kong.
type Settings struct {
	File   string // the file that was read, as an error names it; empty for none
	Named  bool   // the user named it
	values map[string]value
}

// value is what one source says about a flag.
type value struct {
	texts  []string
	origin string
	rank   int
	off    bool // false, of a flag that is true or false
}

// The strength of a source.
const (
	fromFile = iota + 1
	fromProfile
	fromEnvironment
	fromCommandLine
)

// Load finds the values for the selected command. The error is a *Mistake, or the error
// of a flag that does not take a text, with the place of that text in front.
func Load(ctx *kong.Context, src Source) (*Settings, error) {
	s := &Settings{values: map[string]value{}}
	flags := Flags(ctx.Model)
	var f *file
	if !src.None {
		path, err := src.path()
		if err != nil {
			return nil, err
		}
		if path != "" {
			if f, err = read(path, src.shown(path)); err != nil {
				return nil, err
			}
			if err := check(f, flags, src); err != nil {
				return nil, err
			}
			s.File, s.Named = f.name, src.File != ""
		}
	}
	chosen, err := choose(f, src.Profile)
	if err != nil {
		return nil, err
	}
	set := onCommandLine(ctx)
	for _, flag := range ctx.Flags() {
		v := value{rank: fromCommandLine, origin: "flag", off: ctx.FlagValue(flag) == false}
		if !set[flag.Name] {
			if flags[flag.Name] == nil {
				continue
			}
			if v, err = find(flag, chosen, f, src); err != nil {
				return nil, err
			}
		}
		if v.rank > 0 {
			v.off = v.off || flag.IsBool() && len(v.texts) == 1 && slices.Contains([]string{"false", "no", "0"}, strings.ToLower(v.texts[0]))
			s.values[flag.Name] = v
		}
	}
	s.replace(src.Rules)
	return s, nil
}

// replace removes the values that a stronger source replaces.
func (s *Settings) replace(r Rules) {
	for _, pair := range r.Instead {
		a, b := s.values[pair[0]], s.values[pair[1]]
		switch {
		case a.rank > b.rank && !a.off:
			delete(s.values, pair[1])
		case b.rank > a.rank && !b.off:
			delete(s.values, pair[0])
		}
	}
}

// Validate implements kong.Resolver; Load has checked everything.
func (s *Settings) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver.
func (s *Settings) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	v, found := s.values[flag.Name]
	if !found || v.texts == nil {
		return nil, nil
	}
	return given(flag, v.texts), nil
}

// Origin says where the value of a flag comes from.
func (s *Settings) Origin(flag string) string {
	if v, found := s.values[flag]; found {
		return v.origin
	}
	return "default"
}

// onCommandLine gives the names of the flags that the command line has.
func onCommandLine(ctx *kong.Context) map[string]bool {
	set := map[string]bool{}
	for _, p := range ctx.Path {
		if p.Flag != nil {
			set[p.Flag.Name] = true
		}
	}
	return set
}

// find asks the environment, then the file.
func find(flag *kong.Flag, chosen map[string]entry, f *file, src Source) (value, error) {
	name := Variable(flag.Name)
	if text := src.Getenv(name); text != "" {
		v := value{origin: "environment " + name, rank: fromEnvironment}
		if slices.Contains(src.Rules.OwnVariable, flag.Name) {
			return v, nil
		}
		v.texts = []string{text}
		if flag.IsSlice() {
			v.texts = strings.Split(strings.TrimRight(text, "\n"), "\n")
		}
		return v, try(flag, v.texts, name)
	}
	e, found := chosen[flag.Name]
	if !found {
		return value{}, nil
	}
	v := value{texts: []string{}, origin: e.origin, rank: e.rank}
	for _, t := range e.texts {
		if r := src.Rules.Replaced; r != nil && src.Getenv(r(flag.Name, t.value)) != "" {
			continue
		}
		text, err := expand(t, f.name, src.Getenv)
		if err != nil {
			return value{}, err
		}
		if err := try(flag, []string{text}, place(f.name, t.line)+": "+e.key); err != nil {
			return value{}, err
		}
		v.texts = append(v.texts, src.moved(flag, f, text))
	}
	return v, nil
}

// Variable is the environment variable of a flag.
func Variable(flag string) string {
	return "CONFORMANCE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// reference matches ${NAME}, and $${, which stands for ${ itself.
var reference = regexp.MustCompile(`\$\$\{|\$\{([^}]*)\}?`)

// expand replaces ${NAME} with the value of that environment variable, and $${ with ${.
// The error is a *Mistake.
func expand(t text, file string, getenv func(string) string) (string, error) {
	var err error
	out := reference.ReplaceAllStringFunc(t.value, func(m string) string {
		if m == "$${" {
			return "${"
		}
		name := strings.TrimSuffix(strings.TrimPrefix(m, "${"), "}")
		if v := getenv(name); v != "" && variable.MatchString(name) && strings.HasSuffix(m, "}") {
			return v
		}
		switch {
		case err != nil:
		case !strings.HasSuffix(m, "}") || !variable.MatchString(name):
			err = mistakef("write ${NAME}, or $${ for the characters themselves", "%s: %q is not the name of an environment variable", place(file, t.line), name)
		default:
			err = mistakef("set it, or remove the line", "%s: the environment variable %s is not set or empty", place(file, t.line), name)
		}
		return m
	})
	return out, err
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// refers reports whether a text has a reference to a variable.
func refers(s string) bool {
	for _, m := range reference.FindAllString(s, -1) {
		if m != "$${" {
			return true
		}
	}
	return false
}

// A Mistake is an error in a settings file or in how it is chosen: what is wrong and
// where, and what to do.
type Mistake struct{ What, Hint string }

func (m *Mistake) Error() string { return m.What + ": " + m.Hint }

func mistakef(hint, what string, args ...any) error {
	return &Mistake{What: fmt.Sprintf(what, args...), Hint: hint}
}

// place is a line of a file.
func place(name string, line int) string { return fmt.Sprintf("%s:%d", name, line) }

// meant offers the nearest of the known names, else what to do without one.
func meant(name string, known []string, otherwise string) string {
	near := nearest.Names(name, known)
	if len(near) == 0 {
		return otherwise
	}
	return "did you mean " + strings.Join(near, " or ") + "?"
}

// placed is the error of a flag that does not take a text, with the place of the text
// in front instead of the name of the flag.
type placed struct {
	place string
	err   error
}

func (p *placed) Error() string { return p.place + ": " + p.err.Error() }
func (p *placed) Unwrap() error { return p.err }
