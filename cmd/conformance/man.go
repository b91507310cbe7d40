package main

import (
	"io"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"
)

// manOptions are the flags of man: none.
type manOptions struct{}

// man prints the man page.
func man(sys system, app *kong.Application) error {
	var found bool
	app.Help, app.Detail, found = strings.Cut(unwrapped(app.Help), ". ")
	if !found {
		app.Detail = ""
	}
	for _, n := range app.Children {
		if n.Detail != "" {
			n.Detail = "\n" + unwrapped(n.Detail) // not beside the name
		}
	}
	page := mangokong.NewManPage(1, app)
	_, err := io.WriteString(sys.stdout, corrected(together(page.Build(&manual{roff.NewDocument()})))+"\n")
	return err
}

// corrected names the command in the synopsis, which the library leaves out, and writes no
// date where none is known.
func corrected(page string) string {
	page = strings.Replace(page, `"`+time.Unix(0, 0).UTC().Format(time.DateOnly)+`"`, `""`, 1)
	return strings.Replace(page, ` [\fIoptions`, ` \fI<command>\fP [\fIoptions`, 1)
}

// together removes the paragraph breaks between the lines of an example or a list. Each of
// them is indented, and stays a line of its own.
func together(page string) string {
	lines := strings.Split(page, "\n")
	out := lines[:1]
	for i, line := range lines[1:] {
		if line == ".PP" && strings.HasPrefix(lines[i], " ") && i+2 < len(lines) && strings.HasPrefix(lines[i+2], " ") {
			continue
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// unwrapped joins the lines of a paragraph, because a man page wraps them itself.
// Examples and lists, which are indented, stay lines.
func unwrapped(text string) string {
	var out []string
	last := 0 // indent of the last line that begins something
	for _, line := range strings.Split(text, "\n") {
		words := strings.TrimLeft(line, " ")
		indent := len(line) - len(words)
		switch {
		case words == "":
			last = -1
			continue
		case len(out) > 0 && last >= 0 && (indent == 0 && last == 0 || indent > last+2):
			out[len(out)-1] += " " + words
			continue
		}
		last = indent
		out = append(out, line[:indent]+columns.ReplaceAllString(words, "  "))
	}
	return strings.Join(out, "\n")
}

// columns are the blanks between two columns of an example.
var columns = regexp.MustCompile(` {2,}`)

// manual is a document whose date is that of the program, so that the same program
// writes the same page.
type manual struct{ *roff.Document }

// Heading writes the head of each page.
func (m *manual) Heading(section uint, title, _ string, _ time.Time) {
	m.Document.Heading(section, title, "User Commands", built())
}

// Text writes a text. The document would take it as a format string.
func (m *manual) Text(text string) { m.Document.Text(strings.ReplaceAll(text, "%", "%%")) }

// TextBold writes a text in bold.
func (m *manual) TextBold(text string) { m.Document.TextBold(strings.ReplaceAll(text, "%", "%%")) }

// built is when the source of the program was committed, if that is known.
func built() time.Time {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); err == nil && s.Key == "vcs.time" {
				return at
			}
		}
	}
	return time.Unix(0, 0).UTC()
}
