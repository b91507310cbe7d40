package request_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
)

func TestAnEmptyBodyIsInvalidOnlyWhereItHasToBeRefusedHoweverItIsRead(t *testing.T) {
	for _, c := range []struct {
		required string
		schema   string
		want     contract.Kind
	}{
		{"true", `{"type": "string", "minLength": 1}`, contract.Invalid},
		{"true", `{"type": "string"}`, contract.MayRefuse},
		{"false", `{"type": "string", "minLength": 1}`, contract.MustAccept},
	} {
		doc := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"put": {
			"requestBody": {"required": %s, "content": {"text/plain": {"schema": %s}}}, "responses": {"204": {"description": "ok"}}}}}}`, c.required, c.schema)
		loaded, err := contract.Load("a.json", []byte(doc))
		require.NoError(t, err)
		m := &request.Message{Op: loaded.Operations[0], Raw: []byte{}}
		assert.Equal(t, c.want, m.Reading().Kind, "%v", c)
	}
}

func TestWhiteSpaceMayBeTakenForNoBodyWhereNoneIsNeeded(t *testing.T) {
	for required, want := range map[string]contract.Kind{"true": contract.NotJSON, "false": contract.MayRefuse} {
		doc := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"put": {
			"requestBody": {"required": %s, "content": {"application/json": {"schema": {"type": "object"}}}}, "responses": {"204": {"description": "ok"}}}}}}`, required)
		loaded, err := contract.Load("a.json", []byte(doc))
		require.NoError(t, err)
		assert.Equal(t, want, (&request.Message{Op: loaded.Operations[0], Raw: []byte(" \n")}).Reading().Kind, required)
		assert.Equal(t, contract.NotJSON, (&request.Message{Op: loaded.Operations[0], Raw: []byte(" {")}).Reading().Kind, required)
	}
}
