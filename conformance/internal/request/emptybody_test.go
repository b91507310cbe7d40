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
