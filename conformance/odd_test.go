package conformance_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// A plan that turns in circles, or breaks, is a fault of ours, whatever the
// schema.
func TestThePlanOfAnOddSchemaComesToAnEnd(t *testing.T) {
	for _, schema := range []string{
		"{minProperties: 5}", "{maxProperties: 0}", "{maxItems: 0}", "{minItems: 2}", "{uniqueItems: true}", "{required: [a]}",
		"{type: [string, object], minProperties: 2, maxLength: 3}", "{type: object, minProperties: 3, maxProperties: 1}",
		"{type: object, propertyNames: {maxLength: 1}, minProperties: 100}", "{patternProperties: {'^.$': {}}, minProperties: 90}",
		"{type: object, required: [a], properties: {a: false}}", "{enum: []}", "{not: {}}", "{type: string, minLength: 4, maxLength: 2}",
		"{type: array, uniqueItems: true, minItems: 5, items: {enum: [1, 2]}}", "{type: integer, multipleOf: 0.5}",
		"{type: object, additionalProperties: false, minProperties: 2, properties: {a: {}}}", "{type: integer, minimum: 5, maximum: 1}",
	} {
		if !sample.Has(schema, 5) {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := conformance.List(ctx, conformance.Config{SpecName: "odd.yaml", Spec: []byte(fmt.Sprintf(`openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    post:
      requestBody: {required: true, content: {application/json: {schema: %s}}}
      responses: {'200': {description: ok}}
`, schema))})
		cancel()
		if err != nil {
			assert.ErrorContains(t, err, "no valid request can be made", schema)
		}
	}
}

// A server may answer 413 and never does. That is no gap, whatever else it breaks.
func TestAnAnswerThatTheServerMayChooseAndNeverGivesIsNoGapBesideAFailure(t *testing.T) {
	const no = `{"description": "no", "content": {"application/json": {"schema": {"type": "object", "required": ["error"]}}}}`
	const doc = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/lamps": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["watt"], "properties": {"watt": {"type": "integer", "minimum": 1, "maximum": 60}}}}}},
		"responses": {"204": {"description": "ok"}, "400": ` + no + `, "413": ` + no + `}}}}}`
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body, err := jsontree.Parse(b)
		var watt *jsontree.Value
		if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") && err == nil && len(body.Issues) == 0 && body.Root.Kind == jsontree.Object {
			watt = body.Root.Get("watt")
		}
		if watt != nil && watt.Kind == jsontree.Number && jsontree.Compare(watt.Text, "1") >= 0 && !strings.ContainsAny(watt.Text, ".eE") {
			w.WriteHeader(http.StatusNoContent) // the maximum is not checked
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error": "no"}`))
	})
	got := judgeServer(t, server, conformance.Config{Spec: []byte(doc), Draws: -1})
	assert.Equal(t, []string{"post-lamps-body-watt-maximum"}, failedMusts(got))
	for _, x := range got.Results {
		if strings.HasPrefix(x.Requirement, "post-lamps-413") {
			assert.Equal(t, report.Inapplicable, x.Verdict, "%s: %s", x.Requirement, x.Reason)
		}
	}
	assert.Empty(t, got.Summary.Reasons)
}
