package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
)

func TestOperationsAreThoseThatListHasCasesFor(t *testing.T) {
	doc := []byte(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {
		"/a": {"post": {"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}}, "responses": {"200": {"description": "ok"}}}},
		"/b": {"trace": {"responses": {"200": {"description": "ok"}}}}}}`)
	c := conformance.Config{Spec: doc, Draws: -1}
	got, err := conformance.Operations(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, []string{"POST /a"}, got.Tried)
	list, err := conformance.List(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, list.LeftOut, got.LeftOut)
	assert.NotEmpty(t, got.LeftOut)
	var tried []string
	for _, r := range list.Requirements {
		if r.Rule == "answered" {
			assert.Positive(t, r.Cases)
			tried = append(tried, r.Requirement)
		}
	}
	assert.Equal(t, []string{"post-a-answered"}, tried)
}
