package formats_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func asHTML(t *testing.T, r *report.Report, o formats.Options) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.HTML(&b, r, o))
	return b.String()
}

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func TestHTMLIsAsRecorded(t *testing.T) {
	recorded(t, "html", formats.HTML)
	// testdata/browser opens these files in a browser.
	golden(t, "scripted.html", []byte(asHTML(t, everything(`"></title></style></script></pre><script>alert(1)</script><img src=http://localhost:9/x onerror=alert(1)>`), formats.Options{})))
	assert.Equal(t, asHTML(t, oneFault(), formats.Options{}), asHTML(t, oneFault(), formats.Options{}))
}

// treeOf lists the elements of a page with the names of their attributes. The parser
// is the algorithm that browsers use.
func treeOf(t *testing.T, text string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	require.NoError(t, err)
	var out []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		name := n.Data
		for _, a := range n.Attr {
			name += " " + a.Key
		}
		out = append(out, name)
	}
	return out
}

// fill sets every text and all bytes of a report, but for its verdicts.
func fill(v reflect.Value, text string) {
	switch {
	case v.Type() == reflect.TypeFor[report.Verdict]():
	case v.Type() == reflect.TypeFor[[]byte]():
		v.SetBytes([]byte(text))
	case v.Kind() == reflect.String:
		v.SetString(text)
	case v.Kind() == reflect.Pointer && !v.IsNil():
		fill(v.Elem(), text)
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), text)
			}
		}
	}
}

// everything is a report in which every member is set.
func everything(text string) *report.Report {
	r := oneFault()
	r.Header.Selection, r.Header.Values, r.Header.LeftOut = []string{"s"}, []string{"v"}, []string{"l"}
	r.Header.ValuesFile = &report.File{}
	r.Header.RequirementsFile, r.Header.Subjects, r.Header.Plan = &report.File{}, []report.Subject{{}}, "p"
	r.Reach = &report.Reached{Reached: 1, Operations: 2, Ways: []string{"w"}}
	r.CleanUp = &report.CleanUp{Made: 2, Deleted: 1, Left: []string{"x"}}
	r.Summary.Reasons = []string{"r"}
	r.Observed[0].Seen[0].Kinds = []string{"k", "k"}
	f := &r.Results[1].Failures[0]
	f.Story, f.NotTriedAgain = []string{"s"}, "n"
	f.Steps = append(f.Steps, step("a", "b"))
	f.Steps[0].Cuts, f.Steps[0].Await = []int{1, 2}, true
	fill(reflect.ValueOf(r), text)
	return r
}

func TestHTMLHasTheSameElementsWhateverTheTargetSends(t *testing.T) {
	want := treeOf(t, asHTML(t, everything("harmless"), formats.Options{}))
	for _, evil := range []string{
		`<script>alert(1)</script>`, `</script><script>alert(1)</script>`, `</style><img src=x onerror=alert(1)>`,
		`"><svg onload=alert(1)>`, `' autofocus onfocus='alert(1)`, "` onclick=alert(1) `", `--><iframe src=//evil.test>`,
		`</title><base href=//evil.test>`, `</pre></code></bdi></details></table><form action=//evil.test>`,
		`<meta http-equiv=refresh content="0;url=//evil.test">`, `javascript:alert(1)`, `{{.}}`, `&lt;script&gt;`, `<!--`, `]]>`,
	} {
		text := asHTML(t, everything(evil), formats.Options{})
		assert.Equal(t, want, treeOf(t, text), evil)
		root, err := html.Parse(strings.NewReader(text))
		require.NoError(t, err)
		seen := 0
		for n := range root.Descendants() {
			if n.Type == html.TextNode && strings.Contains(n.Data, evil) {
				seen++
			}
		}
		assert.Greater(t, seen, 30, "%s is shown as it is", evil)
	}
}

