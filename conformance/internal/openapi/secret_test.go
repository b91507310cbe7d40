package openapi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestADocumentMaySayThatSomethingNeverComesBack(t *testing.T) {
	for says, want := range map[string]bool{
		"We sign with it. It is never returned.":     true,
		"Never part of an answer.":                   true,
		"Write-only: not included in responses.":     true,
		"A secret. You will never need to change it": false,
		"Never shown again after the creation.":      false,
		"Not included unless the owner asks for it.": false,
		"Shown to nobody but the owner.":             false,
	} {
		c, err := openapi.Load("d.yaml", fmt.Appendf(nil, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {post: {requestBody: {content: {application/json: {schema: {
			type: object, properties: {inside: {type: object, properties: {secret: {type: string, writeOnly: true, description: %q}}}}}}}}, responses: {"200": {description: d}}}}}}`, says))
		require.NoError(t, err)
		assert.Equal(t, want, c.KeepsSecrets(c.Operations[0]) != nil, says)
	}
}

func TestADocumentMaySayThatATotalCountsAllPages(t *testing.T) {
	for says, want := range map[string]bool{
		"How many match the filters, on all pages together.": true,
		"The number of all items, regardless of pagination.": true,
		"Number of books.":                             false,
		"Matching books on this page.":                 false,
		"Books that match the filters, at most 10000.": false,
	} {
		c, err := openapi.Load("d.yaml", fmt.Appendf(nil, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: %q}}}}}}`, says))
		require.NoError(t, err)
		assert.Equal(t, want, c.CountsAll(c.Operations[0].Responses[0].Pointer) != nil, says)
	}
}
