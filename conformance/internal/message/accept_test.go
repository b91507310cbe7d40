package message

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

func answering(responses ...*openapi.Response) *openapi.Operation {
	return &openapi.Operation{Responses: responses}
}

func response(status string, media ...string) *openapi.Response {
	r := &openapi.Response{Status: status}
	for _, m := range media {
		one := openapi.Media{Type: m}
		if m == "application/json" {
			one.Shape = &openapi.Shape{}
		}
		r.Media = append(r.Media, one)
	}
	return r
}

func TestABaselineRequestAcceptsTheDocumentedSuccesses(t *testing.T) {
	for want, op := range map[string]*openapi.Operation{
		"application/json":                    answering(),
		"text/csv":                            answering(response("200", "text/csv"), response("400", "application/json")),
		"application/json, application/xml":   answering(response("200", "application/xml", "application/json")),
		"application/json, text/csv, image/*": answering(response("200", "text/csv"), response("201", "application/json", "text/csv"), response("2XX", "image/*")),
		"text/plain":                          answering(response("200", "text/plain; charset=utf-8")),
		"application/vnd.x+json; version=2":   answering(response("200", "application/vnd.x+json; version=2")),
		"application/problem+json":            answering(response("default", "application/problem+json"), response("404", "text/html")),
	} {
		assert.Equal(t, want, (&Message{Op: op}).accept(t))
	}
	assert.Equal(t, "application/json", answering(response("200", "json", "", "a b/c")).Wanted().Field, "a media type that is none is not sent")
	assert.Equal(t, "application/json", answering(response("204"), response("404", "text/plain")).Wanted().Field)
}

// accept is the Accept field that a message has on the wire.
func (m *Message) accept(t *testing.T) string {
	t.Helper()
	e := &Endpoint{Auth: func(*openapi.Operation) *Auth { return nil }}
	for _, f := range e.fields(m, serialize.Encoded{}, nil, 0, "", "", 0, false) {
		if f.Name == "Accept" {
			return f.Value
		}
	}
	return ""
}

func TestAnAcceptFieldThatTakesDocumentedSuccessesAloneIsBaseline(t *testing.T) {
	for value, want := range map[string]bool{
		"application/json": true, "*/*": true, "application/json, */*": true, "*/*;q=0.1": true, "application/json ; q=1.0": true,
		"": false, "text/html": false, "application/json, text/html": false, "application/*": false, "*": false,
		"application/json;q=0": false, "application/json;q=0.0": false, "application/json;q=x": false, "application/json;version=2": false,
	} {
		assert.Equal(t, want, TakesUsual(answering(response("200", "application/json")), value), value)
		assert.Equal(t, want, TakesUsual(answering(), value), "none documented: %s", value)
	}
	both := answering(response("200", "text/csv", "application/json"))
	for value, want := range map[string]bool{
		"application/json, text/csv": true, "text/csv": true, "text/csv;q=0.5, */*": true, "text/html": false, "application/json, text/html": false,
	} {
		assert.Equal(t, want, TakesUsual(both, value), value)
	}
}

func TestAnAcceptFieldWithoutADocumentedSuccessAsksForAnotherAnswer(t *testing.T) {
	both := answering(response("200", "text/csv", "application/json"))
	for value, want := range map[string]bool{
		"application/json, text/csv": false, "text/csv": false, "text/*": false, "*/*": false, "application/*": false,
		"text/html": true, "application/json, text/html": true, "image/png": true, "text/csv;q=0": true,
	} {
		assert.Equal(t, want, negotiates(both, exchange.Field{Name: "Accept", Value: value}), value)
	}
}

func TestAFieldThatNamesCodingsOrLanguagesGivesAnErrorNoOtherForm(t *testing.T) {
	for value, want := range map[string]bool{"gzip": true, "gzip, deflate, br": true, "*": true, "de-DE,en": true, "": false, "gzip;q=0": false, "identity;q=0, *;q=0": false, "en_US": false} {
		assert.Equal(t, want, understood([]string{"field accept-encoding"}, []exchange.Field{{Name: "Accept-Encoding", Value: value}}), value)
		assert.Equal(t, want, understood([]string{"field accept-language"}, []exchange.Field{{Name: "Accept-Language", Value: value}}), value)
	}
	assert.False(t, understood(nil, nil), "a baseline head")
	assert.False(t, understood([]string{"field accept-encoding", "field expect"}, []exchange.Field{{Name: "Accept-Encoding", Value: "gzip"}}), "another field")
	assert.False(t, understood([]string{"field accept-encoding twice"}, []exchange.Field{{Name: "Accept-Encoding", Value: "gzip"}}))
}
