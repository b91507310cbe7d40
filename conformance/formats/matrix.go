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

// matrixGates reports whether a failure of the level made an implementation fail.
func matrixGates(x report.Implementation, l report.Level) bool {
	return l.Gates(report.Gate(x.FailOn))
}

// matrixLine is the verdict on an implementation: failed levels first, then the rest.
func matrixLine(x report.Implementation) (string, style) {
	word, st := matrixOutcome(x)
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
	return word + ": " + Escape(cmp.Or(strings.Join(slices.Concat(failed, rest), ", "), "nothing was judged")), st
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

// alike reports whether a row has the same word for every implementation.
func alike(words []string) bool {
	return len(slices.Compact(slices.Clone(words))) < 2
}

// words are those of the cells of a row.
func words(m *report.Matrix, row report.MatrixRow) []string {
	out := make([]string, len(row.Cells))
	for i, c := range row.Cells {
		out[i] = matrixAbsent
		if c.Verdict != "" {
			out[i] = shownVerdict(c.Verdict, row.Level, c.Known, matrixGates(m.Implementations[i], row.Level))
		}
	}
	return out
}

// shares says for each answer to an open point and each implementation whether all its
// answers were this one, some, or none (empty).
func shares(p report.MatrixPoint) [][]string {
	sums := map[int]int{}
	for _, a := range p.Answers {
		for i, n := range a.Counts {
			sums[i] += n
		}
	}
	out := make([][]string, len(p.Answers))
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
	s := newPage(o)
	s.field(0, "document", m.Document, fieldLines)
	s.field(0, "settings", strings.Join(m.Differ, "; "), fieldLines)
	s.blank()
	s.line("%s", s.paint(strong, counted(len(m.Implementations), "implementation")))
	for _, x := range m.Implementations {
		line, st := matrixLine(x)
		s.line("  %s", s.paint(strong, cut(x.Name, s.width)))
		s.line("     %s", s.paint(st, line))
	}
	s.matrixFindings(m)
	passed, headed := 0, false
	for _, row := range m.Requirements {
		list := words(m, row)
		if len(list) > 0 && alike(list) && list[0] == string(report.Pass) {
			passed++
			continue
		}
		if !headed {
			headed = true
			s.blank()
			s.line("%s", s.paint(strong, "requirements that do not pass everywhere"))
		}
		s.line("  %s (%s)", s.paint(strong, Escape(row.Requirement)), Escape(string(row.Level)))
		s.groups(m, list)
	}
	s.answers(m)
	s.blank()
	s.line("%d of %s everywhere", passed, counted(len(m.Requirements), "requirement")+passes(len(m.Requirements)))
	return s.send(w)
}

// matrixFindings writes how many findings of each category an implementation has, and which
// implementations have a finding.
func (s *page) matrixFindings(m *report.Matrix) {
	if len(m.Findings) == 0 {
		return
	}
	s.blank()
	s.line("%s", s.paint(strong, counted(len(m.Findings), "finding")))
	for i, x := range m.Implementations {
		s.line("  %s: %s", s.paint(strong, cut(x.Name, s.width)), cmp.Or(matrixCategories(m, i), "none"))
	}
	for _, f := range m.Findings {
		var who []string
		for i, x := range m.Implementations {
			if f.Failed[i] > 0 {
				who = append(who, x.Name)
			}
		}
		s.line("  %s", s.row(f.ID+" "+string(f.Category)+": "+f.Sentence))
		s.who("", who, len(m.Implementations))
	}
}

// matrixCategories counts the findings of an implementation: "1 crash, 2 answer".
func matrixCategories(m *report.Matrix, column int) string {
	n := map[report.Category]int{}
	for _, f := range m.Findings {
		if f.Failed[column] > 0 {
			n[f.Category]++
		}
	}
	return byCategory(n)
}

func passes(n int) string {
	if n == 1 {
		return " passes"
	}
	return " pass"
}

// groups writes a line for each word but pass, worst first, with the implementations that
// have it.
func (s *page) groups(m *report.Matrix, list []string) {
	for _, c := range choices(append(htmlVerdicts(), matrixAbsent), list) {
		if c.Value == string(report.Pass) {
			continue
		}
		var who []string
		for i, word := range list {
			if word == c.Value {
				who = append(who, m.Implementations[i].Name)
			}
		}
		s.who(c.Value, who, len(list))
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
func (s *page) answers(m *report.Matrix) {
	headed := false
	for _, p := range m.Observed {
		list := shares(p)
		if !slices.ContainsFunc(list, func(words []string) bool { return !alike(words) }) {
			continue
		}
		if !headed {
			headed = true
			s.blank()
			s.line("%s", s.paint(strong, "open points with different answers (not judged)"))
		}
		s.line("  %s", s.paint(strong, Escape(p.Requirement)))
		for k, a := range p.Answers[:min(len(p.Answers), answersShown)] {
			s.line("     %s", cut(a.What, s.width-5))
			for _, share := range []string{matrixAlways, matrixPartly} {
				var who []string
				for i, word := range list[k] {
					if word == share {
						who = append(who, m.Implementations[i].Name)
					}
				}
				if len(who) > 0 {
					s.who("  "+share, who, len(m.Implementations))
				}
			}
		}
		if n := len(p.Answers) - answersShown; n > 0 {
			s.line("     … and %s: see the JSON form", moreAnswers(n))
		}
	}
}

func moreAnswers(n int) string {
	return counted(n, "more answer")
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
	p := &mdPage{width: defaultWidth}
	p.block("# Implementations of %s", mdProse(m.Document))
	if len(m.Differ) > 0 {
		p.block("The runs differ: %s.", mdProse(cut(strings.Join(m.Differ, "; "), sentenceOf)))
	}
	var list []string
	for i, x := range m.Implementations {
		line, _ := matrixLine(x)
		outcome, counts, _ := strings.Cut(line, ": ")
		list = append(list, mdRow(mdCell(cut(x.Name, cellBytes)), mdProse(outcome), mdProse(matrixCategories(m, i)), mdProse(counts)))
	}
	p.block("%s", mdHead("implementation", "verdict", "findings", "requirements")+strings.Join(list, "\n"))

	names := []string{}
	for _, x := range m.Implementations {
		names = append(names, mdCell(cut(x.Name, cellBytes)))
	}
	list = nil
	for _, f := range m.Findings {
		cells := []string{mdProse(string(f.Category)), mdProse(cut(f.Sentence, cellBytes)), mdCell(f.ID)}
		for _, n := range f.Failed {
			cells = append(cells, failedCell(n))
		}
		list = append(list, mdRow(cells...))
	}
	if len(list) > 0 {
		p.block("## Findings")
		p.block("The worst are first. A cell counts the requirements that an implementation fails because of it.")
		p.block("%s", mdHead(append([]string{"category", "finding", "id"}, names...)...)+strings.Join(list, "\n"))
	}
	list = nil
	for _, row := range m.Requirements {
		cells := []string{mdCell(cut(row.Requirement, cellBytes)), mdProse(string(row.Level))}
		for _, word := range words(m, row) {
			cells = append(cells, matrixSign(word))
		}
		list = append(list, mdRow(cells...))
	}
	if len(list) > 0 {
		p.block("## Requirements")
		p.block("%s", matrixLegend+" `conformance explain ID` says what a requirement asks for.")
		p.block("%s", mdHead(append([]string{"requirement", "level"}, names...)...)+strings.Join(list, "\n"))
	}
	list = nil
	for _, point := range m.Observed {
		list = append(list, pointRows(point)...)
	}
	if len(list) > 0 {
		p.block("## Open points")
		p.block("The specification is silent here. What an implementation does is observed, and never judged: ✓ marks an answer that it always gives, and \"some\" one that it gives to some requests.")
		p.block("%s", mdHead(append([]string{"open point", "answer"}, names...)...)+strings.Join(list, "\n"))
	}
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

// pointRows has a row for each answer to an open point.
func pointRows(point report.MatrixPoint) []string {
	var out []string
	id := mdCell(cut(point.Requirement, cellBytes))
	list := shares(point)
	for k, a := range point.Answers[:min(len(point.Answers), answersShown)] {
		cells := []string{id, mdCell(cut(a.What, cellBytes))}
		for _, word := range list[k] {
			cells = append(cells, matrixSign(word))
		}
		out = append(out, mdRow(cells...))
	}
	if n := len(point.Answers) - answersShown; n > 0 {
		out = append(out, mdRow(id, fmt.Sprintf("%s in the JSON form", moreAnswers(n))))
	}
	return out
}
