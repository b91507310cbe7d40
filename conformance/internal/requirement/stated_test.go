package requirement_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

// described is a document with two lists. Descriptions state what the parameters of the first do,
// what a PATCH keeps and where what was deleted is listed.
const described = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /books: {
    get: {parameters: [{name: limit, in: query, description: At most so many., schema: {type: integer}}, {name: offset, in: query, description: Items to skip., schema: {type: integer}},
      {name: state, in: query, description: Only books in this state., schema: {type: string, enum: [x, y]}}], responses: &list {"200": {description: d, content: {application/json: {schema: {type: array, items: &book {type: object,
      properties: {id: {type: string}, title: {type: string}, state: {type: string}}}}}}}}},
    post: {requestBody: {content: {application/json: {schema: *book}}}, responses: {"201": {description: d, content: {application/json: {schema: *book}}}}}},
  "/books/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {responses: {"200": {description: d, content: {application/json: {schema: *book}}}}},
    patch: {description: Members left out keep their value., requestBody: {content: {application/json: {schema: *book}}}, responses: {"200": {description: d}}},
    delete: {description: The book disappears from all lists., responses: {"204": {description: d}}}},
  /loans: {get: {parameters: [{name: limit, in: query, schema: {type: integer}}, {name: offset, in: query, schema: {type: integer}}, {name: state, in: query, schema: {type: string, enum: [x, y]}}], responses: *list}}}}`

func TestNoDescriptionMakesARequirementOfListsAndChangesAMust(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(described))
	require.NoError(t, err)
	c = resource.FindPaging(c)
	levels, quotes := map[string]report.Level{}, map[string]string{}
	for _, r := range requirement.Derive(c, checks.Rules()).List {
		levels[r.ID] = r.Level
		for _, e := range r.Evidence {
			quotes[r.ID] = e.Quote
		}
		if slices.Contains([]string{"page-limit", "pages-disjoint", "pages-complete", "filtered"}, r.Rule) {
			assert.True(t, r.Free, "%s: there may be too few items to try it", r.ID)
		}
	}
	for id, want := range map[string]report.Level{
		"get-books-page-limit": report.Suspected, "get-books-pages-disjoint": report.Suspected, "get-books-pages-complete": report.Suspected, "get-books-filtered-state": report.Suspected,
		"get-loans-page-limit": report.Open, "get-loans-pages-disjoint": report.Open, "get-loans-pages-complete": report.Open, "get-loans-filtered-state": report.Open,
		"get-books-id-patch-leaves-rest": report.Should, "get-books-unlisted": report.Should,
	} {
		assert.Equal(t, want, levels[id], id)
	}
	assert.Equal(t, "At most so many.", quotes["get-books-page-limit"], "what is suspected is quoted")
	assert.Equal(t, "Members left out keep their value.", quotes["get-books-id-patch-leaves-rest"], "so is what agrees with an RFC")
	assert.Empty(t, quotes["get-loans-page-limit"])
}

// A part of what was deleted may stay, whatever a description says.
func TestASentenceAboutAPartOfWhatWasDeletedIsEvidence(t *testing.T) {
	const threads = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /threads: {post: {responses: {"201": {description: d}, MAKES}}},
  "/threads/{id}": {parameters: &id [{name: id, in: path, required: true, schema: {type: string}}], get: {responses: {"200": {description: d}, "404": {description: d}}}, delete: {responses: {"204": {description: d}}}},
  "/threads/{id}/posts": {parameters: *id, get: {responses: {"200": {description: d}, LISTS}}}}}`
	for _, row := range []struct {
		makes, lists string
		said         bool
	}{
		{`"400": {description: d}`, `"404": {description: d}, "410": {description: The thread was deleted.}`, true},
		{`"400": {description: d}`, `"404": {description: d}, "410": {description: The thread is closed.}`, false},
		{`"410": {description: deleted}`, `"404": {description: d}, "410": {description: deleted}`, false},
		{`"400": {description: d}`, `"404": {description: d}`, false},
	} {
		c, err := openapi.Load("d.yaml", []byte(strings.NewReplacer("MAKES", row.makes, "LISTS", row.lists).Replace(threads)))
		require.NoError(t, err)
		list := requirement.Derive(c, checks.Rules()).List
		i := slices.IndexFunc(list, func(r *requirement.Requirement) bool { return r.ID == "get-threads-id-posts-gone" })
		require.GreaterOrEqual(t, i, 0)
		assert.Equal(t, report.Should, list[i].Level, row.makes+row.lists)
		assert.Equal(t, row.said, len(list[i].Evidence) > 0, row.makes+row.lists)
	}
}

func desk(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../../reference/services/crud/openapi.yaml")
	require.NoError(t, err)
	return string(text)
}

