package resource_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

const pages = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /pages: {post: {operationId: add, responses: {"201": {description: d}}}},
  "/pages/{id}/notes": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {operationId: notes, parameters: [PARAMETERS], responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {properties: {id: {type: string}, text: {type: string}}}}}}}}},
    post: {operationId: note, requestBody: {content: {application/json: {schema: {type: object, properties: {MEMBER: {type: string}}}}}}, responses: {"201": {description: d}}}},
  "/pages/{id}": {get: {operationId: read, parameters: [{name: id, in: path, required: true, schema: {type: string}}], responses: {"200": {description: d}}}}MORE}}`

func TestAListHasWhatIsPostedToItUnlessTheDocumentMayMeanSomethingElse(t *testing.T) {
	const one = `, "/pages/{id}/notes/{note}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}, {name: note, in: path, required: true, schema: {type: string}}], responses: {"200": {description: d}}}}`
	for name, row := range map[string]struct {
		parameters, member, more string
		adds                     bool
	}{
		"plain":                {member: "text", adds: true},
		"page":                 {parameters: `{name: limit, in: query, schema: {type: integer, default: 5}}`, member: "text", adds: true},
		"filter":               {parameters: `{name: text, in: query, schema: {type: string}}`, member: "text", adds: true},
		"filter of its own":    {parameters: `{name: hidden, in: query, schema: {type: boolean, default: false}}`, member: "text"},
		"filter that is asked": {parameters: `{name: kind, in: query, required: true, schema: {type: string}}`, member: "text"},
		"another thing":        {member: "query"},
		"an item can be read":  {member: "text", more: one},
	} {
		c, err := openapi.Load("d.yaml", []byte(strings.NewReplacer("PARAMETERS", row.parameters, "MEMBER", row.member, "MORE", row.more).Replace(pages)))
		require.NoError(t, err, name)
		resource.FindPaging(c)
		list := resource.All(c.Operations)
		require.NotEmpty(t, list, name)
		assert.Equal(t, row.adds, list[0].Adder(c.Find("notes")) != nil, name)
		assert.Nil(t, list[0].Adder(c.Find("read")), name)
	}
}

func TestAListAtTheTopLevelHasWhatIsPostedToItIfItsItemsHaveAllMembers(t *testing.T) {
	for name, row := range map[string]struct {
		member string
		adds   bool
	}{
		"plain":         {member: "text", adds: true},
		"another thing": {member: "query"},
	} {
		document := strings.NewReplacer("/pages/{id}/notes", "/notes", "parameters: [{name: id, in: path, required: true, schema: {type: string}}],\n    get: {operationId: notes", "get: {operationId: notes",
			"PARAMETERS", "", "MEMBER", row.member, "MORE", "").Replace(pages)
		c, err := openapi.Load("d.yaml", []byte(document))
		require.NoError(t, err, name)
		resource.FindPaging(c)
		assert.Equal(t, row.adds, resource.Adder(c.Operations, c.Find("notes")) != nil, name)
		assert.Nil(t, resource.Adder(c.Operations, c.Find("note")), name)
		assert.Nil(t, resource.Adder(c.Operations, c.Find("read")), name)
	}
}
