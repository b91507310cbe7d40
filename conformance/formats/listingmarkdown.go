package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

// sentShown is how many mutators of one requirement the page names.
const sentShown = 6

const listingHead = `# Requirements of %s

Each row is one requirement: its id, how binding it is (RFC 2119), what it says, the clause that it rests on, and the mutators that make the requests which test it. OPEN marks what the specification leaves open: it is observed and never judged. ` + "`conformance explain ID`" + ` shows an example of what is sent, and how to fix a server that fails.

` + "`conformance list --format markdown`" + ` prints this page.

| requirement | level | sentence | clause | sent by |
|---|---|---|---|---|
`

// ListingMarkdown writes the plan as a page: a row for each requirement, then what each
// mutator sends.
func ListingMarkdown(w io.Writer, l *report.Listing) error {
	var b strings.Builder
	fmt.Fprintf(&b, listingHead, cell(l.Document))
	for _, e := range l.Requirements {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", cell(e.Requirement), cell(string(e.Level)), cell(e.Sentence), cell(e.Clause), sentBy(e.Sent, len(l.Mutators)))
	}
	if len(l.Mutators) > 0 {
		b.WriteString("\n## What is sent\n\n| mutator | what it sends, and why |\n|---|---|\n")
		for _, m := range l.Mutators {
			fmt.Fprintf(&b, "| %s | %s |\n", cell(m.Name), cell(m.Doc))
		}
	}
	if len(l.LeftOut) > 0 {
		b.WriteString("\n## Left out\n\n")
		for _, line := range l.LeftOut {
			fmt.Fprintf(&b, "- %s\n", cell(line))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sentBy names the first mutators of a requirement.
func sentBy(names []string, all int) string {
	switch {
	case len(names) == 0:
		return "-"
	case len(names) == all:
		return "every mutator"
	case len(names) > sentShown+1:
		return cell(strings.Join(names[:sentShown], ", ")) + " and others"
	}
	return cell(strings.Join(names, ", "))
}

// cell makes a text safe in a table of Markdown: it can neither end the cell nor become
// markup.
func cell(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`).Replace(Escape(text))
}