func TestAValuesFileNamesConstantsOriginsAndWhatCannotBeReached(t *testing.T) {
	c, set := load(t, desk(t))
	given, c, err := requirement.ReadValues(c, "v.yaml", []byte(`
listUsers:
  query: {limit: '5'}
  header:
    x-labels: [red]
GET /users/{userId}:
  path:
    userId: {from: 'createUser#/id'}
post-users:
  body:
    name: Ada
    /email: ada@example.com
completeTask: {unreachable: "it takes\n  a day"}
getReport:
`))
	require.NoError(t, err)
	_, c, err = requirement.NameValues(set, c, given, nil)
	require.NoError(t, err)
	given = given.Of(c)
	assert.Equal(t, "5", c.Find("listUsers").Params.Domains["/query/limit"].Value.String(), "a number may be in quotes")
	assert.Equal(t, `["red"]`, c.Find("listUsers").Params.Domains["/header/X-Labels"].Value.String(), "fields have any case")
	assert.Equal(t, `"Ada"`, c.Find("createUser").Body.Shape.Domains["/name"].Value.String())
	assert.Equal(t, `"ada@example.com"`, c.Find("createUser").Body.Shape.Domains["/email"].Value.String())
	assert.Equal(t, []openapi.Origin{{Place: "path/userId", From: c.Find("createUser"), What: "/id"}}, c.Find("getUser").Origins)
	assert.Equal(t, "it takes a day", given.Unreachable[c.Find("completeTask")])
}

func TestAMistakeInAValuesFileIsOneLineWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"[a]":                                                `v.yaml:1:1: the file is a list: write a mapping with the names of operations`,
		"getUsers: {path: {userId: x}}":                      `v.yaml:1:1: no operation "getUsers": did you mean getUser`,
		"getUser: 7":                                         `v.yaml:1:10: the values of getUser are a number`,
		"getUser: {pathh: {userId: x}}":                      `v.yaml:1:11: unknown key "pathh" in getUser: did you mean path?`,
		"getUser: {path: 7}":                                 `v.yaml:1:17: path is a number: write a mapping of names and values`,
		"getUser: {path: {userid: x}}":                       `v.yaml:1:18: "path/userid" is not a place in the request of getUser: did you mean path/userId?`,
		"getUser: {query: {limit: 1}}":                       `"query/limit" is not a place in the request of getUser`,
		"listUsers: {query: {limit: many}}":                  `v.yaml:1:28: the value violates the schema of "query/limit" in the document`,
		"getUser: {path: {userId: {from: 'addUser#/id'}}}":   `no operation "addUser": use one of`,
		"getUser: {path: {userId: {from: 'createUser#'}}}":   `nothing behind the #: write a pointer`,
		"getUser: {unreachable: ''}":                         `unreachable is empty`,
		"getUser:\n  path: {}\nget-users-userid: {path: {}}": `operation "get-users-userid" is here twice`,
		"createUser: {body: {name: Ada, /name: Eve}}":        `v.yaml:1:32: "/name" is given twice: keep one`,
	} {
		c, _ := load(t, desk(t))
		_, _, err := requirement.ReadValues(c, "v.yaml", []byte(text))
		assert.ErrorContains(t, err, want, text)
	}
}

func TestParametersAreNamedByFlagsToo(t *testing.T) {
	c, set := load(t, desk(t))
	_, c, err := requirement.NameValues(set, c, nil, []string{"getUser:path/userId=5f0b0f5e-0000-4000-8000-000000000001", "query/offset=5"})
	require.NoError(t, err)
	assert.Equal(t, "5", c.Find("listUsers").Params.Domains["/query/offset"].Value.String())
	assert.Equal(t, "5", c.Find("listProjects").Params.Domains["/query/offset"].Value.String(), "without an operation it is for all")
	assert.NotNil(t, c.Find("getUser").Params.Domains["/path/userId"].Value)
	for value, want := range map[string]string{
		"getUser:path/id=5":    `"path/id" is not a place in the request: use one of path/userId`,
		"getUser:path/userId=": "it violates the schema in the document at path/userId",
		"queri/limit=5":        "use PLACE=VALUE",
	} {
		_, _, err := requirement.NameValues(set, c, nil, []string{value})
		assert.ErrorContains(t, err, want, value)
	}
}

func TestPlacesLeadThroughItemsOpenMembersAndAlternatives(t *testing.T) {
	for _, path := range []string{"/lines", "/lines/*", "/lines/*/count", "/labels/*", "/labels/any", "/pay/iban"} {
		c, set := load(t, twoOperations)
		_, c, err := requirement.Overlay(set, c, "r.yaml", []byte("domains: [{path: "+path+", maxLength: 9}]"), rules())
		require.NoError(t, err, path)
		assert.Contains(t, c.Operations[0].Body.Shape.Domains, path)
	}
}