func TestHTMLShowsNoCharacterThatHidesOrTurnsAround(t *testing.T) {
	for _, r := range asHTML(t, hostile(), formats.Options{}) {
		assert.True(t, r == '\n' || unicode.IsPrint(r), "%U in the page", r)
	}
	assert.True(t, utf8.ValidString(asHTML(t, everything("\xff\xfe\u202e\x00"), formats.Options{})))
}

func TestHTMLLoadsNothingAndAllowsOnlyItsOwnScriptAndStyle(t *testing.T) {
	loadsNothing(t, asHTML(t, everything("x"), formats.Options{}))
}

// loadsNothing wants a page with one style and one script, which its policy allows, and
// with links to places of its own.
func loadsNothing(t *testing.T, text string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	require.NoError(t, err)
	policy, inline := "", map[string]string{}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "script" || n.Data == "style" {
			assert.Empty(t, inline[n.Data], "a second %s", n.Data)
			inline[n.Data] = n.FirstChild.Data
		}
		for _, a := range n.Attr {
			switch {
			case n.Data == "meta" && a.Key == "content" && strings.HasPrefix(a.Val, "default-src"):
				policy = a.Val
			case a.Key == "href":
				assert.True(t, strings.HasPrefix(a.Val, "#"), "a link to %s", a.Val)
			}
			assert.NotContains(t, []string{"src", "srcset", "style", "action", "data", "poster"}, a.Key, "<%s>", n.Data)
			assert.False(t, strings.HasPrefix(a.Key, "on"), "<%s %s>", n.Data, a.Key)
		}
	}
	assert.Equal(t, "default-src 'none'; style-src '"+sha(inline["style"])+"'; script-src '"+sha(inline["script"])+
		"'; base-uri 'none'; form-action 'none'", policy)
	assert.NotRegexp(t, `url\(|@import|//[a-z]`, inline["style"])
	assert.NotRegexp(t, `fetch\(|import\(|XMLHttpRequest|eval|innerHTML|https?:`, inline["script"])
	assert.Less(t, strings.Index(text, policy), strings.Index(text, "<style>"), "the policy holds for what comes after it")
}

func TestHTMLIsGreenOnlyWhenEverythingWasTriedAndPassed(t *testing.T) {
	look := func(r *report.Report) string {
		return regexp.MustCompile(`<body class="(\w*)">`).FindStringSubmatch(asHTML(t, r, formats.Options{}))[1]
	}
	assert.Equal(t, "good", look(conformant()))
	assert.Equal(t, "bad", look(oneFault()))
	assert.Equal(t, "doubtful", look(unreachable()))
	assert.Equal(t, "doubtful", look(new(report.Report)))
	assert.Equal(t, "doubtful", look(noCase()))
	for name, change := range map[string]func(r *report.Report){
		"incomplete":  func(r *report.Report) { r.Summary.Verdict = report.Incomplete },
		"partial":     func(r *report.Report) { r.Summary.Partial = true },
		"a selection": func(r *report.Report) { r.Header.Selection = []string{"--only x"} },
		"named cases": func(r *report.Report) { r.Header.NamedCases = true },
	} {
		r := conformant()
		change(r)
		assert.Equal(t, "doubtful", look(r), name)
	}
}

func TestHTMLTellsARequirementWithAnUnknownVerdictInconclusive(t *testing.T) {
	r := conformant()
	r.Results[0].Verdict = "splendid"
	assert.Contains(t, asHTML(t, r, formats.Options{}), `id="r1" data-level="MUST" data-verdict="inconclusive"`)
}

func TestHTMLShowsWhatDidNotPassAboveWhatDid(t *testing.T) {
	text := asHTML(t, oneFault(), formats.Options{})
	var order []string
	for _, m := range regexp.MustCompile(`<tr role="row" id="r\d" data-level="\w+" data-verdict="(\w+)"`).FindAllStringSubmatch(text, -1) {
		order = append(order, m[1])
	}
	assert.Equal(t, []string{"fail", "warning", "pass", "inapplicable"}, order)
	assert.Contains(t, text, `data-row="r2" id="q2"`, "a failure belongs to its row wherever that stands")
}

