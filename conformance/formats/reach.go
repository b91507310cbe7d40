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
	out := fmt.Sprintf("%d of %d operations", r.Reached, r.Operations)
	var not []string
	for _, u := range r.Untried {
		not = append(not, u.Operations...)
	}
	if len(not) > 0 {
		out += "; not " + some(not, 4)
	}
	return out
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

// Proposals writes a requirements file in which each line is a comment, below its reason and what
// was observed.
func Proposals(w io.Writer, p *report.Proposals) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Requirements proposed for %s", Escape(p.Document))
	if p.Target != "" {
		fmt.Fprintf(&b, ", observed at %s", Escape(p.Target))
	}
	b.WriteString(".\n# Each line that begins with # and a key is a guess. Take away the # in front of one that is\n" +
		"# true: it is then a MUST. Give this file to run, replay and list with --requirements.\n")
	for _, reason := range p.Reasons {
		fmt.Fprintf(&b, "# Not all was observed: %s.\n", oneLine(reason))
	}
	if len(p.Lines) == 0 {
		b.WriteString("\n# Nothing in the document suggests a line.\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	valid(&b, p)
	b.WriteString("\noperations:\n")
	of := ""
	for _, l := range p.Lines {
		if l.Operation != of {
			of = l.Operation
			fmt.Fprintf(&b, "  %s:\n", key(of))
		}
		for _, says := range l.Says {
			fmt.Fprintf(&b, "    # %s\n", oneLine(says))
		}
		for _, e := range l.Evidence {
			if e.Quote != "" {
				fmt.Fprintf(&b, "    # %s: \"%s\"\n", Escape(e.Place), oneLine(e.Quote))
			} else {
				fmt.Fprintf(&b, "    # %s: %s\n", Escape(e.Place), oneLine(e.Fact))
			}
		}
		if len(l.Evidence) == 0 {
			fmt.Fprintf(&b, "    # %s: no text says so\n", Escape(l.Place))
		}
		if l.Observed != "" {
			fmt.Fprintf(&b, "    # %s\n", oneLine(l.Observed))
		}
		fmt.Fprintf(&b, "    #%s: %s\n", l.Key, l.Value)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// valid writes the line about the valid requests of all operations.
func valid(b *strings.Builder, p *report.Proposals) {
	all, hold := 0, 0
	for _, l := range p.Lines {
		if l.Key == "valid" {
			if all++; strings.HasPrefix(l.Observed, report.Holds) {
				hold++
			}
		}
	}
	if all == 0 {
		return
	}
	b.WriteString("\n# Every valid request is accepted, whatever values it has.\n")
	if p.Target != "" {
		fmt.Fprintf(b, "# holds for %d of %s\n", hold, counted(all, "operation"))
	}
	b.WriteString("#valid: accepted\n")
}

// quoteRunes bounds what a comment quotes.
const quoteRunes = 240

// oneLine writes a text in one line of a comment.
func oneLine(text string) string {
	return cut(strings.Join(strings.Fields(text), " "), quoteRunes)
}

// ProposalsJSON writes the proposals as JSON.
func ProposalsJSON(w io.Writer, p *report.Proposals) error { return writeJSON(w, p) }

// ReplayedLine writes what became of one failure of a report, on one line.
func ReplayedLine(w io.Writer, x report.Replayed, o Options) error {
	s := newPage(o)
	word := fmt.Sprintf("%-11s", x.Outcome)
	line := fmt.Sprintf("%s (%s) %s", s.paint(strong, Escape(x.Requirement)), Escape(string(x.Level)), Escape(x.Case))
	if x.Place != nil {
		line += fmt.Sprintf(" at %s:%d", Escape(x.Place.File), x.Place.Line)
	}
	if x.Known {
		line += ", a known failure"
	}
	s.line("%s %s: %s", s.paint(replayStyle(x), word), line, cut(became(x), 2*s.width))
	return s.send(w)
}

// became says what was sent and what came.
func became(x report.Replayed) string {
	switch x.Outcome {
	case report.Fixed:
		return fmt.Sprintf("sent %s; got %s before", x.Sent, x.Was)
	case report.NotTried:
		return x.Reason
	case report.StillFails:
		text := fmt.Sprintf("sent %s; got %s", x.Sent, x.Got)
		if x.Got != x.Was {
			text += ", before " + x.Was
		}
		if x.Fails != x.Requirement {
			text += "; it now breaks " + x.Fails
		}
		return text
	}
	return fmt.Sprintf("it fails %s (%s) now: got %s, before %s", x.Fails, x.FailsLevel, x.Got, x.Was)
}

func replayStyle(x report.Replayed) style {
	switch {
	case x.Outcome == report.Fixed:
		return good
	case x.Gates:
		return bad
	}
	return doubtful
}

// ReplaySummary writes the last line of a replay: how many failures came to which outcome.
func ReplaySummary(w io.Writer, r *report.Replay, o Options) error {
	s := newPage(o)
	if len(r.Failures) == 0 {
		s.line("the report has no failures: nothing was sent")
		return s.send(w)
	}
	var parts []string
	for _, c := range []struct {
		of         report.ReplayOutcome
		one, other string
	}{
		{report.Fixed, "fixed", "fixed"}, {report.StillFails, "still fails", "still fail"},
		{report.Changed, "fails otherwise", "fail otherwise"}, {report.NotTried, "not tried", "not tried"},
	} {
		switch n := r.Count(c.of); n {
		case 0:
		case 1:
			parts = append(parts, "1 "+c.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, c.other))
		}
	}
	st := doubtful
	switch {
	case r.Gates():
		st = bad
	case r.Count(report.Fixed) == len(r.Failures):
		st = good
	}
	s.line("%s", s.paint(st, counted(len(r.Failures), "failure")+": "+strings.Join(parts, ", ")))
	return s.send(w)
}
