package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

func after(value string) exchange.Field { return exchange.Field{Name: "retry-after", Value: value} }

func TestRetryAfterIsASecondCountOrADateInEveryFormOfHTTP(t *testing.T) {
	for value, want := range map[string]report.Verdict{
		"0": report.Pass, "120": report.Pass, "99999999999999999999": report.Pass, "Fri, 31 Dec 1999 23:59:59 GMT": report.Pass,
		"Friday, 31-Dec-99 23:59:59 GMT": report.Pass, "Fri Dec 31 23:59:59 1999": report.Pass,
		"-1": report.Fail, "+1": report.Fail, "1.5": report.Fail, "60s": report.Fail, "soon": report.Fail, "1999-12-31T23:59:59Z": report.Fail, "60, 120": report.Fail,
	} {
		p := tried{body: baseline, status: 503, header: after(value)}.pass(t, requirement.Args{})
		assert.Equal(t, want, retryAfter.Check(p).Verdict, value)
	}
}

func TestTheSchemaOfTheDocumentJudgesRetryAfterAlone(t *testing.T) {
	p := tried{body: baseline, status: 429, header: after("soon")}.pass(t, requirement.Args{})
	h := *rest(t)[0]
	h.Name = "retry-after"
	p.Got.Documented = &openapi.Response{Status: "429", Headers: []*openapi.Header{&h}}
	assert.Equal(t, requirement.None, retryAfter.Check(p))
	h.Shape = nil
	assert.Equal(t, report.Fail, retryAfter.Check(p).Verdict)
}