func TestHTMLCountsNoFailedCasesWhereNoneFailed(t *testing.T) {
	r := conformant()
	r.Results[0].Cases = report.Cases{Planned: 9, Judged: 7, Suppressed: 1, NotTried: 1}
	r.Results[1].Cases = report.Cases{Planned: 3}
	text := asHTML(t, r, formats.Options{})
	assert.Contains(t, text, "<td role=\"cell\">7 cases, 1 suppressed by a more basic failure, 1 not tried</td>")
	assert.Contains(t, text, "<td role=\"cell\">no case was judged</td>")
	assert.NotContains(t, text, "0 of ")
}

func TestHTMLNamesTheDocumentInTheCommandThatExplains(t *testing.T) {
	r := oneFault()
	r.Header.DocumentFlags = "--spec api/things.yaml"
	assert.Contains(t, asHTML(t, r, formats.Options{}), `<code id="explain2">conformance explain thing-size-type --spec api/things.yaml</code>`)
}

func TestHTMLOffersNoCommandThatCannotBePasted(t *testing.T) {
	assert.Contains(t, asHTML(t, oneFault(), formats.Options{}), `data-copy="curl1"`)
	text := asHTML(t, hostile(), formats.Options{})
	assert.NotContains(t, text, `data-copy="curl1"`)
	assert.Contains(t, text, "cannot be pasted: see the JSON report")
}

func TestHTMLOfThreeThousandResultsStaysSmall(t *testing.T) {
	assert.Less(t, len(asHTML(t, threeThousand([]byte("HTTP/1.1 200 OK\r\n\r\n")), formats.Options{})), 3<<20)

	text := asHTML(t, threeThousand(bytes.Repeat([]byte("\x01"), 8<<10)), formats.Options{})
	assert.Equal(t, 3004, strings.Count(text, `<tr role="row" id=`))
	assert.Equal(t, 302, strings.Count(text, `<details class="failure"`))
	assert.NotContains(t, text, `<details class="failure" id="f1" open>`, "with so many, all are closed")
	assert.Contains(t, text, "More requests and responses are in the JSON report")
	assert.Less(t, len(text), 9<<20, "a target cannot make it large")
}

// threeThousand is a report of so many results, a tenth of which got this response.
func threeThousand(response []byte) *report.Report {
	r := oneFault()
	failing, passing := r.Results[1], r.Results[0]
	failing.Failures[0].Steps[0].Response.Data = response
	for i := range 3000 {
		x := passing
		if i%10 == 0 {
			x = failing
			f := x.Failures[0]
			f.N = i + 10
			x.Failures = []report.Failure{f}
		}
		x.Requirement, x.Operation = fmt.Sprintf("requirement-%d", i), fmt.Sprintf("GET /things/%d", i%200)
		r.Results = append(r.Results, x)
	}
	return r
}

func TestHTMLCutsAHugeValueWithItsLength(t *testing.T) {
	r := oneFault()
	f := &r.Results[1].Failures[0]
	f.Got, f.Curl = strings.Repeat("\x00", 5_000_000), strings.Repeat("x", 5_000_000)
	f.Steps[0].Request.Data = bytes.Repeat([]byte("é"), 1_000_000)
	text := asHTML(t, r, formats.Options{})
	assert.Contains(t, text, "… (5000000 bytes)")
	assert.Contains(t, text, "… (1983616 bytes more)")
	assert.Contains(t, text, "the first 4096 of 2000000 bytes")
	assert.Less(t, len(text), 150_000)
}

// drawn is the part of the page about times; empty if there is none.
func drawn(t *testing.T, times report.Times) string {
	t.Helper()
	r := conformant()
	r.Times = times
	return regexp.MustCompile(`(?s)<section id="times".*?</section>`).FindString(asHTML(t, r, formats.Options{}))
}

