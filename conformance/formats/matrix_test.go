package formats_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// several is a matrix with a little of everything.
func several() *report.Matrix {
	pass := report.MatrixCell{Verdict: report.Pass}
	fail := report.MatrixCell{Verdict: report.Fail, Sent: `size "7"`, Got: `200, {"label":"a"}`}
	must := func(failed, known, passed, undecided int) []report.LevelCount {
		return []report.LevelCount{{Level: report.Must, Failed: failed, Known: known, Passed: passed, Undecided: undecided, Inapplicable: 1}, {Level: report.Should, Failed: 1}}
	}
	m := &report.Matrix{Version: 1, Document: "Thing Store 1.0.0 (things.yaml)", Digest: "00ff", Differ: []string{"seed 1 in plain and quick, 7 in odd|one"},
		Implementations: []report.Implementation{
			{Name: "plain", Target: "http://127.0.0.1:8080", Tool: "conformance test", Verdict: report.Conformant, Judged: 40, FailOn: "must", Levels: must(0, 0, 2, 0)},
			{Name: "quick", Target: "http://127.0.0.1:8081", Tool: "conformance test", Verdict: report.NotConformant, Judged: 40, Partial: true, FailOn: "should", Levels: must(1, 0, 0, 1)},
			{Name: "odd|one", Target: "http://127.0.0.1:8082", Tool: "conformance test", Verdict: report.OnlyKnown, Judged: 40, Levels: must(0, 1, 0, 1)},
		},
		Findings: []report.MatrixFinding{{ID: "0a1b2c3d", Category: report.Crash, Sentence: "POST /things: the answer is 500 if the body is empty", Failed: []int{0, 2, 0}},
			{ID: "1a1b2c3d", Category: report.Leniency, Sentence: "Null is accepted where a number is documented", Failed: []int{1, 1, 1}}},
		Requirements: []report.MatrixRow{
			{Requirement: "thing-valid-accepted", Level: report.Must, Sentence: "A valid Thing is answered 200.", Clause: "Rules, 1", Operation: "POST /things", Cells: []report.MatrixCell{pass, pass, pass}},
			{Requirement: "thing-size-type", Level: report.Must, Sentence: "A size is a number.", Clause: "openapi.yaml#/a", Operation: "POST /things", Cells: []report.MatrixCell{pass, fail, fail}},
			{Requirement: "parallel", Level: report.Must, Sentence: "Answers belong to their request.", Cells: []report.MatrixCell{{Verdict: report.Inapplicable, Reason: "one connection"}, {}, {Verdict: report.Inconclusive, Reason: "no answer"}}},
			{Requirement: "scheme-any-case", Level: report.Should, Sentence: "The name of the scheme is taken in any case.", Cells: []report.MatrixCell{fail, fail, fail}},
			{Requirement: "newer", Level: report.May, Cells: []report.MatrixCell{{Verdict: "splendid"}, {Verdict: report.Error, Reason: "a bug"}, pass}},
		},
		Observed: []report.MatrixPoint{
			{Requirement: "duplicate-size", Sentence: "A size sent twice.", Clause: "Gaps", Answers: []report.MatrixAnswer{{What: "200 Thing", Counts: []int{3, 1, 0}}, {What: "400 Error", Counts: []int{0, 1, 0}}}},
			{Requirement: "empty-label", Sentence: "An empty label.", Clause: "Gaps", Answers: []report.MatrixAnswer{{What: "200 Thing", Counts: []int{3, 1, 2}}}},
			{Requirement: "never-seen", Sentence: "What nobody sent.", Clause: "Gaps", Answers: []report.MatrixAnswer{}},
		}}
	m.Requirements[1].Cells[2].Known = true
	for i := range 60 {
		m.Observed[0].Answers = append(m.Observed[0].Answers, report.MatrixAnswer{What: fmt.Sprintf("5%02d", i), Counts: []int{0, 1, 0}})
	}
	return m
}

