package reports

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/report"
)

func TestTargetsDifferInVerdictsFirstThenInAnswersOfAnotherStatus(t *testing.T) {
	of := func(generation int, verdicts ...report.Verdict) *report.Report {
		r := &report.Report{Header: report.Header{Generation: generation}}
		levels := []report.Level{report.Should, report.Must, report.Must, report.Must}
		for i, v := range verdicts {
			r.Results = append(r.Results, report.Result{Requirement: string(rune('a' + i)), Level: levels[i], Verdict: v})
		}
		return r
	}
	at := func(class string, draw string) Request { return Request{Case: class + "/" + draw} }
	d := Targets(of(0, report.Fail, report.Inconclusive, report.Pass, report.Pass), of(2, report.Pass, report.Pass, report.Fail, report.Pass),
		map[Request]string{at("x", "0"): "200 OK", at("x", "1"): "200 OK", at("y", "0"): "200 OK", at("y", "1"): "200 OK", at("z", "0"): "400 a", at("v", "0"): "400 a", at("w", "0"): "1"},
		map[Request]string{at("x", "0"): "204", at("x", "1"): "204", at("y", "0"): "400 a", at("y", "1"): "200 OK", at("z", "0"): "no answer", at("v", "0"): "400 a"})
	assert.Equal(t, []string{"dataset generation 0, then 2"}, d.Differ)
	assert.True(t, d.Gates)
	var ids []string
	for _, c := range d.Verdicts {
		ids = append(ids, c.Requirement)
	}
	assert.Equal(t, []string{"c", "a", "b"}, ids)
	assert.Equal(t, []report.AnswersDiffer{
		{Class: "y", Case: "y/0", A: "200 OK", B: "400 a", Requests: 1, Status: true},
		{Class: "z", Case: "z/0", A: "400 a", B: "no answer", Requests: 1, Status: true},
		{Class: "x", Case: "x/0", A: "200 OK", B: "204", Requests: 2},
	}, d.Answers)

	d = Targets(of(0, report.Fail), of(0, report.Pass), nil, nil)
	assert.False(t, d.Gates, "a SHOULD only warns")
	assert.Empty(t, Targets(of(0, report.Pass), of(0, report.Pass), nil, nil).Verdicts)
}