func TestHTMLDrawsABarForEachBucketAndSaysWhatItIs(t *testing.T) {
	text := drawn(t, report.Times{Median: 430 * time.Microsecond, P90: 2 * time.Millisecond, P99: 3 * time.Millisecond, Slowest: 4 * time.Millisecond, Answers: []report.AnswerTimes{
		{From: 400 * time.Microsecond, Below: 500 * time.Microsecond, Count: 30}, {From: 3150 * time.Microsecond, Below: 4 * time.Millisecond, Count: 1}}})
	assert.Equal(t, 2, strings.Count(text, `<rect class="bar"`))
	assert.Contains(t, text, "<title>400µs to 500µs: 30 answers</title>")
	assert.Contains(t, text, "Histogram of 31 answers. The most, 30, took 400µs to 500µs. p50: 430µs. p90: 2ms. p99: 3ms. max: 4ms.</desc>")
	assert.Contains(t, text, "<th scope=\"col\">99th percentile (p99)</th>")
	for _, tick := range []string{">100µs<", ">1ms<", ">10ms<"} {
		assert.Contains(t, text, tick)
	}
	assert.NotContains(t, text, "When requests were sent")
}

func TestHTMLMarksOnTheTimelineWhatFailed(t *testing.T) {
	text := drawn(t, report.Times{Timeline: report.Timeline{Width: 500 * time.Millisecond, Shards: 3, Intervals: []report.Interval{
		{Requests: 10}, {From: time.Second, Requests: 4, FailedCases: 2, Unanswered: 1}, {From: 1500 * time.Millisecond, FailedCases: 1}}}})
	assert.Contains(t, text, "Timeline of 14 requests in 2s; at most 10 requests in 500ms. 3 cases failed. 1 request not answered.</desc>")
	assert.Contains(t, text, "<title>at 1s: 2 cases failed</title>")
	assert.Contains(t, text, "<title>at 1.5s: 1 case failed</title>")
	assert.Contains(t, text, "<title>at 1s: 1 request not answered</title>")
	assert.Contains(t, text, "time since the first request of each of 3 shards")
	assert.Equal(t, 2, strings.Count(text, `<rect class="bar"`), "an interval without a request has no bar")
}

func TestHTMLDrawsNothingWhereNothingWasMeasured(t *testing.T) {
	assert.Empty(t, drawn(t, report.Times{}))
}

// TestHTMLDrawsInsideItsArea: a report may come from somebody else.
func TestHTMLDrawsInsideItsArea(t *testing.T) {
	huge := report.Timeline{Width: 1}
	for range 500 {
		huge.Intervals = append(huge.Intervals, report.Interval{Requests: 1})
	}
	for name, times := range map[string]report.Times{
		"as a run writes": conformant().Times,
		"no end":          {Slowest: math.MaxInt64, Answers: []report.AnswerTimes{{From: 1, Below: math.MaxInt64, Count: 1}, {From: math.MaxInt64 / 2, Below: math.MaxInt64, Count: 1}}},
		"negative":        {Median: -5, Slowest: math.MinInt64, Answers: []report.AnswerTimes{{From: -1, Below: 5, Count: -2}, {From: 3, Below: 2, Count: 1}, {From: 1000, Below: 1250, Count: 1}}},
		"many":            {Answers: make([]report.AnswerTimes, 5000), Timeline: huge},
		"late":            {Timeline: report.Timeline{Width: math.MaxInt64, Intervals: []report.Interval{{Requests: 1}, {From: math.MaxInt64, Requests: 1}}}},
		"huge counts":     {Timeline: report.Timeline{Width: 1, Intervals: []report.Interval{{Requests: math.MaxInt}, {Requests: 1 << 40}}}},
	} {
		text := drawn(t, times)
		assert.LessOrEqual(t, len(text), 40_000, name)
		assert.NotContains(t, text, "NaN", name)
		assert.NotContains(t, text, "Inf", name)
		for _, m := range regexp.MustCompile(` (?:x|y|x1|x2|width|height)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			assert.Regexp(t, `^\d{1,3}(\.\d)?$`, m[1], name)
		}
	}
}
