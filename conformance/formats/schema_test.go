package formats_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

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
