package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/contract"
)

func TestAValueOfAnotherKindThanItsPlaceHoldsIsToldAndNeverPassedOver(t *testing.T) {
	load := func(operation, rest string) error {
		_, err := contract.Load("doc.yaml", []byte(fmt.Sprintf(`openapi: 3.1.0
info: {title: t, version: '1'}
%s
paths:
  /a:
    post: {%s}
`, rest, operation)))
		return err
	}
	const fine = "responses: {'200': {description: ok}}"
	for rest, want := range map[string]string{
		"security: {key: []}":                           "/security: an object, but OpenAPI has an array",
		"security: [key]":                               "/security/0: a string, but OpenAPI has an object",
		"security: [null]":                              "/security/0: a null, but OpenAPI has an object",
		"security: [{key: true}]":                       "/security/0/key: a boolean, but OpenAPI has an array",
		"components: []":                                "/components: an array, but OpenAPI has an object",
		"components: {securitySchemes: [x]}":            "/components/securitySchemes: an array, but OpenAPI has an object",
		"components: {securitySchemes: {k: {type: 5}}}": "/components/securitySchemes/k/type: a number, but OpenAPI has a string",
	} {
		assert.ErrorContains(t, load(fine, rest), want, rest)
	}
	for operation, want := range map[string]string{
		fine + ", parameters: {name: q}":                                                       "/paths/~1a/post/parameters: an object, but OpenAPI has an array",
		fine + ", parameters: [{name: q, in: query, required: 'true'}]":                        "/paths/~1a/post/parameters/0/required: a string, but OpenAPI has a boolean",
		fine + ", requestBody: {required: yes, content: {}}":                                   "/paths/~1a/post/requestBody/required: a string, but OpenAPI has a boolean",
		fine + ", requestBody: {content: [application/json]}":                                  "/paths/~1a/post/requestBody/content: an array, but OpenAPI has an object",
		fine + ", security: key":                                                               "/paths/~1a/post/security: a string, but OpenAPI has an array",
		"responses: [ok]":                                                                      "/paths/~1a/post/responses: an array, but OpenAPI has an object",
		"responses: {'200': ok}":                                                               "/paths/~1a/post/responses/200: a string, but OpenAPI has an object",
		"responses: {'200': {description: ok, headers: {X-A: {required: 1}}}}":                 "/paths/~1a/post/responses/200/headers/X-A/required: a number, but OpenAPI has a boolean",
		"responses: {'200': {description: ok, content: {application/json: [{type: object}]}}}": "/paths/~1a/post/responses/200/content/application~1json: an array, but OpenAPI has an object",
	} {
		err := load(operation, "")
		if assert.ErrorContains(t, err, want, operation) {
			assert.True(t, strings.HasPrefix(err.Error(), "doc.yaml:6:"), err)
		}
	}
	assert.NoError(t, load(fine+", parameters: null", "components: null\nsecurity: null\nservers:\nx-a: [5]"))
	assert.NoError(t, load("x-note: 5, responses: {'200': {description: ok}, x-b: 5}", "components: {x-c: 5, schemas: null}"))
}

func TestADocumentThatCannotBeTestedSaysWhyInAFewWords(t *testing.T) {
	_, err := contract.Load("doc.yaml", []byte("swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths: {}\n"))
	assert.EqualError(t, err, "doc.yaml:1:10: a document of Swagger 2.0: this suite reads OpenAPI 3.0.x and 3.1.x, convert it first")
	text := "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n"
	for i := range 1000 {
		text += fmt.Sprintf("  /p%d/{id}: {get: {responses: {'200': {description: ok}}}}\n", i)
	}
	_, err = contract.Load("doc.yaml", []byte(text))
	assert.ErrorContains(t, err, "GET /p4/{id}: path parameters are not supported yet; and 995 more")
	assert.Less(t, len(err.Error()), 500)
}
