package message_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// of is a document with one operation whose body is of a media type.
func of(t *testing.T, required, media string) *fake.Document {
	t.Helper()
	return fake.Of(t, `openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /a:
    post:
      requestBody: {required: `+required+`, content: {`+media+`: {schema: {type: object, properties: {n: {type: integer}}}}}}
      responses: {"204": {description: ok}}
`)
}

func TestACommandForAnEmptyBodyHasTheLengthThatWasSent(t *testing.T) {
	may, must := of(t, "false", "application/json"), of(t, "true", "application/json")
	for name, row := range map[string]struct {
		doc  *fake.Document
		raw  []byte
		drop []string
	}{
		"no body": {may, nil, nil}, "no bytes": {may, []byte{}, nil}, "no type": {may, []byte{}, []string{"Content-Type"}},
		"required": {must, []byte{}, nil}, "no length": {must, []byte{}, []string{"Content-Length"}},
	} {
		m := &message.Message{Op: row.doc.Op(), Raw: row.raw, Drop: row.drop}
		sent := strings.Contains(string(row.doc.Endpoint.Wire(m, "").Head), "Content-Length: 0\r\n")
		assert.Equal(t, sent, strings.Contains(row.doc.Endpoint.Curl(m), "--data-binary ''"), name)
	}
}

// Some servers take a length of zero for a body that is no JSON.
func TestFieldsOfABodyThatIsNotThereMayBeRefused(t *testing.T) {
	doc := of(t, "false", "application/json")
	for raw, want := range map[string]message.Expectation{"none": message.Accept, "": message.Anything} {
		m := &message.Message{Op: doc.Op()}
		if raw == "" {
			m.Raw = []byte{}
		}
		assert.Equal(t, want, doc.Endpoint.Classify(m, doc.Endpoint.Wire(m, "")).Expectation(), raw)
	}
}

func TestAFormIsNeverEmptyWhereItMustBeAccepted(t *testing.T) {
	for _, media := range []string{"application/x-www-form-urlencoded", "multipart/form-data"} {
		op := of(t, "true", media).Op()
		m := plan.Probe(op).Baseline()
		assert.Len(t, m.Tree.Members, 1, media)
		assert.Equal(t, schema.MustAccept, m.Reading().Kind, media)
		m.Tree = jsontree.NewObject()
		assert.Equal(t, schema.MayRefuse, m.Reading().Kind, media)
	}
}

func TestAnEmptyBodyIsInvalidOnlyWhereItHasToBeRefusedHoweverItIsRead(t *testing.T) {
	for _, c := range []struct {
		required string
		schema   string
		want     schema.Kind
	}{
		{"true", `{"type": "string", "minLength": 1}`, schema.Invalid},
		{"true", `{"type": "string"}`, schema.MayRefuse},
		{"false", `{"type": "string", "minLength": 1}`, schema.MustAccept},
	} {
		doc := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"put": {
			"requestBody": {"required": %s, "content": {"text/plain": {"schema": %s}}}, "responses": {"204": {"description": "ok"}}}}}}`, c.required, c.schema)
		loaded, err := openapi.Load("a.json", []byte(doc))
		require.NoError(t, err)
		m := &message.Message{Op: loaded.Operations[0], Raw: []byte{}}
		assert.Equal(t, c.want, m.Reading().Kind, "%v", c)
	}
}

func TestWhiteSpaceMayBeTakenForNoBodyWhereNoneIsNeeded(t *testing.T) {
	for required, want := range map[string]schema.Kind{"true": schema.NotJSON, "false": schema.MayRefuse} {
		doc := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"put": {
			"requestBody": {"required": %s, "content": {"application/json": {"schema": {"type": "object"}}}}, "responses": {"204": {"description": "ok"}}}}}}`, required)
		loaded, err := openapi.Load("a.json", []byte(doc))
		require.NoError(t, err)
		assert.Equal(t, want, (&message.Message{Op: loaded.Operations[0], Raw: []byte(" \n")}).Reading().Kind, required)
		assert.Equal(t, schema.NotJSON, (&message.Message{Op: loaded.Operations[0], Raw: []byte(" {")}).Reading().Kind, required)
	}
}
