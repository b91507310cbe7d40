package openapi

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

func TestAServerMayRefuseTextsThatAreNotOfTheKindThatTheirNameTells(t *testing.T) {
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
		`{"days":["2031-12-24"]}`:            MustAccept,
		`{"days":["2031-13-24"]}`:            MayRefuse,
		`{"opens":"10:00","closes":"10:30"}`: MustAccept,
		`{"opens":"10:00","closes":"09:30"}`: MayRefuse,
		`{"state":"open","name":"g4hs8kd2"}`: MustAccept,
	} {
		assert.Equal(t, want, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
	assert.Nil(t, op.Body.Shape.Schema.Property("orderId").Schema.Code, "it names something that exists")
}

// A request gets texts of the kind that a sentence tells of, and no verdict rests on it.
func TestAKindThatOnlyASentenceTellsOfIsDrawnAndExcusesNothing(t *testing.T) {
	c, err := Load("t", []byte(shop))
	require.NoError(t, err)
	op := c.Find("post-shops")
	zone := op.Body.Shape.Schema.Property("zone").Schema.AnyOf[0]
	assert.Nil(t, zone.Code)
	assert.Equal(t, "time zone name (IANA)", zone.Drawn().String())
	for _, body := range []string{`{"zone":"Asia/Tokyo"}`, `{"zone":"nowhere"}`} {
		assert.Equal(t, MustAccept, op.Body.Shape.Read([]byte(body)).Kind, body)
	}
	assert.Equal(t, MustAccept, op.Params.Read([]byte(`{"query":{"lang":"xx-nothing"}}`)).Kind)
	guessed := map[string]bool{}
	for _, zone := range []string{"Asia/Tokyo", "nowhere"} {
		list, _ := c.Choices(op, op.Body.Shape.Read([]byte(`{"zone":"`+zone+`"}`)), nil)
		guessed[zone] = list[0].Guessed
	}
	assert.Equal(t, map[string]bool{"Asia/Tokyo": true, "nowhere": false}, guessed, "that a guess is taken says nothing of other texts")
}
