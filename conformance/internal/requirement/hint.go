package requirement

import (
	"cmp"
	"strconv"
	"strings"

	"plantstore/internal/nearest"
)

const (
	shown  = 60 // characters of a text from a file
	listed = 30 // names in a list
)

// show quotes a text from a file, so that a message stays one short line.
func show(s string) string {
	if r := []rune(s); len(r) > shown {
		return strconv.Quote(string(r[:shown])) + "..."
	}
	return strconv.Quote(s)
}

// near says what a wrong name may stand for, or which names there are.
func near(name string, known []string) string {
	return cmp.Or(nearest.Hint(name, known), "use one of "+some(known))
}

// some joins names; of very many the first.
func some(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	if len(names) > listed {
		return strings.Join(names[:listed], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}
