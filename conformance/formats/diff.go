package formats

import (
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/report"
)

// DiffJSON writes what changed as JSON.
func DiffJSON(w io.Writer, d *report.Diff) error { return writeJSON(w, d) }

// DiffText writes what changed for people: what got worse first, the result last.
func DiffText(w io.Writer, d *report.Diff, o Options) error {
	s := newPage(o)
	s.field(0, "old", sideOf(d.Old), fieldLines)
	s.field(0, "new", sideOf(d.New), fieldLines)
	s.field(0, "settings", strings.Join(d.Differ, "; "), fieldLines)
	s.findingChanges(d.Findings)
	s.changes("newly failing", bad, d.NewlyFailing, failsNow)
	s.triedNoMore(d.NoLongerTried)
	s.changes("still failing", doubtful, d.StillFailing, failsStill)
	s.changes("fixed", good, d.Fixed, func(c report.Change) string { return "got " + c.WasGot })
	s.observedChanges(d.Observed)
	s.latencyChanges(d.Latency)
	s.blank()
	line, st := diffLine(d)
	s.line("%s", s.paint(st, line))
	return s.send(w)
}

// findingChanges writes the findings of either run, a line each.
func (s *page) findingChanges(list []report.FindingChange) {
	var rows []string
	n := map[string]int{}
	for _, x := range list {
		n[x.Change]++
		known := ""
		if x.Known {
			known = " (known)"
		}
		rows = append(rows, s.row(fmt.Sprintf("%-9s %s %s: %s%s", x.Change, x.ID, x.Category, x.Sentence, known)))
	}
	heading := fmt.Sprintf("findings: %d new, %d gone, %d as before", n["new"], n["gone"], n["same"])
	if n["not tried"] > 0 {
		heading += fmt.Sprintf(", %d not tried", n["not tried"])
	}
	s.rows(heading, rows, rowsShown)
}

func sideOf(d report.DiffSide) string {
	return fmt.Sprintf("%s: %s, %s", d.Target, d.Document, d.Verdict)
}

// detail writes what is said of the line above it.
func (s *page) detail(text string) {
	for _, l := range wrap(cut(text, fieldLines*s.width), s.width-5) {
		s.line("     %s", l)
	}
}

// changes writes a list of requirements, two lines each.
func (s *page) changes(heading string, st style, list []report.Change, say func(report.Change) string) {
	if len(list) == 0 {
		return
	}
	s.blank()
	s.line("%s", s.paint(st, heading+": "+counted(len(list), "requirement")))
	for _, c := range list {
		s.line("  %s (%s)", s.paint(strong, Escape(c.Requirement)), Escape(string(c.Level)))
		s.detail(say(c))
		if c.Known != "" {
			s.line("     %s", cut("known failure: "+c.Known, s.width))
		}
		if c.Is == report.Fail && c.Replay != "" {
			s.line("     %s", Escape(c.Replay))
		}
	}
}

func failsNow(c report.Change) string {
	return fmt.Sprintf("%s before; sent %s; got %s", verdictWord(c.Was), c.Sent, c.Got)
}

func failsStill(c report.Change) string {
	if c.WasGot != c.Got {
		return fmt.Sprintf("sent %s; got %s, before %s", c.Sent, c.Got, c.WasGot)
	}
	return fmt.Sprintf("sent %s; got %s, as before", c.Sent, c.Got)
}

// triedNoMore writes the requirements without a verdict, those for one reason together:
// a selection leaves out many.
func (s *page) triedNoMore(list []report.Change) {
	const named = 10
	if len(list) == 0 {
		return
	}
	s.blank()
	s.line("%s", s.paint(doubtful, "no longer tried: "+counted(len(list), "requirement")))
	var g group
	for _, c := range list {
		g.add(fmt.Sprintf("%s (%s)", c.Requirement, c.Level), noLonger(c))
	}
	for _, reason := range g.order {
		ids := g.by[reason]
		who := strings.Join(ids[:min(len(ids), named)], ", ")
		if n := len(ids) - named; n > 0 {
			who += fmt.Sprintf(" and %d more", n)
		}
		for _, l := range wrap(Escape(who), s.width-2) {
			s.line("  %s", l)
		}
		s.detail(reason)
	}
}

func noLonger(c report.Change) string {
	line := fmt.Sprintf("%s before, now %s", verdictWord(c.Was), verdictWord(c.Is))
	if c.Reason != "" {
		line += ": " + c.Reason
	}
	if !c.Gates && c.Level == report.Must {
		line += " (does not count)"
	}
	return line
}

// verdictWord is a verdict as a reader says it.
func verdictWord(v report.Verdict) string {
	switch v {
	case "":
		return "absent"
	case report.Pass:
		return "passed"
	case report.Fail:
		return "failed"
	}
	return string(v)
}

