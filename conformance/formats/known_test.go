package formats_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func TestAKnownFailureIsNoPassInAnyFormat(t *testing.T) {
	for _, f := range formats.List() {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, expected(), formats.Options{}))
		assert.Contains(t, b.String(), "The gateway turns texts", f.Name)
		assert.NotContains(t, b.String(), "\x1b", f.Name)
		for _, red := range []string{"::error", "<failure", `"severity": "critical"`, "KNOWN FAILURES OUT OF DATE"} {
			assert.NotContains(t, b.String(), red, f.Name)
		}
	}
	assert.Contains(t, text(t, expected(), formats.Options{}), "\nonly known failures: 1 MUST requirement fails as expected\n")
	var tap bytes.Buffer
	require.NoError(t, formats.TAP(&tap, expected(), formats.Options{}))
	assert.Regexp(t, `(?m)^not ok \d+ - thing-size-type # TODO known failure: The gateway`, tap.String())
	assert.Contains(t, string(junit(t, expected(), formats.Options{})), `<skipped message="known failure: The gateway`)
}

func TestAFileThatIsOutOfDateFailsTheRunInEveryFormat(t *testing.T) {
	r := conformant()
	r.KnownFailures = outOfDate().KnownFailures
	r.Summary.Verdict = report.OutOfDate
	for _, f := range formats.List() {
		var b bytes.Buffer
		require.NoError(t, f.Write(&b, r, formats.Options{}))
		assert.Contains(t, b.String(), "thing-valid-accepted passes now", f.Name)
		assert.NotContains(t, b.String(), "\nconformant", f.Name)
	}
	assert.Contains(t, text(t, r, formats.Options{}), "\nKNOWN FAILURES OUT OF DATE: known.yaml:1: thing-valid-accepted passes now: delete this entry (and 1 line more); no requirement fails\n")
	assert.Contains(t, string(junit(t, r, formats.Options{})), `failures="1"`)

	r = oneFault()
	r.KnownFailures = outOfDate().KnownFailures
	assert.Contains(t, text(t, r, formats.Options{}), "\nNOT CONFORMANT: 1 of 2 MUST requirements failed; known failures out of date: known.yaml:1: ")
}

func TestAFileOfKnownFailuresHasWhatFailsTheRun(t *testing.T) {
	file := func(r *report.Report) string {
		var b bytes.Buffer
		require.NoError(t, formats.KnownFailuresYAML(&b, r))
		return b.String()
	}
	golden(t, "known_new.yaml", []byte(file(oneFault())))
	golden(t, "known_kept.yaml", []byte(file(expected())))
	golden(t, "known_none.yaml", []byte(file(conformant())))
	r := hostile()
	r.Results[1].Requirement = "null"
	golden(t, "known_hostile.yaml", []byte(file(r)))
	r = oneFault()
	r.Header.FailOn = "should"
	assert.Contains(t, file(r), "\n- requirement: scheme-any-case\n")
}
