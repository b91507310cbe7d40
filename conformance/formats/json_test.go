package formats_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func written(t *testing.T, r *report.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.JSON(&b, r, formats.Options{}))
	return b.Bytes()
}

func TestJSONIsAsRecorded(t *testing.T) {
	golden(t, "one_fault.json", written(t, oneFault()))
}

func TestJSONReadBackIsTheSameReport(t *testing.T) {
	for name, r := range map[string]*report.Report{"one fault": oneFault(), "conformant": conformant(), "unreachable": unreachable()} {
		first := written(t, r)
		back, err := formats.ReadJSON(first)
		require.NoError(t, err, name)
		assert.Equal(t, string(first), string(written(t, back)), name)
		assert.Equal(t, r.Header, back.Header, name)
		assert.Equal(t, r.Times, back.Times, name)
		assert.Equal(t, r.Results, back.Results, name)
	}
}

func TestJSONKeepsEveryByteOfTheWire(t *testing.T) {
	r := hostile()
	back, err := formats.ReadJSON(written(t, r))
	require.NoError(t, err)
	assert.Equal(t, r.Results[1].Failures[0].Steps, back.Results[1].Failures[0].Steps)
}

func TestJSONHoldsNoCharacterThatSteersATerminal(t *testing.T) {
	r := hostile()
	r.Results[1].Failures[0].Steps[0].Response.Data = []byte("\u009b\u2028\u202e\U000e0001é\x7f\U0001f331")
	out := string(written(t, r))
	assert.NotContains(t, out, "\u009b")
	assert.NotContains(t, out, "\x7f")
	assert.Contains(t, out, `\u009b\u2028\u202e\udb40\udc01é\u007f`+"\U0001f331")
	back, err := formats.ReadJSON([]byte(out))
	require.NoError(t, err)
	assert.Equal(t, r.Results[1].Failures[0].Steps, back.Results[1].Failures[0].Steps)
}

func TestReadJSONPassesOverMembersItDoesNotKnow(t *testing.T) {
	_, err := formats.ReadJSON([]byte(`{"version":1,"tomorrow":{"a":1},"results":[{"requirement":"x","later":1}],"summary":{"verdict":"conformant"}}`))
	assert.NoError(t, err)
}

func TestReadJSONRefusesInOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "the file is empty",
		" \n":                                "the file is empty",
		"<xml/>":                             "not JSON at byte 0",
		`{"version":1`:                       "not JSON at byte 12",
		`{"version":1} x`:                    "not JSON at byte 14",
		`{"version":1,"version":1}`:          "not JSON at byte",
		`{"version":1,"requirements":[]}`:    "no report of a run",
		"[]":                                 "no report of this suite",
		"{}":                                 "no report of this suite",
		`{"version":2}`:                      "report version 2: this suite reads version 1",
		`{"version":1,"results":7}`:          "a member is of the wrong type at /results",
		`{"version":1,"header":{"seed":-1}}`: "a member is of the wrong type at /header/seed",
		`{"version":1,"results":[{"failures":[{"steps":[{"request":{"text":"a","base64":"YQ=="}}]}]}]}`: "wrong type at /results/0/failures/0/steps/0/request",
	} {
		_, err := formats.ReadJSON([]byte(in))
		require.ErrorContains(t, err, want, "%q", in)
		assert.NotContains(t, err.Error(), "\n")
	}
	_, err := formats.ReadJSON([]byte(strings.Repeat("[", 1_000_000)))
	require.Error(t, err)
	assert.Less(t, len(err.Error()), 300)
}

