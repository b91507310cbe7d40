package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

// GitHub writes workflow commands of GitHub Actions: an error for each failed
// requirement that gates, a warning for the others, and an error if the run is
// incomplete. GitHub shows them at the line of the clause, ten of each kind for one
// step, so the worst come first.
func GitHub(w io.Writer, r *report.Report, o Options) error {
	r = o.inRepository(r)
	var b strings.Builder
	failed, warned, suspected := split(r, o)
	line, _ := verdictLine(r, o)
	switch v := outcome(r); {
	case untold(r, o):
		gitHubCommand(&b, "error", nil, "conformance", line)
	case v == report.Conformant, v == report.OnlyKnown:
		gitHubCommand(&b, "notice", nil, "conformance", line)
	}
	for _, x := range failed {
		gitHubCommand(&b, "error", x.Place, title(x), details(x))
	}
	for _, x := range outdatedResults(r) {
		gitHubCommand(&b, "error", x.Place, x.Requirement, x.Sentence)
	}
	for _, x := range knownResults(r) {
		gitHubCommand(&b, "notice", x.Place, title(x), cut(knownNote(x.Known), detailBytes)+"\n"+details(x))
	}
	for _, x := range warned {
		gitHubCommand(&b, "warning", x.Place, title(x), details(x))
	}
	for _, x := range suspected {
		gitHubCommand(&b, "notice", x.Place, title(x), details(x))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// gitHubCommand writes one command, escaped as the toolkit of GitHub Actions does.
func gitHubCommand(b *strings.Builder, command string, at *report.Place, title, message string) {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	place := ""
	if at != nil {
		place = fmt.Sprintf("file=%s,line=%d,", property.Replace(Escape(at.File)), at.Line)
	}
	fmt.Fprintf(b, "::%s %stitle=%s::%s\n", command, place, property.Replace(title), data.Replace(message))
}

// title names a failed requirement in a list of problems.
func title(x report.Result) string { return Escape(fmt.Sprintf("%s (%s)", x.Requirement, x.Level)) }

// details tell a failed requirement in a few lines.
func details(x report.Result) string {
	lines := []string{cut(withEvidence(x), detailBytes), cut(gist(x), 2*detailBytes)}
	if x.Clause != "" {
		lines = append(lines, "clause: "+cut(x.Clause, detailBytes))
	}
	if len(x.Failures) > 0 {
		lines = append(lines, "replay: "+cut(x.Failures[0].Replay, detailBytes))
	}
	return strings.Join(lines, "\n")
}

// detailBytes is the length of one text in a list of problems.
const detailBytes = 400
