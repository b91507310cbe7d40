package openapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

const bills = `openapi: 3.1.0
info: {title: Bills, version: "1", description: All bills.}
paths:
  /bills:
    post:
      summary: Make a bill
      requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}, kind: {enum: [paid, open]}}}}}}
      responses: {"201": {description: made}}
`

// Values are drawn from this digest: the same ones whatever a document says in words.
func TestWhatADocumentStatesIsTheSameInAnyWordsAndLayout(t *testing.T) {
	of := func(document string) *openapi.Contract {
		c, err := openapi.Load("bills.yaml", []byte(document))
		require.NoError(t, err)
		return c
	}
	is := of(bills)
	for _, same := range []string{"# a comment\n" + bills, strings.Replace(bills, "All bills.", "Alle Rechnungen.", 1), strings.Replace(bills, "      summary: Make a bill\n", "", 1), strings.Replace(bills, "made", "refused with 409", 1)} {
		other := of(same)
		assert.Equal(t, is.Stated, other.Stated, same)
		assert.NotEqual(t, is.Digest, other.Digest)
	}
	for from, to := range map[string]string{"title: {type: string}": "title: {type: number}", "title: {": "name: {", "[paid, open]": "[paid, late]", "post:": "put:"} {
		assert.NotEqual(t, is.Stated, of(strings.Replace(bills, from, to, 1)).Stated, to)
	}
}
