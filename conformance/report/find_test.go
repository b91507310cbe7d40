package report_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

func TestFailureIsFoundByItsNumber(t *testing.T) {
	r := &report.Report{Results: []report.Result{
		{Failures: []report.Failure{{N: 2, Case: "b"}, {N: 3, Case: "c"}}},
		{Failures: []report.Failure{{N: 1, Case: "a"}}},
	}}
	for n, want := range []string{"", "a", "b", "c", ""} {
		f, found := r.Failure(n)
		assert.Equal(t, want, f.Case)
		assert.Equal(t, want != "", found)
	}
}
