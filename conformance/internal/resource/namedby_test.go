package resource_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

const referring = `{openapi: 3.1.0, info: {title: t, version: "1"},
  components: {schemas: {Order: {type: object, required: [customer_id], properties: {customer_id: {type: string}, note: {type: string}}}}}, paths: {
  /customers: {post: {operationId: add, responses: {"201": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}}},
  "/customers/{customerId}": {parameters: [{name: customerId, in: path, required: true, schema: {type: string}}], get: {operationId: read, responses: {"200": {description: d}}}},
  "/customers/{customerId}/visits": {parameters: [{name: customerId, in: path, required: true, schema: {type: string}}],
    post: {operationId: visit, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}, responses: {"201": {description: d}}}},
  /orders: {post: {operationId: order, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}, responses: {"201": {description: d}}}},
  /notes: {post: {operationId: note, requestBody: {content: {application/json: {schema: {type: object, properties: {customer: {type: string}, note: {type: string}}}}}}, responses: {"201": {description: d}}}}}}`

func TestAPostElsewhereNamesAThingByTheNameOfAMember(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(referring))
	require.NoError(t, err)
	resource.Analyse(c)
	customers := resource.All(c.Operations)[0]
	if place := customers.NamedBy(c.Find("order")); assert.NotNil(t, place) {
		assert.Equal(t, "/customer_id", place.Path)
	}
	for op, why := range map[string]string{"visit": "its path names the customer", "note": "it has no key", "add": "it makes one", "read": "it has no body"} {
		assert.Nil(t, customers.NamedBy(c.Find(op)), why)
	}
}
