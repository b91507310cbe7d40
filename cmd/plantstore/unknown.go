package main

import (
	"fmt"
	"strings"

	"plantstore/internal/nearest"
)

func names[T any](list []T, name func(T) string) []string {
	var out []string
	for _, v := range list {
		out = append(out, name(v))
	}
	return out
}

// unknown is the error for a name that is not in a catalogue.
func unknown(kind, name string, known []string) error {
	hint := ""
	if near := nearest.Names(name, known); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? "
	}
	return fmt.Errorf(`unknown %s %q: %s"plantstore %ss" lists them`, kind, name, hint, kind)
}
