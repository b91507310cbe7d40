package formats_test

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// point is a test point as a harness of TAP 14 reads it.
type point struct {
	ok                    bool
	name, directive, more string
	block                 map[string]string
}

// points reads TAP 14 strictly: any line that the protocol does not have is an error.
func points(t *testing.T, r *report.Report, o formats.Options) []point {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.TAP(&b, r, o))
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	require.Equal(t, "TAP version 14", lines[0])
	var out []point
	planned := -1
	form := regexp.MustCompile(`^(not )?ok (\d+) - ((?:[^\\#]|\\[\\#])*?)(?: # (SKIP|TODO)\b(.*))?$`)
	for i := 1; i < len(lines); i++ {
		line := lines[i]
		switch m := form.FindStringSubmatch(line); {
		case strings.HasPrefix(line, "# ") && len(out) == 0:
		case strings.HasPrefix(line, "1.."):
			require.Equal(t, -1, planned)
			n, err := strconv.Atoi(line[3:])
			require.NoError(t, err)
			planned = n
		case m != nil:
			require.Equal(t, strconv.Itoa(len(out)+1), m[2])
			name := strings.NewReplacer(`\\`, `\`, `\#`, "#").Replace(m[3])
			out = append(out, point{ok: m[1] == "", name: name, directive: m[4], more: m[5]})
		case line == "  ---":
			var text []string
			for i++; lines[i] != "  ..."; i++ {
				require.True(t, strings.HasPrefix(lines[i], "  "), "%q", lines[i])
				text = append(text, lines[i][2:])
			}
			require.NoError(t, yaml.Unmarshal([]byte(strings.Join(text, "\n")), &out[len(out)-1].block))
		default:
			require.Fail(t, "no line of TAP", "%q", line)
		}
	}
	require.Len(t, out, planned)
	return out
}

// green reports whether a harness takes a run as passed: every point is ok or TODO.
func green(list []point) bool {
	for _, p := range list {
		if !p.ok && p.directive != "TODO" {
			return false
		}
	}
	return len(list) > 0
}

func TestTAPIsAsRecorded(t *testing.T) {
	recorded(t, "tap", formats.TAP)
}

func TestTAPGivesEachVerdictItsLine(t *testing.T) {
	r := oneFault()
	r.Results = append(r.Results,
		report.Result{Requirement: "unsure", Level: report.Must, Verdict: report.Inconclusive},
		report.Result{Requirement: "ours", Level: report.Must, Verdict: report.Error, Reason: "a bug"},
		report.Result{Requirement: "seen", Level: report.Open, Verdict: report.Pass})
	got := map[string]string{}
	for _, p := range points(t, r, formats.Options{}) {
		got[p.name] = strings.TrimSpace(strconv.FormatBool(p.ok) + " " + p.directive)
	}
	assert.Equal(t, map[string]string{
		"thing-valid-accepted": "true", "thing-size-type": "false", "parallel": "true SKIP", "scheme-any-case": "false TODO",
		"unsure": "false", "ours": "false", "seen": "true SKIP", "duplicate-size": "true SKIP", "empty-label": "true SKIP",
	}, got)
	assert.Equal(t, map[string]string{
		"message": "A Thing whose size is not an integer is answered 400.", "level": "MUST",
		"clause": "openapi.yaml#/components/schemas/Thing/properties/size/type", "cases": "12 of 40 cases failed, 3 not tried",
		"file": "api/things.yaml", "line": "27", "sent": `size "7" (a string) instead of 7`, "expected": "400, application/json, Error",
		"got": `200, application/json, {"label":"a"}`, "cause": "fails with 5 or more requests in flight",
		"replay": "conformance replay thing-size-type-string/3 --target http://127.0.0.1:8080",
	}, points(t, r, formats.Options{})[1].block)
	for _, p := range points(t, r, formats.Options{FailOn: report.Should}) {
		assert.NotEqual(t, "TODO", p.directive, "%s gates", p.name)
	}
}

func TestOnlyAConformantRunIsGreenInTAP(t *testing.T) {
	early := conformant()
	early.Summary.Verdict, early.Summary.Reasons = report.Incomplete, []string{"interrupted"}
	// Not conformant at another level than the one that the format is told.
	warned := oneFault()
	warned.Results = warned.Results[3:]
	for _, r := range []*report.Report{oneFault(), unreachable(), noCase(), hostile(), early, warned, new(report.Report)} {
		assert.False(t, green(points(t, r, formats.Options{})))
	}
	assert.True(t, green(points(t, conformant(), formats.Options{})))
}

func TestNoTextBreaksTAP(t *testing.T) {
	for _, evil := range append(attacks(), "\nok 1 - gotcha", "\nBail out! gotcha", "x # SKIP gotcha", `x \# SKIP gotcha`, `x \`, "\n  ...\nok 9", "1..0", "a: b", "\u2028ok 1") {
		list := points(t, attacked(evil), formats.Options{})
		assert.False(t, green(list))
		p := list[1]
		assert.Equal(t, formats.Escape(evil), p.name)
		assert.Equal(t, formats.Escape(evil), p.block["got"])
		assert.Empty(t, p.directive)
	}
}
