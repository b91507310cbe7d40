package message_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

func TestAnEmptyBodyIsInvalidOnlyWhereItHasToBeRefusedHoweverItIsRead(t *testing.T) {
	for _, c := range []struct {
		required string
		schema   string
		want     openapi.Kind
	}{
		{"true", `{"type": "string", "minLength": 1}`, openapi.Invalid},
		{"true", `{"type": "string"}`, openapi.MayRefuse},
		{"false", `{"type": "string", "minLength": 1}`, openapi.MustAccept},
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
	for required, want := range map[string]openapi.Kind{"true": openapi.NotJSON, "false": openapi.MayRefuse} {
		doc := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"put": {
			"requestBody": {"required": %s, "content": {"application/json": {"schema": {"type": "object"}}}}, "responses": {"204": {"description": "ok"}}}}}}`, required)
		loaded, err := openapi.Load("a.json", []byte(doc))
		require.NoError(t, err)
		assert.Equal(t, want, (&message.Message{Op: loaded.Operations[0], Raw: []byte(" \n")}).Reading().Kind, required)
		assert.Equal(t, openapi.NotJSON, (&message.Message{Op: loaded.Operations[0], Raw: []byte(" {")}).Reading().Kind, required)
	}
}
