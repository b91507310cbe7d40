package execute

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

const nested = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  "/sites/{site}/pages/{page}": {parameters: [{name: site, in: path, required: true, schema: {type: string}}, {name: page, in: path, required: true, schema: {type: string}}], get: {responses: {"200": {description: d}}}},
  "/sites/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}], get: {responses: {"200": {description: d}}}}}}`

func TestARequestIsPutBelowWhatAnotherOneNamesAndKeepsItsOwnKey(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(nested))
	require.NoError(t, err)
	page := generate.New(c.Operations[0], 1, generate.Identity{Seed: 1}, 0).Baseline()
	site := generate.New(c.Operations[1], 1, generate.Identity{Seed: 1}, 1).Baseline()
	page.Set("path/site", jsontree.NewString("first"))
	page.Set("path/page", jsontree.NewString("mine"))
	site.Set("path/id", jsontree.NewString("second"))
	below(page, site)
	assert.Equal(t, "second", page.At("path/site").Text, "whatever the parameters are called")
	assert.Equal(t, "mine", page.At("path/page").Text)
	site.Set("path/id", jsontree.NewString("third"))
	assert.Equal(t, "second", page.At("path/site").Text, "it has a copy")
}
