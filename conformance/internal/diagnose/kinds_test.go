package diagnose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/requirement"
)

// crashing answers 500 with the words that a function says of the request, if there are any.
func crashing(doc *fake.Document, words func(head string, body *jsontree.Value) string) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		var root *jsontree.Value
		if d, err := jsontree.Parse(r.Body); err == nil {
			root = d.Root
		}
		if said := words(strings.ToLower(string(r.Head)), root); said != "" {
			return fake.Answer(500, "text/plain", said)
		}
		return doc.Conforming(r)
	}
}

func TestCrashesOfOneOperationAreToldByTheKindOfRequestThatMakesThem(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types", "string-values", "registered-fields")
	x := explain(t, doc, crashing(doc, func(head string, body *jsontree.Value) string {
		switch {
		case strings.Contains(head, "\r\nif-none-match: "):
			return "oops"
		case body != nil && body.Kind == jsontree.Array:
			return "oops"
		case body != nil && body.Get("name") != nil && strings.ContainsFunc(body.Get("name").Text, func(c rune) bool { return c > 0xffff }):
			return "oops"
		}
		return ""
	}))
	var sent []string
	for _, f := range x.failures["post-plants-answered"] {
		sent = append(sent, f.Sent)
		assert.Equal(t, "oops", f.Flaw.Said)
		assert.True(t, f.Stable, f.Sent)
		if strings.HasPrefix(f.Sent, "/name = ") {
			assert.Equal(t, "/name", f.Flaw.Tried, "a text that crashes")
		}
	}
	require.Len(t, sent, 3, "%v", sent)
	all := strings.Join(sent, "\n")
	for _, part := range []string{"If-None-Match", "body = [", "/name = "} {
		assert.Equal(t, 1, strings.Count(all, part), "%s in %s", part, all)
	}
}

func TestAParserThatFailsIsOneKindOfCrash(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types", "malformed-body", "text-encoding", "duplicate-names")
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if d, err := jsontree.Parse(r.Body); err != nil || len(d.Issues) > 0 {
			return fake.Answer(500, "text/plain", "oops")
		}
		return doc.Conforming(r)
	})
	kinds := map[string]bool{}
	for _, f := range x.failures["post-plants-answered"] {
		kind, _ := strings.CutPrefix(f.Flaw.Kind, "500/")
		kind, _, _ = strings.Cut(kind, "/")
		kinds[kind] = true
	}
	assert.Equal(t, map[string]bool{"empty": true, "syntax": true}, kinds)
}

func TestACrashWithOtherWordsIsAnotherFault(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types")
	n := 0
	x := explain(t, doc, crashing(doc, func(_ string, body *jsontree.Value) string {
		n++
		switch name := body.Get("name"); {
		case name == nil || name.Kind == jsontree.String:
			return ""
		case name.Kind == jsontree.Null:
			return fmt.Sprintf("TypeError: %q is null, incident %d", name.String(), n)
		default:
			return fmt.Sprintf("CastError: %q is no text, incident %d", name.String(), n)
		}
	}))
	list := x.failures["post-plants-answered"]
	require.Len(t, list, 2, "the numbers of the incidents make no faults of their own")
	assert.ElementsMatch(t, []string{"TypeError", "CastError"}, []string{list[0].Flaw.Said[:9], list[1].Flaw.Said[:9]})
}

// One cause: whatever the wrong type, the same handler fails.
func TestACrashForEveryWrongTypeOfAnyMemberIsOneFault(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types", "string-values")
	x := explain(t, doc, crashing(doc, func(_ string, body *jsontree.Value) string {
		if body.Get("name") != nil && body.Get("name").Kind != jsontree.String || body.Get("tag") != nil && body.Get("tag").Kind != jsontree.String {
			return "oops"
		}
		return ""
	}))
	assert.Len(t, x.failures["post-plants-answered"], 1)
}

const optionalTags = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/tags": {"put": {
	"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}}},
	"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`

func TestARefusedEmptyBodyIsNotTheRuleThatRefusesWhatStandsInABody(t *testing.T) {
	doc := fake.Of(t, optionalTags, fakerun.Mutators(t, "baseline", "optional-members", "malformed-body")...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		d, err := jsontree.Parse(r.Body)
		switch {
		case len(r.Body) == 0:
			return fake.Answer(400, "text/plain", "no body")
		case err == nil && d.Root.Kind == jsontree.Object && len(d.Root.Members) == 0:
			return fake.Answer(400, "text/plain", "give a or b")
		}
		return fake.Answer(200, "", "")
	})
	var said []string
	for _, f := range x.failures["put-tags-body-a-optional"] {
		said = append(said, f.Flaw.Said+": "+f.Sent)
	}
	assert.ElementsMatch(t, []string{"give a or b: the baseline request {}", "no body: an empty body"}, said)
}

const paged = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/tags": {"get": {
	"parameters": [{"name": "offset", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 90000}}, {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 90}}],
	"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`

func TestACrashForAnyValueOfAParameterIsOneFaultWhateverTheValue(t *testing.T) {
	doc := fake.Of(t, paged, mutate.List()...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if line, _, _ := strings.Cut(string(r.Head), "\r\n"); strings.Contains(line, "offset=") {
			return fake.Answer(500, "text/plain", "oops")
		}
		return fake.Answer(200, "", "")
	})
	list := x.failures["get-tags-answered"]
	require.Len(t, list, 1, "%v", list)
	assert.Contains(t, list[0].Sent, "query/offset")
	assert.Equal(t, "query/offset", list[0].Flaw.Tried)
}

func TestSurplusBytesAreToldAsSuchHoweverTheyAreRead(t *testing.T) {
	malformed := exchange.Malformed.String()
	assert.Equal(t, requirement.Surplus, misread(requirement.Unasked, false))
	assert.Equal(t, requirement.Surplus, misread(requirement.Surplus, false))
	assert.Equal(t, requirement.Surplus, misread(malformed, true), "read as the answer to the next request")
	assert.Equal(t, malformed, misread(malformed, false), "the first answer of a connection")
	assert.Equal(t, "coding", misread("coding", true))
}
