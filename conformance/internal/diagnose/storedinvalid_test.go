package diagnose

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/report"
)

// shelf is a document of things that a list shows.
const shelf = `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {Thing: {type: object, required: [name, size], properties: {name: {type: string}, size: {type: integer, minimum: 3}}}}},
paths: {/things: {
  post: {requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, responses: {"201": {description: d}, "400": {description: d}, "422": {description: d}}},
  get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}}}}}}}`

// shelved stores what a check takes, and shows all of it, changed as show says.
func shelved(d *fake.Document, takes func(broken string) bool, show func(string) string) fake.Server {
	var all []string
	return func(r *exchange.Request) *exchange.Exchange {
		if bytes.HasPrefix(r.Head, []byte("GET ")) {
			return fake.Answer(200, "application/json", "["+show(strings.Join(all, ","))+"]")
		}
		read := d.Contract.Find("post-things").Body.Shape.Read(r.Body)
		for _, v := range read.Violations {
			if !takes(v.Keyword) {
				return fake.Answer(400, "", "")
			}
		}
		if read.Root() == nil {
			return fake.Answer(400, "", "")
		}
		all = append(all, string(read.Root().Emit()))
		return fake.Answer(201, "", "")
	}
}

func TestAListThatShowsWhatShouldHaveBeenRefusedDoesNotFailForIt(t *testing.T) {
	d := fake.Of(t, shelf, fakerun.Mutators(t, "baseline", "keyword-violations")...)
	same := func(text string) string { return text }
	got := finish(t, fakerun.Of(t, d, shelved(d, func(keyword string) bool { return keyword == "minimum" }, same)))
	assert.Equal(t, []string{"thing-size-minimum"}, got.failed())
	assert.Equal(t, report.Inconclusive, got.results["get-things-200-body-items-size-minimum"].Verdict)
	assert.Equal(t, "suppressed by thing-size-minimum", got.results["get-things-200-body-items-size-minimum"].Reason)

	wrong := func(text string) string { return strings.ReplaceAll(text, `"size":`, `"size":-`) }
	got = finish(t, fakerun.Of(t, d, shelved(d, func(string) bool { return false }, wrong)))
	assert.Equal(t, []string{"get-things-200-body-items-size-minimum"}, got.failed(), "the server made it itself")
}

// The owner of all things is the one whom the document has as an example. That does not tell
// which request made a thing.
func TestAValueThatAllRequestsShareTellsNotWhichOneMadeAThing(t *testing.T) {
	owned := strings.ReplaceAll(shelf, "required: [name, size], properties: {", `required: [name, size, ownerId], properties: {ownerId: {type: string, example: owner-4711}, `)
	owned = strings.ReplaceAll(owned, `"400": {description: d}`, `"400": {description: d}, "404": {description: d}`)
	d := fake.Of(t, owned, fakerun.Mutators(t, "baseline", "keyword-violations")...)
	wrong := func(text string) string {
		return regexp.MustCompile(`"size":[-0-9]+`).ReplaceAllString(text, `"size":1`)
	}
	serve := shelved(d, func(keyword string) bool { return keyword == "minimum" }, wrong)
	got := finish(t, fakerun.Of(t, d, func(r *exchange.Request) *exchange.Exchange {
		if bytes.HasPrefix(r.Head, []byte("POST ")) && !bytes.Contains(r.Body, []byte("owner-4711")) {
			return fake.Answer(404, "", "")
		}
		return serve(r)
	}))
	assert.Equal(t, []string{"get-things-200-body-items-size-minimum", "thing-size-minimum"}, got.failed())
}
