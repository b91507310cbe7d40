package formats_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func TestALineSaysWhetherWhatFailedLastTimeFailsAgain(t *testing.T) {
	for want, x := range map[string]report.TriedFirst{
		"tried first: a\\x1b: none of 12 cases fails now":                       {Requirement: "a\x1b", Cases: 12},
		"tried first: a: 3 of 12 cases fail again":                              {Requirement: "a", Cases: 12, Failed: 3},
		"tried first: a: 1 of 1 case fail again":                                {Requirement: "a", Cases: 1, Failed: 1},
		"tried first: a: could not be judged yet":                               {Requirement: "a", Cases: 2, Unanswered: 2},
		"tried first: a: none of 10 cases fails now, 2 could not be judged yet": {Requirement: "a", Cases: 12, Unanswered: 2},
		"tried first: a: 10 of 12 cases fail again, 2 could not be judged yet":  {Requirement: "a", Cases: 12, Failed: 10, Unanswered: 2},
	} {
		assert.Equal(t, want, formats.TriedFirstLine(x))
	}
}
