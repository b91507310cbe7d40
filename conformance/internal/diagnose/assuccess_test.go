package diagnose

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/report"
)

// asSuccess is asStatus with 200.
func asSuccess(doc *fake.Document, body string) fake.Server { return asStatus(doc, 200, body) }

// asStatus answers every refusal of a body with a status and a body.
func asStatus(doc *fake.Document, status int, body string) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		if e := doc.Conforming(r); e.Response.Status != 400 {
			return e
		}
		return fake.Answer(status, "application/json", body)
	}
}

func TestRefusalsWithTheStatusOfASuccessAreReportedOnce(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "missing-members", "wrong-types", "truncated-body")
	for _, status := range []int{200, 202} { // the document has no 202
		d := diagnose(t, doc, asStatus(doc, status, `{"error":400,"message":"no"}`))
		assert.Len(t, d.failed(), 1, status)
		for _, id := range []string{"post-plants-body-json", "newplant-id-required", "newplant-name-string"} {
			if r := d.results[id]; r.Verdict != report.Fail {
				assert.Equal(t, report.Inconclusive, r.Verdict, id)
				assert.Equal(t, "suppressed by "+d.failed()[0], r.Reason, id)
			}
		}
	}
}

func TestInvalidRequestsThatAreAcceptedAreReportedOneByOne(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "missing-members", "wrong-types", "truncated-body")
	for _, body := range []string{`{"name":"fern"}`, `{"id":1}`, `{"error":400}`} {
		d := diagnose(t, doc, asSuccess(doc, body))
		assert.Greater(t, len(d.failed()), 4, body)
	}
}
