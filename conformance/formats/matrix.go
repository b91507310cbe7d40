package formats

import (
	"cmp"
	"fmt"
	"io"
	"slices"
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
	return l.Gates(report.Level(strings.ToUpper(x.FailOn)))
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