func TestABadRuleIsRefused(t *testing.T) {
	check := func(*requirement.Input) requirement.Outcome { return requirement.None }
	good := requirement.Rule{Name: "a-rule", Rank: requirement.Class, Category: report.Answer, Means: "it is wrong", Doc: "D.", Explanation: "E.", Fix: "F.", Check: check}
	assert.NoError(t, requirement.Validate([]requirement.Rule{good}))
	with := func(change func(r *requirement.Rule)) []requirement.Rule {
		r := good
		change(&r)
		return []requirement.Rule{r}
	}
	for want, list := range map[string][]requirement.Rule{
		`rule "A rule": the name is not`:  with(func(r *requirement.Rule) { r.Name = "A rule" }),
		"rule a-rule: Doc is not":         with(func(r *requirement.Rule) { r.Doc = "" }),
		"rule a-rule: Explanation is not": with(func(r *requirement.Rule) { r.Explanation = "no sentence" }),
		"rule a-rule: Fix is not":         with(func(r *requirement.Rule) { r.Fix = "" }),
		"rule a-rule: Category and Means": with(func(r *requirement.Rule) { r.Means = "" }),
		"rule a-rule checks nothing":      with(func(r *requirement.Rule) { r.Check = nil }),
		"rule a-rule is listed twice":     {good, good},
	} {
		assert.ErrorContains(t, requirement.Validate(list), want)
	}
	assert.NoError(t, requirement.Validate(with(func(r *requirement.Rule) { r.Rank, r.Fix = requirement.Observed, "" })), "what is only observed needs no fix")
}

func TestThePartsOfAStreamAreReadByTheSchemaOfItsItems(t *testing.T) {
	doc := fake.Of(t, `openapi: 3.2.0
info: {title: t, version: "1"}
paths:
  /events: {get: {responses: {"200": {description: ok, content: {
    text/event-stream: {itemSchema: {type: object, required: [data], properties: {event: {enum: [add]}, data: {type: string, contentMediaType: application/json, contentSchema: {type: object, required: [n], properties: {n: {type: integer}}}}}}},
    application/jsonl: {itemSchema: {type: object, required: [n], properties: {n: {type: integer}}}}}}}}}
`)
	for _, row := range []struct {
		media, body string
		open        bool
		want        schema.Kind
	}{
		{"application/jsonl", "{\"n\":1}\n\n{\"n\":2}\r\n", false, schema.MustAccept},
		{"application/jsonl", "{\"n\":1}\n{\"n\":\"x\"}", false, schema.Invalid},
		{"application/jsonl", "{\"n\":1}\n{\"n\":\"x\"", true, schema.MustAccept},
		{"application/jsonl", "{\"n\":1}\n{\"n\":", false, schema.NotJSON},
		{"application/jsonl", "", true, schema.MustAccept},
		{"text/event-stream", ": tick\n\nevent: add\ndata: {\ndata: \"n\": 1}\n\n", true, schema.MustAccept},
		{"text/event-stream", "data:{\"n\":1}\r\n\r\nevent: gone\r\ndata: {\"n\":1}\r\n\r\n", false, schema.Invalid},
		{"text/event-stream", "data: {\"n\":\"x\"}\n\n", true, schema.Invalid},
		{"text/event-stream", "data: no\n\n", true, schema.NotJSON},
		{"text/event-stream", "data: {\"n\":1}\n\ndata: {\"n\":", true, schema.MustAccept},
		{"text/event-stream", "event: gone\n\n", false, schema.MustAccept},
	} {
		e := &exchange.Exchange{Response: &exchange.Response{Status: 200, Content: []byte(row.body), Open: row.open, Fields: []exchange.Field{{Name: "Content-Type", Value: row.media}}}}
		assert.Equal(t, row.want, requirement.Read(doc.Op(), e).Reading.Kind, "%s %q", row.media, row.body)
	}
}

// An exchange of telephones answers everything with 200, and says in the body what came of it.
func TestAnAnswerIsARefusalIfItsBodyTellsSoAndTheDocumentHasNoStatusForIt(t *testing.T) {
	schema := `{schema: {type: object, required: [rc], properties: {rc: {type: string}}}}`
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d,
  content: {application/json: `+schema+`, application/xml: `+schema+`}}}}}}}`))
	require.NoError(t, err)
	for body, want := range map[string]struct {
		media   string
		refusal bool
	}{
		`{"rc":"101"}`:                    {"application/json", true},
		`{"rc":"000"}`:                    {"application/json", false},
		`<answer><rc> 101 </rc></answer>`: {"application/xml", true},
		`<answer><rc>000</rc></answer>`:   {"application/xml", false},
		`<answer><rc>101</answer>`:        {"application/xml", false},
	} {
		got := requirement.Read(c.Operations[0], &exchange.Exchange{Response: &exchange.Response{Status: 200, Content: []byte(body), Fields: []exchange.Field{{Name: "Content-Type", Value: want.media}}}})
		assert.Equal(t, want.refusal, got.Refusal(), body)
		assert.Equal(t, want.refusal, !got.Success(), body)
	}
}
