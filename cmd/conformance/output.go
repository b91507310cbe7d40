package main

import (
	"path/filepath"
	"strings"

	"plantstore/conformance/formats"
)

// output is one --report FORMAT=PATH; the path "-" is standard output.
type output struct {
	format formats.Format
	path   string
}

func (o *output) UnmarshalText(text []byte) error {
	f, path, err := formatAndPath(text, formats.Find, "json=report.json or json=-")
	*o = output{format: f, path: path}
	return err
}

// formatAndPath reads FORMAT=PATH, with a function that knows the formats by name. The
// error is a *usageError with the examples.
func formatAndPath[F any](text []byte, find func(name string) (F, error), examples string) (format F, path string, err error) {
	name, path, found := strings.Cut(string(text), "=")
	if !found || path == "" {
		return format, "", usagef("write FORMAT=PATH, such as "+examples, "%q is not FORMAT=PATH", text)
	}
	if format, err = find(name); err != nil {
		what, hint, _ := strings.Cut(err.Error(), ": ")
		return format, "", usagef(hint, "%s", what)
	}
	for _, part := range strings.Split(path, ",")[1:] {
		if second, _, found := strings.Cut(part, "="); found {
			if _, err := find(strings.TrimSpace(second)); err == nil {
				return format, "", usagef("write --report once for each, or in CONFORMANCE_REPORT one value per line", "%q names several reports", text)
			}
		}
	}
	return format, path, nil
}

// checkOutputs refuses two reports for one place.
func checkOutputs(list []output) error {
	seen := map[string]string{}
	for _, o := range list {
		place := o.path
		if place != "-" {
			place = filepath.Clean(place)
		}
		if first, twice := seen[place]; twice {
			return usagef("give each report its own file", "--report %s and %s both write to %s", first, o.format.Name, o.path)
		}
		seen[place] = o.format.Name
	}
	return nil
}
