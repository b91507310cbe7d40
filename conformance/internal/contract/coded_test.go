package contract

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shop is a document whose names, examples and descriptions tell what texts are.
const shop = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/shops: {post: {
  parameters: [{name: lang, in: query, description: A BCP 47 tag., schema: {type: string}}],
  requestBody: {content: {application/json: {schema: {type: object, properties: {
    currency: {$ref: "#/components/schemas/Letters"}, initials: {$ref: "#/components/schemas/Letters"},
    opens: {type: string, example: "09:00"}, closes: {type: string, example: "18:00"},
    zone: {anyOf: [{type: string}, {type: "null"}], description: "IANA time zone, such as Europe/Berlin"},
    days: {type: array, items: {type: string, pattern: '^\d{4}-\d{2}-\d{2}$'}},
    orderId: {type: string, example: 09:00}, name: {type: string}, state: {type: string, enum: [open], description: "One of a, b."}}}}}},
  responses: {"201": {description: d}}}}},
  components: {schemas: {Letters: {type: string, pattern: "^[A-Z]{3}$"}}}}`

func TestAServerMayRefuseTextsThatAreNotOfTheKindThatTheDocumentTells(t *testing.T) {
	c, err := Load("t", []byte(shop))
	require.NoError(t, err)
	op := c.Find("post-shops")
	for body, want := range map[string]Kind{
		`{"currency":"EUR"}`:                 MustAccept,
		`{"currency":"QXZ"}`:                 MayRefuse,
		`{"currency":"eur"}`:                 Invalid,
		`{"initials":"QXZ"}`:                 MustAccept,
		`{"opens":"10:00"}`:                  MustAccept,
		`{"opens":"25:00"}`:                  MayRefuse,
		`{"opens":"g4hs8kd2"}`:               MayRefuse,
		`{"zone":"Asia/Tokyo"}`:              MustAccept,
		`{"zone":"nowhere"}`:                 MayRefuse,
		`{"days":["2031-12-24"]}`:            MustAccept,
		`{"days":["2031-13-24"]}`:            MayRefuse,
		`{"opens":"10:00","closes":"10:30"}`: MustAccept,
		`{"opens":"10:00","closes":"09:30"}`: MayRefuse,
		`{"state":"open","name":"g4hs8kd2"}`: MustAccept,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
	assert.Equal(t, MustAccept, op.Params.Read([]byte(`{"query":{"lang":"en"}}`)).Kind)
	assert.Equal(t, MayRefuse, op.Params.Read([]byte(`{"query":{"lang":"xx-nothing"}}`)).Kind)
	assert.Nil(t, op.Body.Shape.Schema.Property("orderId").Schema.Code, "it names something that exists")
}
