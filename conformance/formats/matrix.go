package formats

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/report"
)

// MatrixFormat is one way of writing a matrix.
type MatrixFormat = FormatOf[report.Matrix]

// MatrixList returns the forms of a matrix, the default first.
func MatrixList() []MatrixFormat {
	return []MatrixFormat{
		{Name: "text", Doc: "for people: only what is not the same everywhere", Write: MatrixText},
		{Name: "markdown", Doc: "Markdown, for a page of a project", Write: MatrixMarkdown},
		{Name: "html", Doc: "one page for a browser, without a network", Write: MatrixHTML},
		{Name: "json", Doc: "the whole matrix, for programs", Write: MatrixJSON},
	}
}

// FindMatrix returns the form with that name. The error lists the known names.
func FindMatrix(name string) (MatrixFormat, error) { return find(MatrixList(), "matrix", name) }

// MatrixJSON writes the whole matrix as JSON.
func MatrixJSON(w io.Writer, m *report.Matrix, _ Options) error { return writeJSON(w, m) }

// What a cell says besides a verdict: the report does not have the requirement; the answer
// was the only one to its open point, or one of several.
const (
	matrixAbsent = "not tried"
	matrixAlways = "always"
	matrixPartly = "partly"
)

// matrixView is a matrix as its forms draw it: verdicts, counts and words are made here, once.
type matrixView struct {
	*report.Matrix
	columns []matrixColumn
	// rows are the requirements, points the open points with a row for each answer.
	rows   []matrixRow
	points [][]matrixRow
}

// matrixColumn is an implementation: its verdict, its levels, failed ones first, and how many
// findings of each category it has.
type matrixColumn struct {
	report.Implementation
	outcome, counts string
	Findings        string
	style           style
}

// Line is the verdict with the levels, Look its class for the style sheet.
func (c matrixColumn) Line() string { return c.outcome + ": " + c.counts }
func (c matrixColumn) Look() string { return look(c.style) }

// matrixRow has a word for each implementation.
type matrixRow []string

// alike reports whether it is the same word everywhere.
func (r matrixRow) alike() bool { return len(slices.Compact(slices.Clone(r))) < 2 }

func matrixOf(m *report.Matrix) *matrixView {
	v := &matrixView{Matrix: m}
	for i, x := range m.Implementations {
		c := matrixColumn{Implementation: x, counts: Escape(matrixCounts(x))}
		c.outcome, c.style = matrixOutcome(x)
		n := map[report.Category]int{}
		for _, f := range m.Findings {
			if f.Failed[i] > 0 {
				n[f.Category]++
			}
		}
		c.Findings = byCategory(n)
		v.columns = append(v.columns, c)
	}
	for _, x := range m.Requirements {
		row := make(matrixRow, len(x.Cells))
		for i, c := range x.Cells {
			row[i] = matrixAbsent
			if c.Verdict != "" {
				row[i] = shownVerdict(c.Verdict, x.Level, c.Known, matrixGates(m.Implementations[i], x.Level))
			}
		}
		v.rows = append(v.rows, row)
	}
	for _, p := range m.Observed {
		v.points = append(v.points, shares(p))
	}
	return v
}

// who names the implementations of which something is true.
func (v *matrixView) who(is func(i int) bool) (names []string) {
	for i, c := range v.columns {
		if is(i) {
			names = append(names, c.Name)
		}
	}
	return names
}

// matrixGates reports whether a failure of the level made an implementation fail.
func matrixGates(x report.Implementation, l report.Level) bool {
	return l.Gates(report.Gate(x.FailOn))
}

// matrixCounts counts the verdicts on an implementation: failed levels first, then the rest.
func matrixCounts(x report.Implementation) string {
	var failed, rest []string
	for _, l := range x.Levels {
		all := l.Failed + l.Known + l.Passed + l.Undecided
		if l.Failed > 0 {
			failed = append(failed, fmt.Sprintf("%d of %d %s failed", l.Failed, all, l.Level))
		}
		if l.Known > 0 {
			rest = append(rest, fmt.Sprintf("%d %s known to fail", l.Known, l.Level))
		}
		if l.Undecided > 0 {
			rest = append(rest, fmt.Sprintf("%d %s not decided", l.Undecided, l.Level))
		}
		if l.Passed > 0 && l.Failed == 0 {
			rest = append(rest, fmt.Sprintf("%d %s passed", l.Passed, l.Level))
		}
	}
	return cmp.Or(strings.Join(slices.Concat(failed, rest), ", "), "nothing was judged")
}