// says is several with one text everywhere but in verdicts and levels, which are ours.
func says(text string) *report.Matrix {
	m := several()
	fill(reflect.ValueOf(m), text)
	for i, verdict := range []report.Outcome{report.Conformant, report.NotConformant, report.OnlyKnown} {
		m.Implementations[i].Verdict, m.Implementations[i].FailOn = verdict, "must"
	}
	return m
}

func asMatrix(t *testing.T, write func(io.Writer, *report.Matrix, formats.Options) error, m *report.Matrix) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b, m, formats.Options{}))
	return b.String()
}

func TestAMatrixIsAsRecordedInEachForm(t *testing.T) {
	for _, f := range formats.MatrixList() {
		text := asMatrix(t, f.Write, several())
		assert.Equal(t, text, asMatrix(t, f.Write, several()), "the same bytes each time")
		golden(t, map[string]string{"text": "matrix.txt", "markdown": "matrix.md", "html": "matrix.html", "json": "matrix.json"}[f.Name], []byte(text))
		assert.NotEmpty(t, asMatrix(t, f.Write, new(report.Matrix)), "a matrix of nothing")
	}
	// testdata/browser opens this file in a browser.
	golden(t, "matrix-scripted.html", []byte(asMatrix(t, formats.MatrixHTML, says(`"></title></style></script></td><script>alert(1)</script><img src=http://localhost:9/x onerror=alert(1)>`))))
}

func TestAnImplementationIsConformantInAMatrixOnlyIfEverythingWasTried(t *testing.T) {
	line := func(change func(*report.Implementation)) string {
		m := several()
		change(&m.Implementations[0])
		_, text, _ := strings.Cut(asMatrix(t, formats.MatrixText, m), "\n  plain\n")
		text, _, _ = strings.Cut(text, "\n")
		return strings.TrimSpace(text)
	}
	for want, change := range map[string]func(*report.Implementation){
		"conformant: 1 of 1 SHOULD failed, 2 MUST passed":                                   func(*report.Implementation) {},
		"conformant (partial): 1 of 1 SHOULD failed, 2 MUST passed":                         func(x *report.Implementation) { x.Partial = true },
		"conformant (requests carried their case ids): 1 of 1 SHOULD failed, 2 MUST passed": func(x *report.Implementation) { x.NamedCases = true },
		"conformant (requests carried trace ids): 1 of 1 SHOULD failed, 2 MUST passed":      func(x *report.Implementation) { x.Traced = true },
		"incomplete: 1 of 1 SHOULD failed, 2 MUST passed":                                   func(x *report.Implementation) { x.Judged = 0 },
		"incomplete: 1 of 1 SHOULD failed, 1 MUST not decided, 2 MUST passed":               func(x *report.Implementation) { x.Levels[0].Undecided = 1 },
		"NOT CONFORMANT: 1 of 1 SHOULD failed, 2 MUST passed":                               func(x *report.Implementation) { x.FailOn = "should" },
		"known failures out of date: 1 of 1 SHOULD failed, 2 MUST passed":                   func(x *report.Implementation) { x.Verdict = report.OutOfDate },
		"incomplete: nothing was judged":                                                    func(x *report.Implementation) { x.Verdict, x.Levels = "", nil },
		"NOT CONFORMANT (partial): 1 of 3 MUST failed, 1 of 1 SHOULD failed": func(x *report.Implementation) {
			x.Partial, x.Levels[0].Failed, x.Levels[0].Known, x.Levels[0].Passed = true, 1, 0, 2
		},
	} {
		assert.Equal(t, want, line(change))
	}
}

func TestTheMatrixPageHasTheSameElementsWhateverAnImplementationSends(t *testing.T) {
	want := treeOf(t, asMatrix(t, formats.MatrixHTML, says("harmless")))
	for _, evil := range []string{`<script>alert(1)</script>`, `</style><img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`,
		`' autofocus onfocus='alert(1)`, `--><iframe src=//evil.test>`, `</title><base href=//evil.test>`, `</bdi></th></table><form action=//evil.test>`, `{{.}}`, "\x1b[2J\u202e\x00\xff"} {
		text := asMatrix(t, formats.MatrixHTML, says(evil))
		assert.Equal(t, want, treeOf(t, text), evil)
		shown := 0
		root, err := html.Parse(strings.NewReader(text))
		require.NoError(t, err)
		for n := range root.Descendants() {
			if n.Type == html.TextNode && strings.Contains(n.Data, formats.Escape(evil)) {
				shown++
			}
		}
		assert.Greater(t, shown, 30, "%q is shown as it is", evil)
	}
}

