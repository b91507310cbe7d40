package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

func TestABugInTheSuiteHasAnExitCodeOfItsOwn(t *testing.T) {
	bug := []string{report.OwnFault + "the bytes of a/b/c/0 do not match its expected class"}
	for name, one := range map[string]struct {
		summary report.Summary
		code    exitCode
	}{
		"conformant":             {report.Summary{Verdict: report.Conformant}, exitConformant},
		"incomplete":             {report.Summary{Verdict: report.Incomplete, Reasons: []string{"interrupted"}}, exitIncomplete},
		"a bug":                  {report.Summary{Verdict: report.Incomplete, Reasons: bug}, exitBug},
		"a verdict of error":     {report.Summary{Verdict: report.Incomplete, Errors: 1}, exitBug},
		"a bug beside a failure": {report.Summary{Verdict: report.NotConformant, Failed: 1, Reasons: bug}, exitNotConformant},
	} {
		err := outcome(&one.summary)
		assert.Equal(t, one.code, codeOf(err), name)
		assert.Empty(t, complain(err), name)
	}
}
