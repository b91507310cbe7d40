package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestAPathWithMoreTextGoesBeforeATemplate(t *testing.T) {
	c, err := openapi.Load("paths.yaml", []byte(`openapi: 3.0.3
info: {title: Paths, version: "1"}
paths:
  /a/{x}: {get: {responses: {"200": {description: ok}}}}
  /a/me: {get: {responses: {"200": {description: ok}}}}
  /a/{x}.json: {get: {responses: {"200": {description: ok}}}}
  /{y}/{z}: {get: {responses: {"200": {description: ok}}}}
  /a/me/{x}: {get: {responses: {"200": {description: ok}}}}
  /a/{x}/b: {get: {responses: {"200": {description: ok}}}}
  /c/{x}/d: {get: {responses: {"200": {description: ok}}}}
`))
	require.NoError(t, err)
	got := map[string][]string{}
	for _, op := range c.Operations {
		got[op.Path] = op.Nearer
	}
	assert.Equal(t, map[string][]string{
		"/a/{x}": {"/a/me", "/a/{x}.json"}, "/a/me": nil, "/a/{x}.json": {"/a/me"}, "/{y}/{z}": {"/a/{x}", "/a/me", "/a/{x}.json"},
		"/a/me/{x}": {"/a/{x}/b"}, "/a/{x}/b": {"/a/me/{x}"}, "/c/{x}/d": nil,
	}, got)
}
