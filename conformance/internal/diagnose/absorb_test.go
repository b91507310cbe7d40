package diagnose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

func TestACrashForAnyValueOfAMemberExplainsThoseOfFlawsBesideIt(t *testing.T) {
	const shares = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/shares": {"post": {
		"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"user": {"type": "string"}, "group": {"type": "string"}, "scopes": {"type": "array", "items": {"type": "string"}}}}}}},
		"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`
	doc := fake.Of(t, shares, fakerun.Mutators(t, "baseline", "optional-members", "wrong-types", "invalid-in-context", "syntax-errors")...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		d, err := jsontree.Parse(r.Body)
		switch {
		case strings.Contains(string(r.Body), `"scopes":["`): // before anything else is looked at
			return fake.Answer(500, "text/plain", "oops")
		case err != nil:
			return fake.Answer(400, "text/plain", "no JSON")
		case d.Root.Kind == jsontree.Array:
			return fake.Answer(500, "text/plain", "oops")
		}
		return fake.Answer(200, "text/plain", "")
	})
	var told []string
	for _, f := range report.Findings([]report.Result{{Requirement: "post-shares-answered", Operation: "POST /shares", Verdict: report.Fail, Failures: x.failures["post-shares-answered"]}}) {
		told = append(told, f.Sentence)
	}
	assert.ElementsMatch(t, []string{"POST /shares: the answer is 500 to a valid value in the body", "POST /shares: the answer is 500 if an object in the body is of another structure"}, told)
}