func TestTheMatrixPageSaysThatNothingFailedOnlyWhereThatIsSo(t *testing.T) {
	const line = "Nothing failed, and everything was decided."
	m := several()
	assert.NotContains(t, asMatrix(t, formats.MatrixHTML, m), line)
	m.Requirements = m.Requirements[:1]
	assert.Contains(t, asMatrix(t, formats.MatrixHTML, m), line)
	m.Requirements[0].Cells[0] = report.MatrixCell{}
	assert.NotContains(t, asMatrix(t, formats.MatrixHTML, m), line, "it was not tried")
}

func TestTheMatrixPageAllowsOnlyItsOwnScriptAndStyle(t *testing.T) {
	for _, text := range []string{asMatrix(t, formats.MatrixHTML, several()), asMatrix(t, formats.MatrixHTML, says("x"))} {
		loadsNothing(t, text)
	}
}

func TestNothingInAMatrixOfMarkdownIsMarkupOfOthers(t *testing.T) {
	plain := elements(page(t, asMatrix(t, formats.MatrixMarkdown, says("harmless"))))
	for _, evil := range attacks() {
		assert.Equal(t, plain, elements(page(t, asMatrix(t, formats.MatrixMarkdown, says(evil)))), "%q changes the page", evil)
	}
}

func TestAnUnknownFormOfAMatrixIsToldWithTheKnownOnes(t *testing.T) {
	_, err := formats.FindMatrix("junit")
	assert.EqualError(t, err, `unknown matrix format "junit": use one of text, markdown, html, json`)
}

// changed is a diff with a little of everything.
func changed() *report.Diff {
	side := report.DiffSide{Tool: "conformance test", Target: "http://127.0.0.1:8080", Document: "Thing Store 1.0.0 (things.yaml)", Digest: "00ff", Verdict: report.Conformant}
	d := &report.Diff{Version: 1, Old: side, New: side, Differ: []string{"seed 1, then 7"}, Worse: true,
		Findings: []report.FindingChange{{ID: "0a1b2c3d", Category: report.Crash, Sentence: "POST /things: the answer is 500 \x1b[2J", Change: "new"},
			{ID: "1a1b2c3d", Category: report.Leniency, Sentence: "Null is accepted where a number is documented", Change: "gone", Known: true}},
		NewlyFailing: []report.Change{{Requirement: "thing-size-type", Level: report.Must, Sentence: "A size is a number.", Was: report.Pass, Is: report.Fail,
			Sent: `size = "7"`, Got: "200 OK, \x1b[2J", Replay: "conformance replay a/0", Gates: true}},
		Fixed: []report.Change{{Requirement: "thing-label", Level: report.Should, Was: report.Fail, Is: report.Pass, WasGot: "500"}},
		StillFailing: []report.Change{{Requirement: "same", Level: report.Must, Was: report.Fail, Is: report.Fail, Sent: "a", WasGot: "500", Got: "500", Replay: "conformance replay b/0"},
			{Requirement: "other", Level: report.Must, Was: report.Fail, Is: report.Fail, Sent: "a", WasGot: "500", Got: "no answer"}},
		Observed: []report.ObservedChange{{Requirement: "open-size", Changes: []report.AnswerChange{
			{Was: []string{"200 OK"}, Is: []string{"400", "500"}, Kinds: []string{"size/empty", "size/long", "size/zero"}}, {Was: []string{"a"}, Is: []string{"b"}}}}},
		Latency: []report.LatencyChange{{Percentile: "p50", Was: 12300000, Is: 52345678}, {Percentile: "p90", Was: 1e9, Is: 2e6}},
	}
	d.New.Verdict = report.NotConformant
	for i := range 12 {
		d.NoLongerTried = append(d.NoLongerTried, report.Change{Requirement: fmt.Sprintf("thing-%d", i), Level: report.Must, Was: report.Pass, Reason: "not selected: only b*", Gates: true})
	}
	d.NoLongerTried = append(d.NoLongerTried, report.Change{Requirement: "parallel", Level: report.Must, Was: report.Fail, Is: report.Inconclusive, Reason: "no answer", Gates: true},
		report.Change{Requirement: "left", Level: report.Must, Was: report.Pass, Reason: "the new document does not have it"})
	return d
}