// matrixOutcome is the verdict in words. It is good only if everything was tried.
func matrixOutcome(x report.Implementation) (string, style) {
	failed, undecided := 0, 0
	for _, l := range x.Levels {
		if matrixGates(x, l.Level) {
			failed, undecided = failed+l.Failed, undecided+l.Undecided
		}
	}
	word, st := "incomplete", doubtful
	switch {
	case failed > 0 || x.Verdict == report.NotConformant:
		word, st = "NOT CONFORMANT", bad
	case x.Verdict == report.OutOfDate:
		word, st = "known failures out of date", bad
	case x.Judged == 0:
	case x.Verdict == report.OnlyKnown:
		word = "only known failures"
	case x.Verdict == report.Conformant && undecided == 0:
		word, st = "conformant", good
	}
	if x.Partial {
		word += " (partial)"
	}
	if x.NamedCases {
		word += " (requests carried their case ids)"
	}
	if x.Traced {
		word += " (requests carried trace ids)"
	}
	if st == good && (x.Partial || x.NamedCases || x.Traced) {
		st = doubtful // what was not run is never green
	}
	return word, st
}

// shares says for each answer to an open point and each implementation whether all its
// answers were this one, some, or none (empty).
func shares(p report.MatrixPoint) []matrixRow {
	sums := map[int]int{}
	for _, a := range p.Answers {
		for i, n := range a.Counts {
			sums[i] += n
		}
	}
	out := make([]matrixRow, len(p.Answers))
	for k, a := range p.Answers {
		for i, n := range a.Counts {
			word := ""
			switch {
			case n > 0 && n == sums[i]:
				word = matrixAlways
			case n > 0:
				word = matrixPartly
			}
			out[k] = append(out[k], word)
		}
	}
	return out
}

// answersShown is how many answers to one open point the text and Markdown forms show.
const answersShown = 12

// MatrixText writes for people how the implementations differ: the verdict on each, then
// the requirements that do not pass everywhere, then the open points.
func MatrixText(w io.Writer, m *report.Matrix, o Options) error {
	s, v := newPage(o), matrixOf(m)
	s.field(0, "document", m.Document, fieldLines)
	s.field(0, "settings", strings.Join(m.Differ, "; "), fieldLines)
	s.heading(counted(len(v.columns), "implementation"))
	for _, c := range v.columns {
		s.line("  %s", s.paint(strong, cut(c.Name, s.width)))
		s.line("     %s", s.paint(c.style, c.Line()))
	}
	s.matrixFindings(v)
	passed, headed := 0, false
	for n, x := range m.Requirements {
		row := v.rows[n]
		if len(row) > 0 && row.alike() && row[0] == string(report.Pass) {
			passed++
			continue
		}
		if !headed {
			headed = true
			s.heading("requirements that do not pass everywhere")
		}
		s.line("  %s (%s)", s.paint(strong, Escape(x.Requirement)), Escape(string(x.Level)))
		s.groups(v, row, "", append(htmlVerdicts(), matrixAbsent))
	}
	s.answers(v)
	s.blank()
	verb := " pass"
	if len(m.Requirements) == 1 {
		verb = " passes"
	}
	s.line("%d of %s everywhere", passed, counted(len(m.Requirements), "requirement")+verb)
	return s.send(w)
}

// heading writes a heading below a blank line.
func (s *page) heading(text string) {
	s.blank()
	s.line("%s", s.paint(strong, text))
}

// matrixFindings writes how many findings of each category an implementation has, and which
// implementations have a finding.
func (s *page) matrixFindings(v *matrixView) {
	if len(v.Findings) == 0 {
		return
	}
	s.heading(counted(len(v.Findings), "finding"))
	for _, c := range v.columns {
		s.line("  %s: %s", s.paint(strong, cut(c.Name, s.width)), cmp.Or(c.Findings, "none"))
	}
	for _, f := range v.Findings {
		s.line("  %s", s.row(f.ID+" "+string(f.Category)+": "+f.Sentence))
		s.who("", v.who(func(i int) bool { return f.Failed[i] > 0 }), len(v.columns))
	}
}

// groups writes a line for each word but pass, in an order, with the implementations that have it.
func (s *page) groups(v *matrixView, row matrixRow, indent string, order []string) {
	for _, c := range choices(order, row) {
		if c.Value != string(report.Pass) {
			s.who(indent+c.Value, v.who(func(i int) bool { return row[i] == c.Value }), len(row))
		}
	}
}

// who writes what several implementations share. All of them are not named one by one.
func (s *page) who(what string, names []string, of int) {
	text := strings.Join(names, ", ")
	if len(names) == of && of > 1 {
		text = "all"
	}
	for i, l := range wrap(cut(text, 6*s.width), s.width-20) {
		if i > 0 {
			what = ""
		}
		s.line("     %-14s %s", what, l)
	}
}

