package generate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
)

// A server may take each invoice number once.
func TestTextsOfAPatternWithSomeRoomAreAllDifferent(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/invoices: {post: {requestBody: {content: {application/json: {schema:
  {type: object, required: [number], properties: {number: {type: string, pattern: "^INV-[0-9]{4,8}$"}}}}}}, responses: {"201": {description: d}}}}}}`))
	require.NoError(t, err)
	seen := map[string]bool{}
	for n := range 20_000 {
		g := generate.New(c.Operations[0], 1, generate.Identity{Seed: 1}, n)
		text := g.Baseline().Tree.Get("number").Text
		assert.Regexp(t, `^INV-[0-9]{4,8}$`, text)
		require.False(t, seen[text], "%s came twice", text)
		seen[text] = true
		again := generate.New(c.Operations[0], 7, generate.Identity{Seed: 1}, n)
		require.Equal(t, text, again.Baseline().Tree.Get("number").Text, "the number decides")
	}
}