func TestWhatChangedIsAsRecorded(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, formats.DiffText(&b, changed(), formats.Options{}))
	golden(t, "diff.txt", b.Bytes())
	assert.NotContains(t, b.String(), "\x1b")
	b.Reset()
	require.NoError(t, formats.DiffJSON(&b, changed()))
	golden(t, "diff.json", b.Bytes())
}

func TestTheLastLineOfADiffSaysWhetherItIsWorse(t *testing.T) {
	one := []report.Change{{Requirement: "a", Level: report.Should}}
	for want, d := range map[string]*report.Diff{
		"not worse: no requirement newly fails, is fixed, or is no longer tried": {StillFailing: one},
		"not worse: what changed does not make a run fail":                       {NewlyFailing: one, Fixed: one},
		"better: 1 requirement fixed":                                            {Fixed: one, StillFailing: one},
	} {
		var b bytes.Buffer
		require.NoError(t, formats.DiffText(&b, d, formats.Options{}))
		assert.True(t, bytes.HasSuffix(b.Bytes(), []byte("\n"+want+"\n")), b.String())
	}
}

// apart is a comparison of two targets with a little of everything.
func apart() *report.TargetDiff {
	side := report.DiffSide{Target: "http://a", Document: "Thing Store 1.0.0 (things.yaml)", Verdict: report.Conformant}
	return &report.TargetDiff{Version: 1, A: side, B: side, Differ: []string{"dataset generation 0, then 1"}, Gates: true,
		Verdicts: []report.Change{
			{Requirement: "thing-size", Level: report.Must, Was: report.Pass, Is: report.Fail, Sent: `size = "7"`, Got: "200 OK, \x1b[2J", Gates: true},
			{Requirement: "thing-label", Level: report.Should, Was: report.Fail, Is: report.Pass, Sent: "label = 1", WasGot: "500"},
			{Requirement: "thing-seen", Level: report.Must, Was: report.Pass, Is: report.Inconclusive, Reason: "no answer"}},
		Answers: []report.AnswersDiffer{{Class: "a/b", Case: "a/b/0", A: "200 OK", B: "no answer", Requests: 2, Status: true}},
		Observed: []report.ObservedChange{{Requirement: "open-size", Changes: []report.AnswerChange{
			{Was: []string{"200 OK"}, Is: []string{"400", "500"}}}}},
	}
}

func TestWhereTargetsDifferIsAsRecorded(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, formats.TargetsText(&b, apart(), formats.Options{}))
	golden(t, "targets.txt", b.Bytes())
	assert.NotContains(t, b.String(), "\x1b")
	b.Reset()
	require.NoError(t, formats.TargetsJSON(&b, apart()))
	golden(t, "targets.json", b.Bytes())
}

func TestTargetsThatDifferInNothingThatCountsAreSaidToBe(t *testing.T) {
	for want, change := range map[string]func(*report.TargetDiff){
		"different, but in nothing that makes a run fail": func(d *report.TargetDiff) { d.Verdicts, d.Gates = d.Verdicts[1:], false },
		"no difference": func(d *report.TargetDiff) { *d = report.TargetDiff{A: d.A, B: d.B} },
	} {
		d := apart()
		change(d)
		var b bytes.Buffer
		require.NoError(t, formats.TargetsText(&b, d, formats.Options{}))
		assert.True(t, bytes.HasSuffix(b.Bytes(), []byte("\n"+want+"\n")), b.String())
	}
}
