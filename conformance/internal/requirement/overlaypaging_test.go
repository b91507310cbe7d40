package requirement_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

// shelves has a list with everything that a line may promise, one that continues by a
// cursor whose place no name tells, and an operation that lists nothing.
const shelves = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /books: {get: {operationId: books, parameters: [{name: limit, in: query, schema: {type: integer}}, {name: offset, in: query, schema: {type: integer}},
      {name: few, in: query, schema: {type: integer, minimum: 50}}, {name: state, in: query, schema: {type: string, enum: [x, y]}}, {name: tags, in: query, schema: {type: array, items: {type: string}}},
      {name: sort, in: query, schema: {type: string, enum: [title, -title]}}, {name: q, in: query, schema: {type: string}}],
    responses: {"200": {description: d, headers: {X-Total-Count: {schema: {type: integer}}}, content: {application/json: {schema: {type: array, items: &book {type: object,
      properties: {id: {type: string}, isbn: {type: string}, title: {type: string}, state: {type: string}, tags: {type: array, items: {type: string}}}}}}}}}}},
  /loans: {get: {operationId: loans, parameters: [{name: limit, in: query, schema: {type: integer}}, {name: cursor, in: query, schema: {type: string}}],
    responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {rest: {type: string}, items: {type: array, items: *book}}}}}}}}},
  /time: {get: {operationId: time, responses: {"200": {description: d}}}}}}`

// overlaid returns the rows about lists with a requirements file, each with its level.
func overlaid(t *testing.T, file string) ([]string, error) {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(shelves))
	require.NoError(t, err)
	resource.FindPaging(c)
	set, err := requirement.Overlay(requirement.Derive(c), c, "r.yaml", []byte(file), nil)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, r := range set.List {
		if slices.Contains([]string{"page-limit", "pages-disjoint", "pages-complete", "total", "filtered", "sorted"}, r.Rule) {
			out = append(out, r.ID+" "+string(r.Level))
			assert.Equal(t, r.Level == report.Open, r.Free, r.ID)
			assert.Contains(t, r.Clause.Pointer, "/paths/", r.ID)
		}
	}
	return out, nil
}

func TestListsAreObservedUntilTheFilePromisesSomething(t *testing.T) {
	for file, want := range map[string]string{
		"":                       "get-books-page-limit OPEN, get-books-pages-disjoint OPEN, get-books-pages-complete OPEN, get-books-total OPEN, get-books-filtered-state OPEN, get-books-filtered-tags OPEN, get-books-sorted OPEN, get-loans-page-limit OPEN",
		"paging: {limit: limit}": "get-books-page-limit MUST, get-books-pages-disjoint OPEN, get-books-pages-complete OPEN, get-books-total OPEN, get-books-filtered-state OPEN, get-books-filtered-tags OPEN, get-books-sorted OPEN, get-loans-page-limit MUST",
		"paging: {limit: limit, cursor: cursor, next: /rest, offset: offset}":                                "get-books-page-limit MUST, get-books-pages-disjoint MUST, get-books-pages-complete MUST, get-books-total OPEN, get-books-filtered-state OPEN, get-books-filtered-tags OPEN, get-books-sorted OPEN, get-loans-page-limit MUST, get-loans-pages-disjoint MUST, get-loans-pages-complete MUST",
		"paging: [{operation: GET /books, total: X-Total-Count, filters: [state, {tags: all}], sort: sort}]": "get-books-page-limit OPEN, get-books-pages-disjoint OPEN, get-books-pages-complete OPEN, get-books-total MUST, get-books-filtered-state MUST, get-books-filtered-tags MUST, get-books-sorted MUST, get-loans-page-limit OPEN",
	} {
		got, err := overlaid(t, file)
		require.NoError(t, err, file)
		assert.Equal(t, want, strings.Join(got, ", "), file)
	}
}

func TestALineAboutListsSaysWhatIsWrongAndWhatToWrite(t *testing.T) {
	for file, want := range map[string]string{
		"paging: limit":                                                              "r.yaml:1:9: paging is a text: write a mapping with limit, offset, page, cursor, next, total, key, filters, sort",
		"paging: {limits: limit}":                                                    `r.yaml:1:10: unknown key "limits" in paging: use one of limit, offset, page, cursor, next, total, key, filters, sort`,
		"paging: {limit: size}":                                                      "r.yaml:1:17: no list has this: correct it, or write a line for each list, with operation, one of books, loans",
		"paging: {limit: limit, filters: [nothing]}":                                 "r.yaml:1:34: no list has this: correct it, or write a line for each list, with operation, one of books, loans",
		"paging: [{limit: limit}]":                                                   "r.yaml:1:10: operation is missing: name the one that lists things, such as books, loans",
		"paging: [{operation: time, limit: limit}]":                                  `r.yaml:1:22: "time" is no operation that lists things: use one of books, loans`,
		"paging: [{operation: books}]":                                               "r.yaml:1:10: the line promises nothing: add one of limit, offset, page, cursor, next, total, key, filters, sort",
		"paging: [{operation: books, limit: size}]":                                  `r.yaml:1:36: books has no parameter "size" in the query: use one of limit, offset, few, state, tags, sort, q`,
		"paging: [{operation: books, limit: few}]":                                   "r.yaml:1:36: few allows no page of 20 items or fewer: leave limit out",
		"paging: [{operation: loans, limit: limit, cursor: cursor}]":                 "r.yaml:1:51: where an answer names the next page is not known: add next, a pointer such as /next or the name of a header field",
		"paging: [{operation: books, total: /total}]":                                `r.yaml:1:36: "/total" is not a place in the answer: use one of /*`,
		"paging: [{operation: books, total: Count}]":                                 `r.yaml:1:36: "Count" is neither a pointer such as /Count nor one of the header fields X-Total-Count`,
		"paging: [{operation: loans, total: Count}]":                                 `r.yaml:1:36: "Count" is neither a pointer such as /Count nor a documented header field of the answer`,
		"paging: [{operation: books, filters: [q]}]":                                 `r.yaml:1:39: the items have no member "q" with such values: leave it out`,
		"paging: [{operation: books, filters: [{tags: some}]}]":                      `r.yaml:1:39: bad "tags": write all or any, for items that have all of several values, or one of them`,
		"paging: [{operation: books, sort: q}]":                                      "r.yaml:1:35: q has no enum with the names of members: leave sort out",
		"paging: [{operation: books, key: no, limit: limit}]":                        `r.yaml:1:34: the items have no member "no": use one that no two items share`,
		"paging: [{operation: books, sort: sort}, {operation: books, limit: limit}]": "r.yaml:1:42: books is given twice, first at r.yaml:1:10: remove one",
	} {
		_, err := overlaid(t, file)
		assert.EqualError(t, err, want, file)
	}
}
