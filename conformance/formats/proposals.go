package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

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
