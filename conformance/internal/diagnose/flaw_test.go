package diagnose_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

func TestTheCategoryIsThatOfWhatWasExpectedUnlessTheTargetCrashed(t *testing.T) {
	rules := map[string]*requirement.Rule{}
	for _, r := range checks.Rules() {
		rules[r.Name] = &r
	}
	for _, row := range []struct {
		rule   string
		level  report.Level
		status int // 0 for a connection that is dropped
		want   report.Category
	}{
		{"answered", report.Must, 500, report.Crash},
		{"accepted", report.Must, 502, report.Crash},
		{"refuses-schema", report.Must, 0, report.Crash},
		{"stored-patched", report.Should, 500, report.Crash},
		{"answer-schema", report.Must, 500, report.Answer}, // of an answer that the document describes
		{"framing", report.Must, 0, report.Answer},
		{"refuses-credential", report.Must, 200, report.Security},
		{"write-only", report.Should, 200, report.Security},
		{"stored-patched", report.Should, 200, report.Loss},
		{"accepted", report.Must, 400, report.Refusal},
		{"refuses-schema", report.Must, 200, report.Leniency},
		{"challenge", report.Should, 401, report.Protocol},
		{"newest-first", report.Suspected, 200, report.Guessed},
		{"newest-first", report.Must, 200, report.Answer},
	} {
		b := &judge.Bound{Requirement: &requirement.Requirement{Level: row.level}, Rule: rules[row.rule]}
		p := judge.Played{Exchange: &exchange.Exchange{}}
		if row.status > 0 {
			p.Answer = &requirement.Answer{Status: row.status}
		}
		assert.Equal(t, row.want, diagnose.Category(b, &judge.Failure{Steps: []judge.Played{p}}), "%s %s %d", row.rule, row.level, row.status)
	}
}
