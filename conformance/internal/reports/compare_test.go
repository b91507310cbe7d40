package reports_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/reports"
	"plantstore/conformance/report"
)

// of is a report with verdicts by requirement, in that order.
func of(list ...any) *report.Report {
	r := &report.Report{Header: report.Header{Digest: "d1", Document: "Things 1 (things.yaml)", FailOn: "must"}}
	for i := 0; i < len(list); i += 3 {
		x := report.Result{Requirement: list[i].(string), Level: list[i+1].(report.Level), Verdict: list[i+2].(report.Verdict)}
		switch x.Verdict {
		case report.Fail:
			x.Failures = []report.Failure{{Sent: "a", Got: "500", Replay: "conformance replay x"}}
		case report.Inconclusive, report.Inapplicable, report.Error:
			x.Reason = "no answer"
		}
		r.Results = append(r.Results, x)
	}
	return r
}

func ids(list []report.Change) (out []string) {
	for _, c := range list {
		out = append(out, c.Requirement)
	}
	return out
}

func TestEachRequirementIsInTheListOfItsChange(t *testing.T) {
	must, should := report.Must, report.Should
	old := of("gone", must, report.Pass, "a", must, report.Pass, "b", must, report.Fail, "c", must, report.Fail, "d", must, report.Fail,
		"e", must, report.Inconclusive, "f", should, report.Pass, "g", must, report.Inapplicable, "h", must, report.Pass, "never", must, report.Inapplicable)
	now := of("a", must, report.Fail, "b", must, report.Pass, "c", must, report.Fail, "d", must, report.Inconclusive,
		"e", must, report.Pass, "f", should, report.Fail, "g", must, report.Fail, "h", must, report.Pass, "n", must, report.Fail, "m", must, report.Pass)
	d, err := reports.Diff(old, now, false)
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "f", "g", "n"}, ids(d.NewlyFailing))
	assert.Equal(t, []string{"b"}, ids(d.Fixed))
	assert.Equal(t, []string{"c"}, ids(d.StillFailing))
	assert.Equal(t, []string{"d", "gone"}, ids(d.NoLongerTried))
	assert.Equal(t, report.Change{Requirement: "d", Level: must, Was: report.Fail, Is: report.Inconclusive, Reason: "no answer",
		WasGot: "500", Sent: "a", Replay: "conformance replay x", Gates: true}, d.NoLongerTried[0])
	assert.True(t, d.NewlyFailing[0].Gates)
	assert.False(t, d.NewlyFailing[1].Gates, "a SHOULD only warns")
}

func TestAFindingIsNewGoneOrTheSameByItsID(t *testing.T) {
	must := report.Must
	old := of("a", must, report.Fail, "b", must, report.Fail, "c", must, report.Fail, "d", must, report.Pass)
	now := of("a", must, report.Fail, "b", must, report.Pass, "c", must, report.Inconclusive, "d", must, report.Fail)
	d, err := reports.Diff(old, now, false)
	require.NoError(t, err)
	got := map[string]string{}
	for _, x := range d.Findings {
		got[x.ID] = x.Change
	}
	id := func(r *report.Report, n int) string { return report.Findings(r.Results)[n].ID }
	assert.Equal(t, map[string]string{id(old, 0): "same", id(old, 1): "gone", id(old, 2): "not tried", id(now, 1): "new"}, got, "what was not tried is not gone")
}

func TestAMatrixHasARowForEachFindingThatAnyImplementationHas(t *testing.T) {
	must := report.Must
	one, two := of("a", must, report.Fail, "b", must, report.Pass), of("a", must, report.Fail, "b", must, report.Fail)
	m, err := reports.Matrix([]report.Named{{Name: "one", Report: one}, {Name: "two", Report: two}})
	require.NoError(t, err)
	require.Len(t, m.Findings, 2)
	assert.Equal(t, []int{1, 1}, m.Findings[0].Failed)
	assert.Equal(t, []int{0, 1}, m.Findings[1].Failed)
	assert.Equal(t, report.Findings(one.Results)[0].ID, m.Findings[0].ID)
}

// TestOnlyWhatCanFailARunMakesItWorse has one change in each row.
func TestOnlyWhatCanFailARunMakesItWorse(t *testing.T) {
	for name, row := range map[string]struct {
		level   report.Level
		was, is report.Verdict
		failOn  string
		worse   bool
	}{
		"a MUST fails newly":                   {report.Must, report.Pass, report.Fail, "must", true},
		"a MUST fails that was inconclusive":   {report.Must, report.Inconclusive, report.Fail, "must", true},
		"a MUST is inconclusive that passed":   {report.Must, report.Pass, report.Inconclusive, "must", true},
		"a MUST is inapplicable that failed":   {report.Must, report.Fail, report.Inapplicable, "must", true},
		"a MUST is an error of the suite":      {report.Must, report.Pass, report.Error, "must", true},
		"a MUST still fails":                   {report.Must, report.Fail, report.Fail, "must", false},
		"a MUST is fixed":                      {report.Must, report.Fail, report.Pass, "must", false},
		"a MUST is still inconclusive":         {report.Must, report.Inconclusive, report.Inconclusive, "must", false},
		"a SHOULD fails newly":                 {report.Should, report.Pass, report.Fail, "must", false},
		"a SHOULD is no longer tried":          {report.Should, report.Pass, report.Inconclusive, "must", false},
		"a SHOULD fails newly, and gates":      {report.Should, report.Pass, report.Fail, "should", true},
		"a SHOULD is not tried, and gates":     {report.Should, report.Fail, report.Inconclusive, "should", true},
		"a MUST fails newly, and SHOULD gates": {report.Must, report.Pass, report.Fail, "should", true},
	} {
		now := of("a", row.level, row.is)
		now.Header.FailOn = row.failOn
		d, err := reports.Diff(of("a", row.level, row.was), now, false)
		require.NoError(t, err)
		assert.Equal(t, row.worse, d.Worse, name)
	}
}