// observedChanges writes the open points that the target treats in another way.
func (s *page) observedChanges(list []report.ObservedChange) {
	var rows []string
	for _, o := range list {
		for _, c := range o.Changes {
			row := fmt.Sprintf("%s: %s; before %s", o.Requirement, strings.Join(c.Is, " or "), strings.Join(c.Was, " or "))
			if n := len(c.Kinds); n > 2 {
				row += fmt.Sprintf(" (%s and %d more)", c.Kinds[0], n-1)
			} else if n > 0 {
				row += " (" + strings.Join(c.Kinds, ", ") + ")"
			}
			rows = append(rows, cut(row, 2*s.width))
		}
	}
	s.rows("open points with another answer (not judged)", rows, rowsShown)
}

// latencyChanges writes the times of answers that differ by more than noise.
func (s *page) latencyChanges(list []report.LatencyChange) {
	var rows []string
	for _, c := range list {
		word := "slower"
		if c.Is < c.Was {
			word = "faster"
		}
		rows = append(rows, fmt.Sprintf("%s: %s, %s before (%s)", c.Percentile, shortTime(c.Is), shortTime(c.Was), word))
	}
	s.rows("times of answers beyond noise (not judged)", rows, rowsShown)
}

// diffLine is the last line: whether the new run is worse, and why.
func diffLine(d *report.Diff) (string, style) {
	var parts []string
	count := func(list []report.Change, what string) {
		if n := gating(list); n > 0 {
			parts = append(parts, counted(n, "requirement")+" "+what)
		}
	}
	count(d.NewlyFailing, "newly failing")
	count(d.NoLongerTried, "no longer tried")
	switch {
	case len(parts) > 0:
		return "WORSE: " + strings.Join(parts, ", "), bad
	case len(d.NewlyFailing)+len(d.NoLongerTried) > 0:
		return "not worse: what changed does not make a run fail", doubtful
	case len(d.Fixed) > 0:
		return "better: " + counted(len(d.Fixed), "requirement") + " fixed", good
	}
	return "not worse: no requirement newly fails, is fixed, or is no longer tried", ordinary
}

// gating counts the changes that make a run fail.
func gating(list []report.Change) (n int) {
	for _, c := range list {
		if c.Gates {
			n++
		}
	}
	return n
}

// TargetsJSON writes as JSON where two targets differ.
func TargetsJSON(w io.Writer, d *report.TargetDiff) error { return writeJSON(w, d) }

// TargetsText writes for people where two targets differ: the contract first.
func TargetsText(w io.Writer, d *report.TargetDiff, o Options) error {
	s := newPage(o)
	s.field(0, "A", sideOf(d.A), fieldLines)
	s.field(0, "B", sideOf(d.B), fieldLines)
	s.field(0, "settings", strings.Join(d.Differ, "; "), fieldLines)
	if len(d.Verdicts) > 0 {
		s.blank()
		s.line("%s", s.paint(strong, "verdicts that differ: "+counted(len(d.Verdicts), "requirement")))
	}
	for _, c := range d.Verdicts {
		st := doubtful
		if c.Gates {
			st = bad
		}
		s.line("  %s (%s): A %s, B %s", s.paint(st, Escape(c.Requirement)), Escape(string(c.Level)), verdictWord(c.Was), verdictWord(c.Is))
		s.detail(apart(c))
	}
	var rows []string
	for _, x := range d.Answers {
		rows = append(rows, cut(fmt.Sprintf("%s: A %s; B %s (%s)", x.Class, x.A, x.B, counted(x.Requests, "request")), 2*s.width))
	}
	s.rows("requests with different answers", rows, rowsShown)
	rows = nil
	for _, x := range d.Observed {
		for _, c := range x.Changes {
			rows = append(rows, cut(fmt.Sprintf("%s: A %s; B %s", x.Requirement, strings.Join(c.Was, " or "), strings.Join(c.Is, " or ")), 2*s.width))
		}
	}
	s.rows("open points with different answers (not judged)", rows, rowsShown)
	s.blank()
	switch {
	case d.Gates:
		s.line("%s", s.paint(bad, "DIFFERENT: "+counted(gating(d.Verdicts), "requirement")+" failed for only one target"))
	case len(d.Verdicts)+len(d.Answers)+len(d.Observed) > 0:
		s.line("%s", s.paint(doubtful, "different, but in nothing that makes a run fail"))
	default:
		s.line("%s", s.paint(good, "no difference"))
	}
	return s.send(w)
}

// apart says what shows that the verdicts differ.
func apart(c report.Change) string {
	switch {
	case c.Is == report.Fail:
		return fmt.Sprintf("sent %s; B got %s", c.Sent, c.Got)
	case c.Was == report.Fail:
		return fmt.Sprintf("sent %s; A got %s", c.Sent, c.WasGot)
	}
	return c.Reason
}
