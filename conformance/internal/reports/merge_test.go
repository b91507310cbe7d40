package reports_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/reports"
	"plantstore/conformance/report"
)

func TestAMatrixHasARowForEachRequirementOfAnyReportInTheirOrder(t *testing.T) {
	must, should := report.Must, report.Should
	a := of("one", must, report.Pass, "three", should, report.Fail, "five", must, report.Pass)
	b := of("one", must, report.Fail, "two", must, report.Inconclusive, "three", must, report.Pass, "four", must, report.Pass, "four", must, report.Fail)
	m, err := reports.Matrix([]report.Named{{Name: "a", Report: a}, {Name: "b", Report: b}})
	require.NoError(t, err)
	got := map[string][]report.MatrixCell{}
	var order []string
	for _, row := range m.Requirements {
		order = append(order, row.Requirement)
		got[row.Requirement] = row.Cells
	}
	assert.Equal(t, []string{"one", "two", "three", "four", "five"}, order)
	fail := report.MatrixCell{Verdict: report.Fail, Sent: "a", Got: "500"}
	pass, none := report.MatrixCell{Verdict: report.Pass}, report.MatrixCell{}
	assert.Equal(t, map[string][]report.MatrixCell{"one": {pass, fail}, "two": {none, {Verdict: report.Inconclusive, Reason: "no answer"}},
		"three": {fail, pass}, "four": {none, pass}, "five": {pass, none}}, got)
	assert.Equal(t, must, m.Requirements[2].Level, "the stronger one, where the reports differ")
	assert.Equal(t, []report.LevelCount{{Level: must, Failed: 1, Passed: 2, Undecided: 2}}, m.Implementations[0].Levels)
	assert.Equal(t, []report.LevelCount{{Level: must, Failed: 1, Passed: 2, Undecided: 2}}, m.Implementations[1].Levels)
}

func TestAMatrixTakesOnlyReportsOfOneDocument(t *testing.T) {
	other := of("a", report.Must, report.Pass)
	other.Header.Digest = "d2"
	_, err := reports.Matrix([]report.Named{{Name: "x", Report: of()}, {Name: "y", Report: other}})
	assert.EqualError(t, err, "x and y: the reports are about two versions of Things 1 (things.yaml)")
	var documents *reports.DocumentsError
	assert.True(t, errors.As(err, &documents))
}

func TestAMatrixCountsKnownFailuresApart(t *testing.T) {
	r := of("a", report.Must, report.Fail, "b", report.Must, report.Inapplicable)
	r.Results[0].Known = &report.Known{Reason: "the gateway"}
	m, err := reports.Matrix([]report.Named{{Name: "x", Report: r}})
	require.NoError(t, err)
	assert.Equal(t, []report.LevelCount{{Level: report.Must, Known: 1, Inapplicable: 1}}, m.Implementations[0].Levels)
	assert.True(t, m.Requirements[0].Cells[0].Known)
}

func TestAMatrixNamesTheSettingsInWhichRunsDiffer(t *testing.T) {
	a, b, c := of(), of(), of()
	b.Header.Seed, b.Header.Selection = 7, []string{"only x"}
	m, err := reports.Matrix([]report.Named{{Name: "a", Report: a}, {Name: "b", Report: b}, {Name: "c", Report: c}})
	require.NoError(t, err)
	assert.Equal(t, []string{"seed 0 in a and c, 7 in b", "selection none in a and c, only x in b"}, m.Differ)
	assert.Equal(t, []bool{false, true, false}, []bool{m.Implementations[0].Partial, m.Implementations[1].Partial, m.Implementations[2].Partial})
}

func TestTheAnswerOfMostImplementationsIsFirst(t *testing.T) {
	observe := func(seen ...report.Seen) *report.Report {
		r := of()
		r.Observed = []report.Observe{{Requirement: "open-size", Sentence: "How large it is.", Seen: seen}}
		return r
	}
	m, err := reports.Matrix([]report.Named{{Name: "a", Report: observe(report.Seen{What: "500", Count: 90})},
		{Name: "b", Report: observe(report.Seen{What: "400", Count: 2}, report.Seen{What: "200", Count: 1})},
		{Name: "c", Report: observe(report.Seen{What: "200", Count: 3})}, {Name: "d", Report: of()}})
	require.NoError(t, err)
	assert.Equal(t, []report.MatrixPoint{{Requirement: "open-size", Sentence: "How large it is.", Answers: []report.MatrixAnswer{
		{What: "200", Counts: []int{0, 1, 3, 0}}, {What: "400", Counts: []int{0, 2, 0, 0}}, {What: "500", Counts: []int{90, 0, 0, 0}}}}}, m.Observed)
}
