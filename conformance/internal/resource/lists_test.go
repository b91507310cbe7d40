package resource_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
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
		c = resource.FindPaging(c)
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
		c = resource.FindPaging(c)
		assert.Equal(t, row.adds, resource.Adder(c.Operations, c.Find("notes")) != nil, name)
		assert.Nil(t, resource.Adder(c.Operations, c.Find("note")), name)
		assert.Nil(t, resource.Adder(c.Operations, c.Find("read")), name)
	}
}

const items = `{type: array, items: {type: object, properties: {id: {type: string}, name: {type: string}, size: {type: integer}, state: {type: string, enum: [a, b]},
  tags: {type: array, items: {type: string}}, createdAt: {type: string, format: date-time}, secret: {type: string, writeOnly: true}}}}`

// found describes how an operation with some parameters, headers and an answer lists
// resources, in words.
func found(t *testing.T, parameters, headers, answer string) string {
	t.Helper()
	text := fmt.Sprintf(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/things: {get: {operationId: list, parameters: [%s],
	  responses: {"200": {description: d, headers: {%s}, content: {application/json: {schema: %s}}}}}}}}`, parameters, headers, answer)
	c, err := openapi.Load("d.yaml", []byte(text))
	require.NoError(t, err, text)
	c = resource.FindPaging(c)
	l := c.Find("list").Listing
	if l == nil {
		return "nothing"
	}
	words := []string{"items=" + l.Items}
	add := func(name, value string) {
		if value != "" {
			words = append(words, name+"="+value)
		}
	}
	parameter := func(name string, p *openapi.Parameter) {
		if p != nil {
			add(name, p.Name)
		}
	}
	add("key", l.Key)
	parameter("limit", l.Limit)
	parameter("offset", l.Offset)
	parameter("page", l.Page)
	parameter("cursor", l.Cursor)
	if l.Limit != nil {
		add("first", fmt.Sprint(l.First, ",", l.Few, ",", l.Many))
	}
	add("next", l.Next+l.NextField)
	add("total", l.Total+l.TotalField)
	for _, f := range l.Filters {
		add("filter", f.Name()+[]string{">", ">=", "<="}[f.Bound]+f.Member)
	}
	for _, o := range l.Orders {
		dependency := ""
		if o.Way != nil {
			dependency = "+" + o.Way.Text
		}
		add("order", fmt.Sprint(o.Value.Text, dependency, ">", o.Member, ",", o.Down))
	}
	return strings.Join(words, " ")
}

func TestListsAreFoundByNamesAndShapes(t *testing.T) {
	number := func(name, more string) string {
		return "{name: " + name + ", in: query, schema: {type: integer" + more + "}}"
	}
	text := func(name, more string) string {
		return "{name: " + name + ", in: query, schema: {type: string" + more + "}}"
	}
	join := func(list ...string) string { return strings.Join(list, ", ") }
	whole := `X-Total-Count: {schema: {type: integer}}`
	for _, row := range []struct{ parameters, headers, answer, want string }{
		{"", "", items, "items= key=id"},
		{"", "", "{type: string}", "nothing"},
		{"", "", "{type: object, properties: {a: " + items + ", b: " + items + "}}", "nothing"},
		{text("name", ""), "", "{type: array, items: {oneOf: [{type: object, properties: {id: {type: string}, name: {type: string}, a: {type: string}}}, {type: object, properties: {id: {type: string}, name: {type: string}, a: {type: integer}}}]}}",
			"items= key=id filter=name>name"},
		{text("a", ""), "", "{type: array, items: {anyOf: [{type: object, properties: {a: {type: string}}}, {type: string}]}}", "nothing"},
		{join(number("limit", ""), number("offset", "")), whole, items, "items= key=id limit=limit offset=offset first=0,2,5 total=X-Total-Count"},
		{join(number("page_size", ", minimum: 10"), number("page", ", minimum: 0")), "", "{type: object, properties: {data: " + items + ", meta: {type: object, properties: {total: {type: integer}}}}}",
			"items=/data key=id limit=page_size page=page first=0,10,21 total=/meta/total"},
		{join(number("perPage", ", maximum: 3"), number("page", "")), "", items, "items= key=id limit=perPage page=page first=1,2,3"},
		{join(number("limit", ""), text("cursor", "")), "", "{type: object, properties: {items: " + items + ", next: {type: [string, 'null']}}}",
			"items=/items key=id limit=limit cursor=cursor first=0,2,5 next=/next"},
		{join(number("limit", ""), text("cursor", "")), "", items, "items= key=id limit=limit first=0,2,5"},
		{join(number("limit", ""), text("starting_after", "")), "", items, "items= key=id limit=limit cursor=starting_after first=0,2,5"},
		{join(number("limit", ""), text("page_token", "")), "Link: {schema: {type: string}}", items, "items= key=id limit=limit cursor=page_token first=0,2,5 next=Link"},
		{number("limit", ", minimum: 50"), "", items, "items= key=id"},
		{join(text("state", ", enum: [a, b]"), text("tag", ""), text("createdAt", ", format: date-time"), text("secret", ""), text("size", ""), text("q", "")), "", items,
			"items= key=id filter=state>state filter=tag>tags"},
		{join(text("created_after", ", format: date"), text("createdBefore", ", format: date-time"), text("created_to", ""), text("since", ", format: date-time"), text("toDate", ", format: date"), text("after", "")), "", items,
			"items= key=id filter=created_after>=createdAt filter=createdBefore<=createdAt filter=since>=createdAt filter=toDate<=createdAt"},
		{join(number("min_size", ""), number("sizeMax", ""), number("size_gt", ""), number("'size[lte]'", ""), number("min", ""), text("size_to", ", format: date"), "{name: size, in: query, style: deepObject, schema: {type: object, properties: {min: {type: number}, max: {type: string}, of: {type: integer}}}}"), "", items,
			"items= key=id filter=min_size>=size filter=sizeMax<=size filter=size_gt>=size filter=size[lte]<=size filter=size[min]>=size"},
		{text("until", ", format: date"), "", strings.Replace(items, "secret:", "endedAt: {type: string, format: date-time}, secret:", 1), "items= key=id"},
		{text("sort", ", enum: [name, -name, created, 'size:desc', size_asc, other]"), "", items,
			"items= key=id order=name>name,false order=-name>name,true order=created>createdAt,false order=size:desc>size,true order=size_asc>size,false"},
		{join(text("sort_by", ", enum: [name]"), text("order", ", enum: [asc, desc]")), "", items, "items= key=id order=name+asc>name,false order=name+desc>name,true"},
	} {
		assert.Equal(t, row.want, found(t, row.parameters, row.headers, row.answer), row.parameters)
	}
}

func TestTheNextPageIsNamedByAMemberAFieldOrTheLastItem(t *testing.T) {
	cursor := &openapi.Parameter{Name: "cursor"}
	for _, row := range []struct {
		l                  openapi.Listing
		answer, link, want string
	}{
		{openapi.Listing{Next: "/next"}, `{"next":"c2"}`, "", "c2"},
		{openapi.Listing{Next: "/next"}, `{"next":null}`, "", ""},
		{openapi.Listing{Next: "/next"}, `{}`, "", ""},
		{openapi.Listing{Next: "/next"}, `{"next":"https://x/things?limit=2&cursor=a%2Bb"}`, "", "a+b"},
		{openapi.Listing{NextField: "Link"}, `[]`, `<https://x/?cursor=a>; rel="prev", <https://x/?tags=a,b&cursor=c>; rel="next"`, "c"},
		{openapi.Listing{NextField: "Link"}, `[]`, `<https://x/?cursor=a>; rel="prev"`, ""},
		{openapi.Listing{Key: "id"}, `[{"id":7},{"id":9}]`, "", "9"},
		{openapi.Listing{Key: "id"}, `[]`, "", ""},
	} {
		doc, err := jsontree.Parse([]byte(row.answer))
		require.NoError(t, err)
		row.l.Cursor = cursor
		page := resource.Page{Root: doc.Root, Field: func(string) *jsontree.Value { return jsontree.NewString(row.link) }}
		got := ""
		if v := page.Next(&row.l); v != nil {
			got = v.Text
		}
		assert.Equal(t, row.want, got, row.answer+row.link)
	}
}

func TestTheNewestItemIsTheOneMadeLastUnlessRequestsGiveATime(t *testing.T) {
	const document = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/x: {
  post: {operationId: add, requestBody: {content: {application/json: {schema: {type: object, properties: {MEMBER}}}}}, responses: {"201": {description: d}}},
  get: {operationId: list, description: "All, newest first.", responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}}}`
	for member, counts := range map[string]bool{
		`name: {type: string}`:                  true,
		`format: {type: string}`:                true,
		`latitude: {type: number}`:              true,
		`seen: {type: string, format: date}`:    false,
		`on: {type: string, format: date-time}`: false,
		`modelYear: {type: integer}`:            false,
		`seenAt: {type: string}`:                false,
		`seen_at: {type: integer}`:              false,
		`releaseDate: {type: string}`:           false,
	} {
		c, err := openapi.Load("d.yaml", []byte(strings.Replace(document, "MEMBER", member, 1)))
		require.NoError(t, err)
		c = resource.FindPaging(c)
		assert.Equal(t, counts, c.Find("list").HasFirst(c.Find("add")), member)
		assert.False(t, c.Find("add").HasFirst(c.Find("add")), member+": no list")
	}
}
