package formats_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
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

type pair struct{ Name, Value string }

// archive is HAR 1.2 as its specification lists it: a pointer is a member that must be
// there, and a member that is not listed is an error, which no schema says.
type archive struct {
	Log *struct {
		Version *string
		Creator *struct{ Name, Version *string }
		Entries *[]archived
		Comment string
	}
}

type archived struct {
	StartedDateTime *time.Time
	Time            *float64
	Request         *struct {
		Method, URL, HTTPVersion      *string
		Cookies, Headers, QueryString *[]pair
		PostData                      *struct {
			MimeType, Text *string
			Params         *[]pair
			Base64         string `json:"_base64"`
		}
		HeadersSize, BodySize *int
	}
	Response *struct {
		Status                               *int
		StatusText, HTTPVersion, RedirectURL *string
		Cookies, Headers                     *[]pair
		Content                              *struct {
			Size           *int
			MimeType       *string
			Text, Encoding string
		}
		HeadersSize, BodySize *int
		Error                 string `json:"_error"`
	}
	Cache   *struct{}
	Timings *struct{ Send, Wait, Receive *float64 }

	Connection, Comment string
}

func archiveOf(t *testing.T, r *report.Report) archive {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.HAR(&b, r, formats.Options{}))
	var out archive
	require.NoError(t, json.Unmarshal(b.Bytes(), &out, json.RejectUnknownMembers(true), json.MatchCaseInsensitiveNames(true)))
	require.Equal(t, "1.2", *out.Log.Version)
	require.NotNil(t, out.Log.Creator.Name)
	require.NotNil(t, out.Log.Creator.Version)
	for _, e := range *out.Log.Entries {
		q, a := e.Request, e.Response
		require.NotNil(t, q)
		require.NotNil(t, a)
		for _, p := range []*string{q.Method, q.URL, q.HTTPVersion, a.StatusText, a.HTTPVersion, a.RedirectURL, a.Content.MimeType} {
			require.NotNil(t, p)
		}
		for _, p := range []*[]pair{q.Cookies, q.Headers, q.QueryString, a.Cookies, a.Headers} {
			require.NotNil(t, p)
		}
		for _, p := range []*int{q.HeadersSize, q.BodySize, a.Status, a.HeadersSize, a.BodySize, a.Content.Size} {
			require.NotNil(t, p)
		}
		for _, p := range []*float64{e.Time, e.Timings.Send, e.Timings.Wait, e.Timings.Receive} {
			require.NotNil(t, p)
		}
		require.NotNil(t, e.StartedDateTime)
		require.NotNil(t, e.Cache)
	}
	return out
}

func TestHARIsAsRecorded(t *testing.T) {
	recorded(t, "har", formats.HAR)
}

// TestHARIsValidByTheSchemaOfItsSpecification uses the schema of the npm package
// har-schema. The hostile sample has a target that is no URL, which no run has.
func TestHARIsValidByTheSchemaOfItsSpecification(t *testing.T) {
	c := jsonschema.NewCompiler()
	paths, err := filepath.Glob("testdata/har-schema/*.json")
	require.NoError(t, err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		require.NoError(t, c.AddResource("https://har.example/"+filepath.Base(path), schema))
	}
	schema, err := c.Compile("https://har.example/har.json")
	require.NoError(t, err)
	validate := func(text []byte) error {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		return schema.Validate(doc)
	}
	for name, r := range map[string]*report.Report{"one fault": oneFault(), "conformant": conformant(), "known": expected(),
		"out of date": outOfDate(), "unreachable": unreachable(), "no case": noCase()} {
		var b bytes.Buffer
		require.NoError(t, formats.HAR(&b, r, formats.Options{}))
		assert.NoError(t, validate(b.Bytes()), name)
		assert.Error(t, validate(bytes.Replace(b.Bytes(), []byte(`"version"`), []byte(`"edition"`), 1)), "%s: the schema is looked at", name)
	}
}

func TestHARHoldsTheRequestsOfFailures(t *testing.T) {
	list := *archiveOf(t, oneFault()).Log.Entries
	require.Len(t, list, 2)
	q, a := list[0].Request, list[0].Response
	assert.Equal(t, []string{"POST", "http://127.0.0.1:8080/things", "HTTP/1.1", `{"size":"7","label":"a"}`},
		[]string{*q.Method, *q.URL, *q.HTTPVersion, *q.PostData.Text})
	assert.Equal(t, []pair{{"Host", "127.0.0.1:8080"}, {"Authorization", "Bearer $CONFORMANCE_TOKEN"}, {"Content-Length", "24"}}, *q.Headers)
	assert.Equal(t, 200, *a.Status)
	assert.Equal(t, `{"label":"a"}`, a.Content.Text)
	assert.Contains(t, list[0].Comment, "failure 1, step 1 of 1: thing-size-type (MUST) expected 400")
	assert.Equal(t, "2026-11-21T10:00:01Z", list[0].StartedDateTime.Format(time.RFC3339Nano))
	assert.Equal(t, []float64{1.5, 0, 1.5, 0}, []float64{*list[0].Time, *list[0].Timings.Send, *list[0].Timings.Wait, *list[0].Timings.Receive})
	assert.Equal(t, "2026-11-21T10:00:00Z", list[1].StartedDateTime.Format(time.RFC3339Nano), "that of the run, if nothing else is known")
	assert.Zero(t, *list[1].Time)
}

func TestHARSaysTheVerdict(t *testing.T) {
	for want, r := range map[string]*report.Report{"conformant": conformant(), "incomplete: nothing could be judged": noCase(),
		"incomplete: nobody listens at http://127.0.0.1:8080": unreachable(), "NOT CONFORMANT: 1 leniency (1 of 2 MUST requirements failed)": oneFault()} {
		assert.Equal(t, want, archiveOf(t, r).Log.Comment)
	}
}

func TestHARReadsWhatIsNotWellFormed(t *testing.T) {
	of := func(request, response, failure string) archived {
		r := oneFault()
		s := &r.Results[1].Failures[0].Steps[0]
		s.Request.Data, s.Response.Data, s.Failure = []byte(request), []byte(response), failure
		return (*archiveOf(t, r).Log.Entries)[0]
	}
	e := of("GET /things?a=b&c HTTP/1.1\r\nbad\r\n\r\n\xff", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 No\r\n\r\n\xfe", "")
	assert.Equal(t, []pair{{"a", "b"}, {"c", ""}}, *e.Request.QueryString)
	assert.Equal(t, "http://127.0.0.1:8080/things?a=b&c", *e.Request.URL)
	assert.Equal(t, base64.StdEncoding.EncodeToString([]byte{0xff}), e.Request.PostData.Base64)
	assert.Equal(t, 400, *e.Response.Status)
	assert.Equal(t, base64.StdEncoding.EncodeToString([]byte{0xfe}), e.Response.Content.Text)
	assert.Equal(t, "base64", e.Response.Content.Encoding)
	e = of("", "", "no answer in 10s")
	assert.Equal(t, 0, *e.Response.Status)
	assert.Equal(t, "no answer in 10s", e.Response.Error)
	e = of("x", "HTTP/1.1 999999999999999999999 x", "")
	assert.Equal(t, 0, *e.Response.Status)
}

func TestNoTextBreaksHAR(t *testing.T) {
	for _, evil := range append(attacks(), `"}]}`, "\x00\xff", "HTTP/1.1 200 OK\r\n\r\n") {
		list := *archiveOf(t, attacked(evil)).Log.Entries
		require.Len(t, list, 2)
		assert.Contains(t, list[0].Comment, "got "+formats.Escape(evil))
	}
}