func TestAKnownFailureOfTheNewRunDoesNotMakeItWorse(t *testing.T) {
	now := of("a", report.Must, report.Fail)
	now.Results[0].Known = &report.Known{Reason: "the gateway"}
	d, err := reports.Diff(of("a", report.Must, report.Pass), now, false)
	require.NoError(t, err)
	assert.False(t, d.Worse)
	assert.Equal(t, "the gateway", d.NewlyFailing[0].Known)
}

func TestARequirementThatLostItsLevelGatesByTheHigherOneIfItIsNotTried(t *testing.T) {
	d, err := reports.Diff(of("a", report.Must, report.Pass), of("a", report.Should, report.Inconclusive), false)
	require.NoError(t, err)
	assert.True(t, d.Worse)
}

func TestReportsAboutDifferentDocumentsAreComparedOnlyOnRequest(t *testing.T) {
	old, now := of("a", report.Must, report.Pass, "b", report.Must, report.Pass), of("a", report.Must, report.Pass)
	now.Header.Digest = "d2"
	_, err := reports.Diff(old, now, false)
	assert.EqualError(t, err, "the reports are about two versions of Things 1 (things.yaml)")
	now.Header.Document = "Boxes 2 (boxes.yaml)"
	_, err = reports.Diff(old, now, false)
	assert.EqualError(t, err, "the reports are about different documents, Things 1 (things.yaml) and Boxes 2 (boxes.yaml)")

	d, err := reports.Diff(old, now, true)
	require.NoError(t, err)
	assert.False(t, d.Worse, "the new document does not ask for it")
	require.Len(t, d.NoLongerTried, 1)
	assert.Equal(t, "the new document does not have it", d.NoLongerTried[0].Reason)

	now.Header.Selection = []string{"only a"}
	d, err = reports.Diff(old, now, true)
	require.NoError(t, err)
	assert.True(t, d.Worse, "the selection can hide it")
	assert.Equal(t, "not selected: only a", d.NoLongerTried[0].Reason)
	assert.Equal(t, []string{"selection none, then only a"}, d.Differ)
}

func TestAnOpenPointChangesByItsAnswersAndNotByTheirNumber(t *testing.T) {
	observe := func(seen ...report.Seen) *report.Report {
		r := of()
		r.Observed = []report.Observe{{Requirement: "open-size", Sentence: "How large it is.", Seen: seen}}
		return r
	}
	old := observe(report.Seen{What: "200", Count: 9, Kinds: []string{"size/empty", "size/long", "size/zero"}}, report.Seen{What: "400", Count: 1, Kinds: []string{"size/huge"}})
	for name, row := range map[string]struct {
		now  *report.Report
		want []report.AnswerChange
	}{
		"other counts and order": {observe(report.Seen{What: "400", Count: 90, Kinds: []string{"size/huge"}},
			report.Seen{What: "200", Count: 1, Kinds: []string{"size/zero", "size/long", "size/empty"}}), nil},
		"a kind that only one run tried": {observe(report.Seen{What: "500", Count: 1, Kinds: []string{"size/new"}}), nil},
		"two kinds in the same way, one in another": {observe(report.Seen{What: "400", Count: 3, Kinds: []string{"size/long", "size/empty"}}, report.Seen{What: "200", Count: 1, Kinds: []string{"size/huge", "size/empty"}}),
			[]report.AnswerChange{{Was: []string{"200"}, Is: []string{"200", "400"}, Kinds: []string{"size/empty"}},
				{Was: []string{"400"}, Is: []string{"200"}, Kinds: []string{"size/huge"}}, {Was: []string{"200"}, Is: []string{"400"}, Kinds: []string{"size/long"}}}},
	} {
		d, err := reports.Diff(old, row.now, false)
		require.NoError(t, err)
		if row.want == nil {
			assert.Empty(t, d.Observed, name)
			continue
		}
		require.Len(t, d.Observed, 1, name)
		assert.Equal(t, row.want, d.Observed[0].Changes, name)
	}
	d, err := reports.Diff(observe(report.Seen{What: "200"}), observe(report.Seen{What: "400"}), false)
	require.NoError(t, err)
	assert.Equal(t, []report.AnswerChange{{Was: []string{"200"}, Is: []string{"400"}}}, d.Observed[0].Changes, "an answer without a kind")
}

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