// answers writes the open points that the implementations answer in different ways.
func (s *page) answers(v *matrixView) {
	headed := false
	for n, p := range v.Observed {
		if !slices.ContainsFunc(v.points[n], func(row matrixRow) bool { return !row.alike() }) {
			continue
		}
		if !headed {
			headed = true
			s.heading("open points with different answers (not judged)")
		}
		s.line("  %s", s.paint(strong, Escape(p.Requirement)))
		for k, a := range p.Answers[:min(len(p.Answers), answersShown)] {
			s.line("     %s", cut(a.What, s.width-5))
			s.groups(v, v.points[n][k], "  ", []string{matrixAlways, matrixPartly})
		}
		if n := len(p.Answers) - answersShown; n > 0 {
			s.line("     … and %s: see the JSON form", counted(n, "more answer"))
		}
	}
}

// matrixSign is the sign of a word in a cell of Markdown, where words would make the
// table too wide.
func matrixSign(word string) string {
	switch word {
	case string(report.Pass), matrixAlways:
		return "✓"
	case string(report.Fail):
		return "**✗**"
	case shownKnown, shownWarning, string(report.Error):
		return "!"
	case string(report.Inconclusive):
		return "?"
	case matrixPartly:
		return "some"
	case shownObserved:
		return "o"
	}
	return "–" // inapplicable, not tried, or an answer that was not given
}

const matrixLegend = "✓ passes, **✗** fails, ! fails in a way that does not count (a SHOULD, or a known failure) or met an error of the suite, " +
	"? could not be decided, – was not tried or does not apply."

// MatrixMarkdown writes the matrix as a page: the verdict on each implementation, a table
// of the requirements, and one of the open points. What a target says is escaped.
func MatrixMarkdown(w io.Writer, m *report.Matrix, _ Options) error {
	p, v := &mdPage{width: defaultWidth}, matrixOf(m)
	p.block("# Implementations of %s", mdProse(m.Document))
	if len(m.Differ) > 0 {
		p.block("The runs differ: %s.", mdProse(cut(strings.Join(m.Differ, "; "), sentenceOf)))
	}
	var names, list []string
	for _, c := range v.columns {
		names = append(names, mdCell(cut(c.Name, cellBytes)))
		list = append(list, mdRow(mdCell(cut(c.Name, cellBytes)), mdProse(c.outcome), mdProse(c.Findings), mdProse(c.counts)))
	}
	p.block("%s", mdHead("implementation", "verdict", "findings", "requirements")+strings.Join(list, "\n"))

	// grid writes a table with a column for each implementation.
	grid := func(heading, note string, head []string, rows []string) {
		if len(rows) > 0 {
			p.block("## %s", heading)
			p.block("%s", note)
			p.block("%s", mdHead(append(head, names...)...)+strings.Join(rows, "\n"))
		}
	}
	// signs writes a row with a sign for each implementation.
	signs := func(words matrixRow, head ...string) string {
		for _, word := range words {
			head = append(head, matrixSign(word))
		}
		return mdRow(head...)
	}
	list = nil
	for _, f := range m.Findings {
		cells := []string{mdProse(string(f.Category)), mdProse(cut(f.Sentence, cellBytes)), mdCell(f.ID)}
		for _, n := range f.Failed {
			cells = append(cells, failedCell(n))
		}
		list = append(list, mdRow(cells...))
	}
	grid("Findings", "The worst are first. A cell counts the requirements that an implementation fails because of it.", []string{"category", "finding", "id"}, list)
	list = nil
	for n, x := range m.Requirements {
		list = append(list, signs(v.rows[n], mdCell(cut(x.Requirement, cellBytes)), mdProse(string(x.Level))))
	}
	grid("Requirements", matrixLegend+" `conformance explain ID` says what a requirement asks for.", []string{"requirement", "level"}, list)
	list = nil
	for n, x := range m.Observed {
		id := mdCell(cut(x.Requirement, cellBytes))
		for k, a := range x.Answers[:min(len(x.Answers), answersShown)] {
			list = append(list, signs(v.points[n][k], id, mdCell(cut(a.What, cellBytes))))
		}
		if n := len(x.Answers) - answersShown; n > 0 {
			list = append(list, mdRow(id, counted(n, "more answer")+" in the JSON form"))
		}
	}
	grid("Open points", "The specification is silent here. What an implementation does is observed, and never judged: ✓ marks an answer that it always gives, and \"some\" one that it gives to some requests.", []string{"open point", "answer"}, list)
	_, err := io.WriteString(w, p.String())
	return err
}

// failedCell is a number of failed requirements.
func failedCell(n int) string {
	if n == 0 {
		return "–"
	}
	return strconv.Itoa(n)
}
