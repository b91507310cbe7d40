package formats

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"plantstore/conformance/report"
)

// ReachText writes the way to each operation, a line for each.
func ReachText(w io.Writer, r *report.Reach, o Options) error {
	s := newPage(o)
	for _, way := range r.Ways {
		st := ordinary
		if way.Aside == "" && !way.Reached {
			st = doubtful
		}
		s.line("%s", s.paint(st, Escape(way.String())))
	}
	s.blank()
	s.field(0, "left out", strings.Join(r.LeftOut, "; "), rowsShown)
	s.field(0, "ended", Escape(r.Ended), rowsShown)
	s.line("%s: reached %d of %s of the document", Escape(r.Document), r.Reached, counted(r.Operations, "operation"))
	return s.send(w)
}

// ReachJSON writes the ways as JSON.
func ReachJSON(w io.Writer, r *report.Reach) error { return writeJSON(w, r) }

// reached is the summary of the ways in a report. One operation needs none.
func reached(r *report.Reached) string {
	if r == nil || r.Operations < 2 {
		return ""
	}
	return fmt.Sprintf("%d of %d operations", r.Reached, r.Operations)
}

// cleanUp says what the run deleted of what it made.
func cleanUp(c *report.CleanUp) string {
	switch {
	case c == nil:
		return ""
	}
	var out []string
	switch {
	case c.Made > 0 && c.Made == c.Deleted:
		out = append(out, fmt.Sprintf("deleted all %d that the run made and an operation deletes", c.Made))
	case c.Made > 0:
		out = append(out, fmt.Sprintf("deleted %d of %d that the run made and an operation deletes", c.Deleted, c.Made))
	}
	if c.Changed > 0 {
		out = append(out, fmt.Sprintf("put back %d of %d that it changed", c.Restored, c.Changed))
	}
	if len(c.Left) > 0 {
		out = append(out, "left: "+strings.Join(c.Left, ", "))
	}
	return strings.Join(out, "; ")
}

// ReachValues writes a values file to edit: what was found, and as comments what is
// to be filled in.
func ReachValues(w io.Writer, r *report.Reach) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Values for %s, found at %s.\n# Give this file to run, replay and list with --values.\n", Escape(r.Document), Escape(r.Target))
	for _, way := range r.Ways {
		b.WriteString("\n")
		operation(&b, way)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// operation writes one operation of a values file.
func operation(b *strings.Builder, w report.Way) {
	mark := ""
	switch {
	case w.Aside != "":
		fmt.Fprintf(b, "%s:\n  unreachable: %s\n", key(w.Operation), strconv.Quote(Escape(w.Aside)))
		return
	case !w.Reached:
		fmt.Fprintf(b, "# Not reached: %s.\n", Escape(w.Reason))
		mark = "# "
	case len(known(w.Sources)) == 0:
		fmt.Fprintf(b, "# %s\n", Escape(w.String()))
		return
	}
	for _, before := range w.After {
		fmt.Fprintf(b, "# It comes after %s.\n", Escape(before))
	}
	fmt.Fprintf(b, "%s%s:\n", mark, key(w.Operation))
	for _, section := range []string{"path", "query", "header", "cookie", ""} {
		began := false
		for _, s := range w.Sources {
			in, name, _ := strings.Cut(s.Place, "/")
			if in != section {
				continue
			}
			if name = unescape(name); in == "" {
				in, name = "body", s.Place
				if strings.Count(name, "/") == 1 {
					name = unescape(name[1:])
				}
			}
			value := s.Value
			switch {
			case s.From != "":
				value = "{from: " + strconv.Quote(Escape(s.From)) + "}"
			case s.Value == "" && w.Reached:
				continue // any value will do
			case s.Value == "":
				value = "VALUE"
			}
			if !began {
				began = true
				fmt.Fprintf(b, "%s  %s:\n", mark, in)
			}
			fmt.Fprintf(b, "%s    %s: %s\n", mark, key(name), value)
		}
	}
	if !w.Reached {
		fmt.Fprintf(b, "%s  unreachable: REASON # instead of values\n", mark)
	}
}

// known keeps the sources that a values file can name.
func known(list []report.Source) []report.Source {
	var out []report.Source
	for _, s := range list {
		if s.From != "" || s.Value != "" {
			out = append(out, s)
		}
	}
	return out
}

// unescape turns the last part of a JSON pointer into a name.
func unescape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
}

// key writes a key of YAML, in quotes if it must be.
func key(name string) string {
	if unquoted.MatchString(name) {
		return name
	}
	return strconv.Quote(Escape(name))
}

var unquoted = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
