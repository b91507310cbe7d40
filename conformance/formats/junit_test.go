package formats_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func junit(t *testing.T, r *report.Report, o formats.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.JUnit(&b, r, o))
	return b.Bytes()
}

// suite is what a CI reads of the output.
type suite struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
	Cases    []struct {
		Class   string    `xml:"classname,attr"`
		Name    string    `xml:"name,attr"`
		Failure *struct{} `xml:"failure"`
		Error   *struct{} `xml:"error"`
		Skipped *struct{} `xml:"skipped"`
		Out     *string   `xml:"system-out"`
	} `xml:"testsuite>testcase"`
}

func read(t *testing.T, data []byte) suite {
	t.Helper()
	var s suite
	require.NoError(t, xml.Unmarshal(data, &s))
	return s
}

func TestJUnitIsAsRecorded(t *testing.T) {
	golden(t, "one_fault.xml", junit(t, oneFault(), formats.Options{}))
	golden(t, "known.xml", junit(t, expected(), formats.Options{}))
	golden(t, "out_of_date.xml", junit(t, outOfDate(), formats.Options{}))
	golden(t, "unreachable.xml", junit(t, unreachable(), formats.Options{}))
	golden(t, "hostile.xml", junit(t, hostile(), formats.Options{}))
}

func TestJUnitGivesEachVerdictItsElement(t *testing.T) {
	r := oneFault()
	r.Results = append(r.Results,
		report.Result{Requirement: "unsure", Level: report.Must, Verdict: report.Inconclusive},
		report.Result{Requirement: "ours", Level: report.Must, Verdict: report.Error, Reason: "a bug"},
		report.Result{Requirement: "seen", Level: report.Open, Verdict: report.Pass})
	s := read(t, junit(t, r, formats.Options{}))
	got := map[string]string{}
	for _, c := range s.Cases {
		for kind, is := range map[string]bool{"failure": c.Failure != nil, "error": c.Error != nil,
			"skipped": c.Skipped != nil, "out": c.Out != nil} {
			if is {
				got[c.Class+" "+c.Name] += kind
			}
		}
	}
	assert.Equal(t, map[string]string{
		"MUST thing-size-type": "failure", "MUST parallel": "skipped", "SHOULD scheme-any-case": "out",
		"MUST unsure": "error", "MUST ours": "error", "OPEN seen": "skipped",
		"OPEN duplicate-size": "skipped", "OPEN empty-label": "skipped",
	}, got)
	assert.Equal(t, []int{9, 1, 2, 4}, []int{s.Tests, s.Failures, s.Errors, s.Skipped})

	gate := read(t, junit(t, r, formats.Options{FailOn: report.Should}))
	assert.Equal(t, 2, gate.Failures)
}

func TestJUnitOfARunThatEndedEarlyIsNeverGreen(t *testing.T) {
	r := conformant()
	r.Summary.Verdict, r.Summary.Reasons = report.Incomplete, []string{"interrupted"}
	assert.Equal(t, 1, read(t, junit(t, r, formats.Options{})).Errors)
	for _, r := range []*report.Report{noCase(), new(report.Report)} {
		assert.Equal(t, 1, read(t, junit(t, r, formats.Options{})).Errors)
	}
}

func TestJUnitIsValidXMLWhateverTheTargetSent(t *testing.T) {
	d := xml.NewDecoder(bytes.NewReader(junit(t, hostile(), formats.Options{})))
	for {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
}
