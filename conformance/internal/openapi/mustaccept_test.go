package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
)

func TestABoundOfAnIntegerIsTheIntegerHoweverTheDocumentSpellsIt(t *testing.T) {
	c, err := openapi.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/t: {post: {requestBody: {content: {application/json: {schema:
  {type: object, properties: {n: {type: integer, minimum: 1.0, maximum: 1.2e2}, d: {type: number, maximum: 0.50}}}}}}, responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	s := c.Operations[0].Body.Shape.Schema
	n, d := s.Property("n").Schema, s.Property("d").Schema
	assert.Equal(t, []string{"1", "120", "0.50"}, []string{n.Minimum, n.Maximum, d.Maximum})
}

func TestAClientChoosesAmongTheFormsOfOneSuccess(t *testing.T) {
	for responses, want := range map[string][]string{
		`"200": {description: d, content: {application/json: {}, text/csv: {}}}`:                                                    {"text/csv"},
		`"200": {description: d, content: {text/csv: {}, application/json: {}, image/png: {}}}`:                                     {"text/csv", "image/png"},
		`"200": {description: d, content: {application/json: {}}}`:                                                                  nil,
		`"200": {description: d, content: {application/json: {}}}, "202": {description: d, content: {text/plain: {}}}`:              nil,
		`"200": {description: d, content: {application/json: {}}}, "400": {description: d, content: {text/csv: {}, text/html: {}}}`: nil,
	} {
		c, err := openapi.Load("d.yaml", []byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {responses: {"+responses+"}}}}\n"))
		require.NoError(t, err)
		assert.Equal(t, want, c.Find("get-a").Choice(), responses)
	}
}

func TestTheIdentifierOfARequestRefersToNothing(t *testing.T) {
	for _, one := range []struct{ section, name, want string }{
		{"header", "X-Request-Id", ""},
		{"header", "x-correlation-ID", ""},
		{"header", "X-B3-TraceId", ""},
		{"header", "Request-Id", ""},
		{"header", "traceparent", ""},
		{"header", "Idempotency-Key", ""},
		{"header", "X-Tenant-Id", "tenant"},
		{"query", "requestId", "request"},
		{"query", "userId", "user"},
	} {
		assert.Equal(t, one.want, hints.RefersAt(one.section, one.name), one.name)
	}
	assert.True(t, hints.TakenOnce("Idempotency-Key"))
	assert.True(t, hints.TakenOnce("X-Request-ID"))
	assert.False(t, hints.TakenOnce("X-Tenant-Id"))
}

func TestADocumentMaySayThatTheAnswerCanBe304(t *testing.T) {
	const document = `{openapi: 3.1.0, info: {title: t, version: "1", description: %q}, paths: {/a: {get: {
		description: %q, parameters: [{name: If-None-Match, in: header, description: %q, schema: {type: string}}],
		responses: {"200": {description: d}, "304": {description: %q}}}}}}`
	for _, x := range []struct {
		info, operation, field, response string
		want                             bool
	}{
		{"GET takes `If-None-Match` and may answer `304 Not Modified`.", "", "", "The one that you have.", true},
		{"", "Reads. With If-None-Match the answer can be empty.", "", "d", true},
		{"", "", "A tag. If it is the current one, the server may return 304.", "d", true},
		{"", "", "", "Not modified. Optional: a server may also answer with the whole.", true},
		{"", "", "", "Optional: 304 saves the body.", true},
		{"Names may be empty.", "Clients can send If-None-Match; the answer is 304 if the tag is the current one.", "", "Not modified.", false},
	} {
		c, err := openapi.Load("d.yaml", fmt.Appendf(nil, document, x.info, x.operation, x.field, x.response))
		require.NoError(t, err)
		assert.Equal(t, x.want, c.Operations[0].MayCompare != nil, "%+v", x)
	}
}

func TestASentenceSaysWhereWhatIsMadeIsListed(t *testing.T) {
	const document = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/x: {
  post: {operationId: add, description: %q, responses: {"201": {description: d}}},
  get: {operationId: list, description: %q, responses: {"200": {description: d}}}}}}`
	load := func(add, list string) *openapi.Contract {
		c, err := openapi.Load("d.yaml", fmt.Appendf(nil, document, add, list))
		require.NoError(t, err)
		return c
	}
	for text, stated := range map[string]bool{
		"Stores a sighting. It is in the list from then on.": true,
		"Adds a chore. It is in the list at once.":           true,
		"The entry is added to the list.":                    true,
		"The entry appears in every list.":                   true,
		"It is in the list once it is approved.":             false,
		"It appears in the list only if it is public.":       false,
		"It is in the list when published.":                  false,
		"Stores an entry.":                                   false,
		"The values that are allowed are listed below.":      false,
	} {
		assert.Equal(t, stated, load(text, "d").Find("add").Enlists != nil, text)
		assert.Empty(t, load("d", text).Find("list").Enlists, "of what a POST makes alone")
	}
	for text, stated := range map[string]bool{
		"Lists the entries, newest first.":                      true,
		"All entries. The most recently added ones come first.": true,
		"The latest entries are first.":                         true,
		"Newest first if sort is left out.":                     false,
		"Newest first, unless sort says otherwise.":             false,
		"Lists the entries.":                                    false,
		"Pinned threads first, then the newest first.":          false,
		"Pinned threads come before others. Newest first.":      false,
		"The newest come first within each group.":              false,
		"The newest entry is sent first class.":                 false,
	} {
		assert.Equal(t, stated, load("d", text).Find("list").NewestFirst != nil, text)
		assert.Empty(t, load(text, "d").Find("add").NewestFirst, "of a list alone")
	}
}

func TestAJSONPatchMayBeRefused(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {patch: {requestBody: {content: {application/json-patch+json: {schema: {type: array,
  items: {type: object, required: [op, path], properties: {op: {enum: [add, remove]}, path: {type: string}, value: {}}}}}}}, responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	shape := c.Operations[0].Body.Shape
	assert.Equal(t, openapi.MayRefuse, shape.Read([]byte(`[{"op":"add","path":"/a","value":1}]`)).Kind, "the place may not be there")
	assert.Equal(t, openapi.Invalid, shape.Read([]byte(`[{"op":"add"}]`)).Kind)
}

func TestADocumentMayStateThatWhatAPatchLeavesOutStays(t *testing.T) {
	for says, want := range map[string]bool{
		"Members left out keep their value.":                                        true,
		"Only the members that are sent are changed, all others keep their values.": true,
		"Changes a note. Members that are not sent keep their values.":              true,
		"Updates only the fields provided in the body.":                             true,
		"Fields which are omitted remain unchanged.":                                true,
		"Changes a note.": false,
		"Invoices that exist already are not touched by the change.": false,
		"A member that is not given is set to null.":                 false,
	} {
		c, err := openapi.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/t/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}], patch: {
  description: "`+says+`", requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {"200": {description: d}}}}}}`))
		require.NoError(t, err)
		assert.Equal(t, want, c.Operations[0].Keeps != nil && strings.HasSuffix(c.Operations[0].Keeps.Place, "/patch/description"), says)
	}
}

func TestADocumentMayStateThatWhatIsDeletedIsListedNoMore(t *testing.T) {
	for says, want := range map[string]bool{
		"From then on the product is neither found nor listed.": true,
		"The course disappears from all lists at once.":         true,
		"It is no longer listed.":                               true,
		"The vehicle was removed.":                              false,
		"Its trips stay in the list.":                           false,
	} {
		c, err := openapi.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/t/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}], delete: {
  description: "`+says+`", responses: {"204": {description: d}}}}}}`))
		require.NoError(t, err)
		assert.Equal(t, want, c.Operations[0].Unlists != nil, says)
	}
}

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
