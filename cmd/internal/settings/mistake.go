package settings

import (
	"fmt"
	"strings"

	"plantstore/internal/nearest"
)

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
