package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"plantstore/cmd/internal/settings"
	"plantstore/conformance/formats"
	"plantstore/internal/nearest"
)

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
