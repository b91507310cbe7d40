package formats

import (
	"fmt"
	"strings"

	"plantstore/conformance/report"
)

// failedTable writes failed requirements in a row each.
func (p *mdPage) failedTable(list []report.Result, heading string) {
	var rows []string
	for _, x := range list {
		var f report.Failure
		if len(x.Failures) > 0 {
			f = x.Failures[0]
		}
		rows = append(rows, mdRow(mdCell(x.Requirement), mdProse(string(x.Level)), mdProse(cut(withEvidence(x), cellBytes)),
			caseCounts(x.Cases), mdCell(cut(f.Sent, cellBytes)), mdCell(cut(f.Expected, cellBytes)), mdCell(cut(f.Got, cellBytes)),
			mdCell(cut(f.Replay, cellBytes))))
	}
	p.table(heading, mdHead("requirement", "level", "rule", "cases", "sent", "expected", "got", "replay"), rows)
}

// known writes the entries of the file of known failures that no longer hold, and the
// failures that it has.
func (p *mdPage) known(r *report.Report) {
	var rows []string
	for _, line := range OutOfDate(r) {
		rows = append(rows, mdRow(mdProse(line)))
	}
	p.table("Known failures out of date", mdHead("line of the file"), rows)
	rows = nil
	for _, x := range knownResults(r) {
		rows = append(rows, mdRow(mdCell(x.Requirement), mdProse(string(x.Level)), mdProse(cut(knownNote(x.Known), cellBytes)), caseCounts(x.Cases), mdCell(cut(gist(x), cellBytes))))
	}
	p.table("Known failures", mdHead("requirement", "level", "reason", "cases", "failure"), rows)
}

// notTried writes what the verdict does not cover, with the reasons.
func (p *mdPage) notTried(r *report.Report) {
	var rows []string
	for _, kind := range []struct {
		v    report.Verdict
		what string
	}{
		{report.Error, "error in this suite"}, {report.Inconclusive, "inconclusive"}, {report.Inapplicable, "inapplicable"},
	} {
		for _, g := range byReason(r, kind.v) {
			rows = append(rows, mdRow(kind.what, mdCell(cut(g.who, cellBytes)), mdProse(cut(g.reason, cellBytes))))
		}
	}
	for _, x := range r.Results {
		if why := untried(x); why != "" {
			rows = append(rows, mdRow("passed in part", mdCell(x.Requirement), mdProse(cut(why, cellBytes))))
		}
	}
	for _, what := range r.Header.LeftOut {
		rows = append(rows, mdRow("left out", "", mdProse(cut(what, cellBytes))))
	}
	for _, what := range r.Header.Selection {
		rows = append(rows, mdRow("selection", "", mdCell(cut(what, cellBytes))))
	}
	if r.Header.Shard != nil {
		rows = append(rows, mdRow("shard", "", mdCell(r.Header.Shard.String())))
	}
	p.table("Not tried", mdHead("", "requirements", "reason"), rows)
}

// observed writes what the target does where the specification is silent.
func (p *mdPage) observed(r *report.Report) {
	var rows []string
	for _, x := range r.Observed {
		if len(x.Seen) > 0 {
			rows = append(rows, mdRow(mdCell(x.Requirement), mdProse(cut(x.Sentence, cellBytes)), mdCell(cut(habits(x.Seen), cellBytes))))
		}
	}
	p.table("Observed where the specification is silent (not judged)", mdHead("open point", "rule", "observed"), rows)
}

// table writes a table, behind a line to open it if it is long.
func (p *mdPage) table(heading, head string, rows []string) {
	if len(rows) == 0 {
		return
	}
	p.block("## %s", heading)
	shown, more := rows, ""
	if n := len(rows) - rowsShown; n > 1 {
		shown, more = rows[:rowsShown], fmt.Sprintf("%d more are in the JSON report.", n)
	}
	text := head + strings.Join(shown, "\n")
	if len(rows) <= rowsOpen {
		p.block("%s", text)
		return
	}
	p.block("<details><summary>%s</summary>", counted(len(rows), "row"))
	p.block("%s", text)
	if more != "" {
		p.block("%s", more)
	}
	p.block("</details>")
}

// mdHead is the head of a table.
func mdHead(cells ...string) string {
	return mdRow(cells...) + "\n" + strings.Repeat("|---", len(cells)) + "|\n"
}

// mdRow is a row of cells that are escaped already.
func mdRow(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }
