package rule_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

func TestThePartsOfAStreamAreReadByTheSchemaOfItsItems(t *testing.T) {
	doc := fake.Of(t, `openapi: 3.2.0
info: {title: t, version: "1"}
paths:
  /events: {get: {responses: {"200": {description: ok, content: {
    text/event-stream: {itemSchema: {type: object, required: [data], properties: {event: {enum: [add]}, data: {type: string, contentMediaType: application/json, contentSchema: {type: object, required: [n], properties: {n: {type: integer}}}}}}},
    application/jsonl: {itemSchema: {type: object, required: [n], properties: {n: {type: integer}}}}}}}}}
`)
	for _, row := range []struct {
		media, body string
		open        bool
		want        openapi.Kind
	}{
		{"application/jsonl", "{\"n\":1}\n\n{\"n\":2}\r\n", false, openapi.MustAccept},
		{"application/jsonl", "{\"n\":1}\n{\"n\":\"x\"}", false, openapi.Invalid},
		{"application/jsonl", "{\"n\":1}\n{\"n\":\"x\"", true, openapi.MustAccept},
		{"application/jsonl", "{\"n\":1}\n{\"n\":", false, openapi.NotJSON},
		{"application/jsonl", "", true, openapi.MustAccept},
		{"text/event-stream", ": tick\n\nevent: add\ndata: {\ndata: \"n\": 1}\n\n", true, openapi.MustAccept},
		{"text/event-stream", "data:{\"n\":1}\r\n\r\nevent: gone\r\ndata: {\"n\":1}\r\n\r\n", false, openapi.Invalid},
		{"text/event-stream", "data: {\"n\":\"x\"}\n\n", true, openapi.Invalid},
		{"text/event-stream", "data: no\n\n", true, openapi.NotJSON},
		{"text/event-stream", "data: {\"n\":1}\n\ndata: {\"n\":", true, openapi.MustAccept},
		{"text/event-stream", "event: gone\n\n", false, openapi.MustAccept},
	} {
		e := &exchange.Exchange{Response: &exchange.Response{Status: 200, Content: []byte(row.body), Open: row.open, Fields: []exchange.Field{{Name: "Content-Type", Value: row.media}}}}
		assert.Equal(t, row.want, rule.Read(doc.Op(), e).Reading.Kind, "%s %q", row.media, row.body)
	}
}
