package conformance_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
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