func FuzzReadJSONNeverPanics(f *testing.F) {
	f.Add([]byte(`{"version":1,"results":[{"failures":[{"steps":[{"request":{"base64":"/w=="}}]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := formats.ReadJSON(data)
		if err != nil {
			assert.NotContains(t, err.Error(), "\n")
			return
		}
		for _, x := range formats.List() {
			assert.NoError(t, x.Write(new(bytes.Buffer), r, formats.Options{}))
		}
	})
}

// streamed reads a stream line by line into a report.
func streamed(t *testing.T, r *report.Report) (*report.Report, []string) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.NDJSON(&b, r, formats.Options{}))
	require.True(t, bytes.HasSuffix(b.Bytes(), []byte("\n")))
	out := new(report.Report)
	var kinds []string
	for line := range bytes.Lines(b.Bytes()) {
		var head struct {
			Kind    string `json:"kind"`
			Version int    `json:"version"`
			Tool    string `json:"tool"`
		}
		require.NoError(t, json.Unmarshal(line, &head))
		kinds = append(kinds, head.Kind)
		switch head.Kind {
		case "header":
			out.Version, out.Tool = head.Version, head.Tool
			require.NoError(t, json.Unmarshal(line, &out.Header))
		case "result":
			var x report.Result
			require.NoError(t, json.Unmarshal(line, &x))
			out.Results = append(out.Results, x)
		case "observed":
			var x report.Observe
			require.NoError(t, json.Unmarshal(line, &x))
			out.Observed = append(out.Observed, x)
		case "finding":
			var x report.Finding
			require.NoError(t, json.Unmarshal(line, &x))
			out.Findings = append(out.Findings, x)
		default:
			require.Equal(t, "summary", head.Kind)
			require.NoError(t, json.Unmarshal(line, &out.Summary))
		}
	}
	return out, kinds
}

func TestNDJSONIsAsRecorded(t *testing.T) {
	recorded(t, "ndjson", formats.NDJSON)
}

func TestNDJSONHoldsWhatTheReportHolds(t *testing.T) {
	r := oneFault()
	got, kinds := streamed(t, r)
	assert.Equal(t, []string{"header", "result", "result", "result", "result", "observed", "observed", "finding", "finding", "summary"}, kinds)
	assert.Equal(t, r.Header, got.Header)
	assert.Equal(t, r.Results, got.Results)
	assert.Equal(t, r.Observed, got.Observed)
	assert.Equal(t, report.Findings(r.Results), got.Findings)
	assert.Equal(t, r.Summary, got.Summary)
}

func TestOnlyAConformantRunIsConformantInNDJSON(t *testing.T) {
	for _, r := range []*report.Report{unreachable(), noCase(), new(report.Report)} {
		got, _ := streamed(t, r)
		assert.Equal(t, report.Incomplete, got.Summary.Verdict)
	}
	got, _ := streamed(t, conformant())
	assert.Equal(t, report.Conformant, got.Summary.Verdict)
}

func TestNoTextBreaksALineOfNDJSON(t *testing.T) {
	for _, evil := range append(attacks(), "\n{\"kind\":\"summary\",\"verdict\":\"conformant\"}\n", "\u2028\u2029", `"}`) {
		r := attacked(evil)
		got, kinds := streamed(t, r)
		assert.Equal(t, "summary", kinds[len(kinds)-1])
		assert.Equal(t, r.Results, got.Results)
	}
}

// held holds a JSON report against the published schema.
func held(t *testing.T, text []byte) error {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(report.Schema()))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("mem://report", schema))
	compiled, err := c.Compile("mem://report")
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return compiled.Validate(doc)
}

func TestEveryReportKeepsThePublishedSchema(t *testing.T) {
	full := everything("text")
	for i := range full.Results {
		full.Results[i].Level, full.Results[i].Verdict = report.Must, report.Fail
		for k := range full.Results[i].Failures {
			full.Results[i].Failures[k].Flaw.Category, full.Results[i].Failures[k].Flaw.Tells = report.Answer, report.TellsAnswer
		}
	}
	for i := range full.Findings {
		full.Findings[i].Category, full.Findings[i].Level = report.Crash, report.Must
	}
	full.Summary.Verdict = report.NotConformant
	for name, r := range map[string]*report.Report{"one fault": oneFault(), "conformant": conformant(), "unreachable": unreachable(), "hostile": hostile(),
		"no case": noCase(), "known": expected(), "out of date": outOfDate(), "every member set": full} {
		var b bytes.Buffer
		require.NoError(t, formats.JSON(&b, r, formats.Options{}))
		assert.NoError(t, held(t, b.Bytes()), name)
	}
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	n := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		if _, err := formats.ReadJSON(text); err == nil {
			assert.NoError(t, held(t, text), f)
			n++
		}
	}
	assert.NotZero(t, n, "no report among the golden files")
}

