package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

const bills = `openapi: 3.1.0
info: {title: Bills, version: "1", description: All bills.}
paths:
  /bills:
    post:
      summary: Make a bill
      requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}, kind: {enum: [paid, open]}}}}}}
      responses: {"201": {description: made}}
`

// Values are drawn from this digest: the same ones whatever a document says in words.
func TestWhatADocumentStatesIsTheSameInAnyWordsAndLayout(t *testing.T) {
	of := func(document string) *openapi.Contract {
		c, err := openapi.Load("bills.yaml", []byte(document))
		require.NoError(t, err)
		return c
	}
	is := of(bills)
	for _, same := range []string{"# a comment\n" + bills, strings.Replace(bills, "All bills.", "Alle Rechnungen.", 1), strings.Replace(bills, "      summary: Make a bill\n", "", 1), strings.Replace(bills, "made", "refused with 409", 1)} {
		other := of(same)
		assert.Equal(t, is.Stated, other.Stated, same)
		assert.NotEqual(t, is.Digest, other.Digest)
	}
	for from, to := range map[string]string{"title: {type: string}": "title: {type: number}", "title: {": "name: {", "[paid, open]": "[paid, late]", "post:": "put:"} {
		assert.NotEqual(t, is.Stated, of(strings.Replace(bills, from, to, 1)).Stated, to)
	}
}

func TestADocumentMaySayThatSomethingNeverComesBack(t *testing.T) {
	for says, want := range map[string]bool{
		"We sign with it. It is never returned.":     true,
		"Never part of an answer.":                   true,
		"Write-only: not included in responses.":     true,
		"A secret. You will never need to change it": false,
		"Never shown again after the creation.":      false,
		"Not included unless the owner asks for it.": false,
		"Shown to nobody but the owner.":             false,
	} {
		c, err := openapi.Load("d.yaml", fmt.Appendf(nil, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {post: {requestBody: {content: {application/json: {schema: {
			type: object, properties: {inside: {type: object, properties: {secret: {type: string, writeOnly: true, description: %q}}}}}}}}, responses: {"200": {description: d}}}}}}`, says))
		require.NoError(t, err)
		assert.Equal(t, want, c.KeepsSecrets(c.Operations[0]) != nil, says)
	}
}

func TestADocumentMaySayThatATotalCountsAllPages(t *testing.T) {
	for says, want := range map[string]bool{
		"How many match the filters, on all pages together.": true,
		"The number of all items, regardless of pagination.": true,
		"Number of books.":                             false,
		"Matching books on this page.":                 false,
		"Books that match the filters, at most 10000.": false,
	} {
		c, err := openapi.Load("d.yaml", fmt.Appendf(nil, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: %q}}}}}}`, says))
		require.NoError(t, err)
		assert.Equal(t, want, c.CountsAll(c.Operations[0].Responses[0].Pointer) != nil, says)
	}
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

func TestASentenceSaysWhichOfTwoMembersComesFirst(t *testing.T) {
	c, err := openapi.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/bills: {post: {
  description: "The bill is open. `+"`paid_on`"+` must be after `+"`sent_on`"+`.",
  requestBody: {content: {application/json: {schema: {type: object, properties: {
    day: {type: string, format: date}, due: {type: string, format: date, description: "Must not lie before `+"`day`"+` (422)."},
    reminded: {type: string, format: date, description: Some time after the customer was told of due.},
    sent_on: {type: string, format: date}, paid_on: {type: string, format: date},
    least: {type: integer}, most: {type: integer, description: At least least.}, name: {type: string}}}}}},
  responses: {"201": {description: d}}}}}}`))
	require.NoError(t, err)
	op := c.Operations[0]
	var got []string
	for _, p := range op.Body.Shape.Pairs(op.Body.Shape.Schema, true) {
		got = append(got, p.Low.Name+" "+p.High.Name)
		assert.True(t, p.Told)
	}
	told := op.Body.Shape.Read([]byte(`{"day":"2031-01-02","due":"2031-01-01"}`))
	assert.Equal(t, schema.MustAccept, told.Kind, "the order is kept in requests, and excuses no refusal")
	assert.ElementsMatch(t, []string{"day due", "sent_on paid_on", "least most"}, got)
}
