package main

import (
	"bytes"
	"context"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

var update = flag.Bool("update", false, "rewrite the figures in README.md")

// figure is a number in the prose of the README and where it comes from.
type figure struct {
	// at finds the number; it is the only group.
	at   string
	want func(made) string
	// about allows 2 %.
	about bool
}

// made is what the figures are made from: a run against the embedded server, and
// the published self-test.
type made struct {
	run   *report.Report
	proof string
}

func figures() []figure {
	return []figure{
		{`about ([\d,]+) requests in about four seconds`, made.requests, true},
		{`A default run sends about ([\d,]+) requests`, made.requests, true},
		{`with (\d+) deliberate faults, all of which it finds`, func(m made) string { return m.published(`faults found: (\d+) of \d+ \(100\.0 %\)`) }, false},
		{`and (\d+) unusual but conforming variants, all of which pass`, func(m made) string { return m.published(`false alarms: 0 over (\d+) variants`) }, false},
	}
}

// requests is the number of requests of the run, to the hundred.
func (m made) requests() string {
	n := int(math.Round(float64(m.run.Summary.Exchanges)/100)) * 100
	return strconv.Itoa(n/1000) + "," + strconv.Itoa(n%1000 + 1000)[1:]
}

// published finds a figure in PROOF.md, which has tests of its own.
func (m made) published(pattern string) string {
	if found := regexp.MustCompile(pattern).FindStringSubmatch(m.proof); found != nil {
		return found[1]
	}
	return "none in PROOF.md"
}

// TestReadmeFiguresAreThoseOfARun compares the figures of the README with a run;
// -update rewrites them.
func TestReadmeFiguresAreThoseOfARun(t *testing.T) {
	if !*update {
		sample.Slow(t) // the gate runs it
	}
	reference, err := proof.StartReference(nil)
	require.NoError(t, err)
	defer reference.Close()
	r, err := conformance.Run(context.Background(), conformance.Config{Target: reference.URL, Token: reference.Token, Embedded: true})
	require.NoError(t, err)
	m := made{run: r, proof: source(t, "conformance/PROOF.md")}

	text := source(t, readme)
	for _, f := range figures() {
		found := regexp.MustCompile(f.at).FindStringSubmatchIndex(text)
		require.NotNil(t, found, "the README has no figure %s", f.at)
		if *update {
			text = text[:found[2]] + f.want(m) + text[found[3]:]
			continue
		}
		if f.about {
			near(t, f.want(m), text[found[2]:found[3]], f.at)
			continue
		}
		assert.Equal(t, f.want(m), text[found[2]:found[3]], "%s: %s", f.at, rewrite)
	}
	sample := "```text\n" + sampleReport(t) + "```\n"
	begin := strings.Index(text, "```text\n")
	end := begin + len("```text\n") + strings.Index(text[begin+len("```text\n"):], "```\n") + len("```\n")
	if *update {
		text = text[:begin] + sample + text[end:]
		require.NoError(t, os.WriteFile(filepath.Join(root(t), "README.md"), []byte(text), 0o666))
		return
	}
	sameBut(t, sample, text[begin:end])
}

// sampleReport is the report on the faulty server of the README, shortened as
// there: two open points are enough.
func sampleReport(t *testing.T) string {
	t.Helper()
	s, err := proof.StartFault("id-numeric-string")
	require.NoError(t, err)
	defer s.Close()
	r, err := conformance.Run(context.Background(), conformance.Config{Target: s.URL, Token: s.Token})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, formats.Text(&out, r, formats.Options{}))
	text := strings.ReplaceAll(out.String(), s.URL, "http://localhost:8081")
	rows := regexp.MustCompile(`(?m)^  open-.*\n`).FindAllStringIndex(text, -1)
	more := regexp.MustCompile(`… and (\d+) more: see`).FindStringSubmatchIndex(text)
	require.True(t, len(rows) > 2 && more != nil, text)
	n, err := strconv.Atoi(text[more[2]:more[3]])
	require.NoError(t, err)
	return text[:rows[2][0]] + text[rows[len(rows)-1][1]:more[2]] + strconv.Itoa(n+len(rows)-2) + text[more[3]:]
}

// sameBut compares two texts but for the numbers of exchanges and of distinct
// answers: those may differ by 2 %, for a busy machine needs some retries.
func sameBut(t *testing.T, want, got string) {
	t.Helper()
	vague := regexp.MustCompile(`(\d+) (?:of \d+ distinct answers|exchanges)`)
	wants, gots := vague.FindAllStringSubmatch(want, -1), vague.FindAllStringSubmatch(got, -1)
	assert.Equal(t, vague.ReplaceAllString(want, "N"), vague.ReplaceAllString(got, "N"), rewrite)
	require.Equal(t, len(wants), len(gots))
	for i := range wants {
		near(t, wants[i][1], gots[i][1], wants[i][0])
	}
}

// near compares two numbers, which may have commas, to 2 %.
func near(t *testing.T, want, got, where string) {
	t.Helper()
	number := func(s string) float64 {
		n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
		require.NoError(t, err, where)
		return float64(n)
	}
	assert.InEpsilon(t, number(want), number(got), 0.02, "%s: %s", where, rewrite)
}

const rewrite = "update it: go test ./cmd/conformance -run ReadmeFigures -update"

// TestThePagesHaveNoFigureThatNothingMakes finds numbers in the prose of the README and
// the guide that are neither made by a run nor part of the interface.
func TestThePagesHaveNoFigureThatNothingMakes(t *testing.T) {
	text := source(t, readme)
	for _, page := range append(pages(t), guideIndex) {
		text += source(t, page)
	}
	text = regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, "")
	text = regexp.MustCompile("`[^`]*`|\\]\\([^)]*\\)").ReplaceAllString(text, "")
	for _, f := range figures() {
		text = regexp.MustCompile(f.at).ReplaceAllString(text, "")
	}
	for _, known := range []string{
		"Go 1.26", "OpenAPI 3.0, 3.1 or 3.2", "sends about 30,", "about 300", "more where a document has fewer than 30 operations", "Swagger 2.0", "Exit code 4", "| 0 |", "| 1 |", "| 2 |", "| 3 |", "| 4 |", "Code 3 means", "that is code 3 too", "exit 1, not 3", "answers 401 to one",
		"8 or more characters", // redact.Safely
		"4 of 36 is a narrower problem than 36 of 36",
		"9007199254740993",                             // 2^53 + 1
		"22 MB of modules",                             // go mod download
		"3.8 seconds", "130 MiB", "53 ms", "2.2 times", // measured by the benchmarks named beside them
	} {
		require.Contains(t, text, known, "no page says this any more: remove it here")
		text = strings.ReplaceAll(text, known, "")
	}
	assert.Empty(t, regexp.MustCompile(`(?m)^.*\b\d[\d.,]*\b.*$`).FindAllString(text, -1), "make these figures by a run: see figures")
}