func TestTheSchemaRefusesWhatIsNoReport(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, formats.JSON(&b, oneFault(), formats.Options{}))
	require.NoError(t, held(t, b.Bytes()))
	for old, changed := range map[string]string{
		`"version": 1`:          `"version": "1"`,
		`"tool"`:                `"tols"`,
		`"verdict": "fail"`:     `"verdict": "failed"`,
		`"level": "MUST"`:       `"level": "must"`,
		`"results": [`:          `"more": 1, "results": [`,
		`"requirement": "thing`: `"unknown": true, "requirement": "thing`,
		`"request": {`:          `"request": {"base64": "", `,
	} {
		text := strings.Replace(b.String(), old, changed, 1)
		require.NotEqual(t, b.String(), text, old)
		assert.Error(t, held(t, []byte(text)), changed)
	}
	assert.Error(t, held(t, []byte("{}")))
}

// byCall keeps what each call wrote.
type byCall struct {
	calls []string
	full  int // calls that it takes; 0 for all
}

func (b *byCall) Write(p []byte) (int, error) {
	if b.full > 0 && len(b.calls) == b.full {
		return 0, errors.New("no space left on device")
	}
	b.calls = append(b.calls, string(p))
	return len(p), nil
}

func TestAStreamWritesEachLineWhenItIsKnown(t *testing.T) {
	r := oneFault()
	var out byCall
	s := formats.NewStream(&out)
	s.Started(r.Tool, r.Header)
	require.Len(t, out.calls, 1)
	for done := range 25 {
		s.Progress(done+1, 25, 1)
	}
	require.Len(t, out.calls, 11, "one line for each tenth")
	assert.Equal(t, `{"kind":"progress","done":3,"planned":25,"failed":1}`+"\n", out.calls[1])
	assert.Equal(t, `{"kind":"progress","done":25,"planned":25,"failed":1}`+"\n", out.calls[10])
	x := report.Result{Requirement: "thing-size", Level: report.Must, Clause: "#/x"}
	s.Failing(x, "a/b/0")
	assert.Equal(t, `{"kind":"failing","requirement":"thing-size","level":"MUST","case":"a/b/0"}`+"\n", out.calls[11])
	s.Confirmed(x, report.Failure{Case: "a/b/0", Stable: true, Sent: "size = 7", Expected: "400", Got: "200 \n\u2028"})
	assert.Equal(t, `{"kind":"confirmed","requirement":"thing-size","level":"MUST","clause":"#/x","case":"a/b/0","stable":true,"sent":"size = 7","expected":"400","got":"200 \n\u2028"}`+"\n", out.calls[12])
	require.NoError(t, s.End(r))
	for _, line := range out.calls {
		assert.Equal(t, 1, strings.Count(line, "\n"), line)
	}
	var whole bytes.Buffer
	require.NoError(t, formats.NDJSON(&whole, r, formats.Options{}))
	assert.Equal(t, whole.String(), strings.Join(append(out.calls[:1:1], out.calls[13:]...), ""), "without its events, a stream is the report")
}

func TestAStreamThatCannotBeWrittenHasNoGapAndSaysWhy(t *testing.T) {
	out := byCall{full: 1}
	s := formats.NewStream(&out)
	s.Started("suite/1", oneFault().Header)
	s.Progress(1, 1, 0)
	out.full = 0
	assert.EqualError(t, s.End(oneFault()), "no space left on device")
	assert.Len(t, out.calls, 1)
}
