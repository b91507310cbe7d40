package main

import (
	"plantstore/conformance/formats"
)

// textOptions fits a text to the stream it goes to: colour and width are those
// of a terminal, and nothing else gets an escape sequence.
func textOptions(s stream, noColor bool, getenv func(string) string) formats.Options {
	o := formats.Options{Colour: s.terminal && !noColor && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb", Repository: inRepository(getenv)}
	if s.terminal && s.width > 0 {
		o.Width = min(max(s.width, 60), 120)
	}
	return o
}
