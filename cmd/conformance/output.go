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
	name, path, found := strings.Cut(string(text), "=")
	if !found || path == "" {
		return usagef("write FORMAT=PATH, such as json=report.json or json=-", "%q is not FORMAT=PATH", text)
	}
	f, err := formats.Find(name)
	if err != nil {
		what, hint, _ := strings.Cut(err.Error(), ": ")
		return usagef(hint, "%s", what)
	}
	*o = output{format: f, path: path}
	return nil
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
