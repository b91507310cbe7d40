package formats_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func markdown(t *testing.T, r *report.Report, o formats.Options) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.Markdown(&b, r, o))
	return b.String()
}

// page renders as GitHub does, with its extensions and with HTML.
func page(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	github := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	require.NoError(t, github.Convert([]byte(text), &b))
	return b.String()
}

func TestMarkdownIsAsRecorded(t *testing.T) {
	recorded(t, "md", formats.Markdown)
}

// attacks are texts that mean something in Markdown or on GitHub.
func attacks() []string {
	return []string{
		"`", "``` \n# gotcha\n", "\n\n# gotcha\n\n", "\r\n```\r\n# gotcha\r\n", "````````\n</code></pre><script>gotcha()</script>",
		"|gotcha|", `\|gotcha|`, `\\|gotcha|`, "`|gotcha|`", "<img src=x onerror=gotcha>", "</details></td><script>", "<!-- gotcha",
		"@gotcha", "x @gotcha/team #1 gotcha#1", "[gotcha](https://gotcha.example)", "![gotcha](https://gotcha.example/p.png)",
		"https://gotcha.example", "www.gotcha.example", "WWW.gotcha.example", "<https://gotcha.example>", "[gotcha]: https://gotcha.example",
		"$`gotcha`$", "$$gotcha$$", "&lt;b&gt;", `\`, "**gotcha**", "~~gotcha~~", "- [x] gotcha", " ` ", " ", "\x1b[31m\u202egotcha",
	}
}

func TestNothingInMarkdownIsMarkupOfATargetOrADocument(t *testing.T) {
	plain := elements(page(t, markdown(t, attacked("harmless"), formats.Options{})))
	for _, evil := range attacks() {
		text := markdown(t, attacked(evil), formats.Options{})
		shown := page(t, text)
		assert.Equal(t, plain, elements(shown), "%q changes the page", evil)
		prose := regexp.MustCompile(`(?s)<code.*?</code>`).ReplaceAllString(shown, "")
		assert.NotRegexp(t, `@[a-z]|#[0-9]`, prose, "%q tells somebody", evil)
		for _, r := range text {
			assert.True(t, r == '\n' || r == '​' || unicode.IsPrint(r), "%q leaves %U", evil, r)
		}
	}
}

// elements are the elements of a page, without those that a text without a sign that
// could be seen does not have.
func elements(page string) []string {
	return regexp.MustCompile(`<[/!a-z][a-z0-9]*`).FindAllString(page, -1)
}

// attacked is a report in which each text says the same thing.
func attacked(text string) *report.Report {
	r := oneFault()
	h := &r.Header
	h.Target, h.Document, h.File, h.Digest, h.Effort, h.LeftOut, h.Selection = text, text, text, text, text, []string{text}, []string{text}
	r.Tool, r.Facts = text, []report.Fact{{Name: text, Value: text}}
	for i := range r.Results {
		x := &r.Results[i]
		x.Requirement, x.Sentence, x.Clause, x.Reason, x.Place = text, text, text, text, &report.Place{File: text, Line: i}
		for j := range x.Failures {
			f := &x.Failures[j]
			f.Case, f.Class, f.Sent, f.Expected, f.Got, f.Common, f.Cause, f.Replay = text, text, text, text, text, text, text, text
			f.NotTriedAgain, f.Story, f.Curl = text, []string{text, text}, "curl harmless"
			f.Classes[0].Class = text
			f.Steps[0].Request.Data, f.Steps[0].Response.Data, f.Steps[0].Failure = []byte(text), []byte(text), text
		}
	}
	r.Results[0].Verdict = report.Inconclusive
	for i := range r.Observed {
		x := &r.Observed[i]
		x.Requirement, x.Sentence, x.Clause, x.Seen = text, text, text, []report.Seen{{What: text, Count: 1}}
	}
	r.Second.Reader, r.Second.Reason = text, text
	r.Summary.Reasons = []string{text}
	return r
}

func TestACommandThatHoldsAFenceStaysInItsBlock(t *testing.T) {
	r := oneFault()
	r.Results[1].Failures[0].Curl = "curl -d '\n```\n# gotcha\n````\n'"
	assert.NotContains(t, page(t, markdown(t, r, formats.Options{})), "gotcha</h1>")
}

func TestLongListsAreHiddenAndCut(t *testing.T) {
	r := oneFault()
	for i := range 60 {
		x := r.Observed[0]
		x.Requirement = fmt.Sprintf("open-%02d", i)
		r.Observed = append(r.Observed, x)
	}
	text := markdown(t, r, formats.Options{})
	assert.Contains(t, text, "<details><summary>62 rows</summary>\n\n| open point |")
	assert.Contains(t, text, "\n22 more are in the JSON report.\n\n</details>\n")
	assert.Equal(t, 1, strings.Count(text, "<details>"))
}

func TestCutMarkdownIsAPageAtEveryLength(t *testing.T) {
	r := oneFault()
	r.Observed = slices.Repeat(r.Observed, 10)
	text := []byte(markdown(t, r, formats.Options{}))
	assert.Equal(t, text, formats.CutMarkdown(text, len(text)))
	for most := range len(text) {
		cut := formats.CutMarkdown(text, most)
		require.LessOrEqual(t, len(cut), most)
		if len(cut) == 0 {
			require.Less(t, most, 200, "there is room for the verdict")
			continue
		}
		assert.Equal(t, strings.SplitN(string(text), "\n", 2)[0], strings.SplitN(string(cut), "\n", 2)[0])
		assert.Regexp(t, `(?s)was cut here\. [^<]*</p>\n$`, page(t, string(cut)), "%d", most)
		assert.Equal(t, strings.Count(string(cut), "<details>"), strings.Count(string(cut), "</details>"))
	}
}
