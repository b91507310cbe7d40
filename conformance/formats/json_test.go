package formats_test

import (
	"bytes"
	"strings"
	"testing"

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
