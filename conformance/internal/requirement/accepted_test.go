package requirement_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
	"plantstore/spec"
)

// loans has what each line about an operation may be about, and no text at all.
const loans = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /loans: {
    get: {operationId: loans, security: [{b: []}], parameters: [{name: limit, in: query, schema: {type: integer}}, {name: offset, in: query, schema: {type: integer}}, {name: sort, in: query, schema: {type: string, enum: [title, -title]}}],
      responses: {"200": {description: d, headers: {X-Total-Count: {schema: {type: integer}}}, content: {application/json: {schema: {type: array, items: &loan {type: object,
        properties: {id: {type: string}, title: {type: string}, state: {type: string, enum: [open, returned, lost]}}}}}}}}},
    post: {operationId: lend, parameters: [{name: Again-Key, in: header, schema: {type: string}}], requestBody: {content: {application/json: {schema: &new {type: object, required: [title], properties: {title: {type: string}, note: {type: string}, pin: {type: string, writeOnly: true}}}}}},
      responses: {"201": {description: d, content: {application/json: {schema: *loan}}}}}},
  "/loans/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    get: {operationId: loan, security: [{b: []}], responses: {"200": {description: d, content: {application/json: {schema: *loan}}}}},
    put: {operationId: replace, requestBody: {content: {application/json: {schema: *new}}}, responses: {"200": {description: d, content: {application/json: {schema: *loan}}}}},
    patch: {operationId: change, requestBody: {content: {application/json: {schema: {type: object, properties: {title: {type: string}}}}}}, responses: {"200": {description: d, content: {application/json: {schema: *loan}}}}},
    delete: {operationId: forget, responses: {"204": {description: d}}}},
  "/loans/{id}/return": {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
    post: {operationId: return, responses: {"200": {description: d, content: {application/json: {schema: *loan}}}}}},
  /time: {get: {operationId: time, responses: {"200": {description: d}}}}},
  components: {securitySchemes: {b: {type: http, scheme: bearer}}}}`

// accepted returns the contract with a requirements file, and the rows of which the file makes a
// MUST.
func accepted(t *testing.T, file string) (*openapi.Contract, []string, error) {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(loans))
	require.NoError(t, err)
	c = resource.FindPaging(c)
	before := requirement.Derive(c, checks.Rules())
	set, changed, err := requirement.Overlay(before, c, "r.yaml", []byte(file), nil)
	if err != nil {
		return c, nil, err
	}
	c = changed
	var out []string
	for _, r := range set.List {
		was := before.Find(r.ID)
		if r.Level == report.Must && (was == nil || was.Level != report.Must) {
			out = append(out, r.ID)
			assert.Empty(t, r.Evidence, r.ID)
		}
	}
	return c, out, nil
}

func TestALineAboutAnOperationMakesAMust(t *testing.T) {
	for line, want := range map[string]string{
		"return: {allowedIn: {state: [open]}}":                         "post-loans-id-return-state-refused",
		"forget: {allowedIn: {state: [returned, lost]}}":               "delete-loans-id-state-refused",
		"change: {keepsRest: true}":                                    "get-loans-id-patch-leaves-rest",
		"replace: {keepsRest: true}":                                   "get-loans-id-patch-leaves-rest",
		"replace: {replacesAll: true}":                                 "get-loans-id-replaced-members, get-loans-id-replaced-whole",
		"GET /loans: {newestFirst: true}":                              "get-loans-newest-first",
		"lend: {listed: true}":                                         "get-loans-stored-added",
		"lend: {madeOnce: again-key}":                                  "post-loans-made-once",
		"lend: {keepsWriteOnly: true}":                                 "post-loans-write-only-echoed, get-loans-id-write-only-kept",
		"forget: {unlisted: true}":                                     "get-loans-unlisted",
		"forget: {gone: true}":                                         "get-loans-id-gone, patch-loans-id-gone",
		"loan: {gone: true}":                                           "get-loans-id-gone",
		"loan: {visibleTo: owner}":                                     "get-loans-id-others-kept",
		"loan: {visibleTo: anyone}":                                    "",
		"loans: {visibleTo: owner}":                                    "get-loans-others-unlisted",
		"loans: {order: sort, total: X-Total-Count}":                   "get-loans-total, get-loans-sorted",
		"loans: {paging: {limit: limit, offset: offset}, order: sort}": "get-loans-page-limit, get-loans-pages-disjoint, get-loans-pages-complete, get-loans-sorted",
		"lend:": "",
	} {
		c, got, err := accepted(t, "operations:\n  "+line)
		require.NoError(t, err, line)
		assert.Equal(t, want, strings.Join(got, ", "), line)
		assert.False(t, slices.ContainsFunc(c.Operations, func(op *openapi.Operation) bool { return op.Accepted.Valid }), line)
	}
}

func TestValidRequestsAreAcceptedByTheWholeServiceOrByAnOperation(t *testing.T) {
	for file, want := range map[string]int{"valid: accepted": 8, "operations: {lend: {valid: accepted}}": 1, "operations:": 0} {
		c, _, err := accepted(t, file)
		require.NoError(t, err, file)
		n := 0
		for _, op := range c.Operations {
			if op.Accepted.Valid {
				n++
			}
		}
		assert.Equal(t, want, n, file)
	}
}

func TestLinesInSeveralPlacesAboutAListAreJoined(t *testing.T) {
	_, got, err := accepted(t, "paging: {limit: limit}\noperations: {loans: {order: sort}}")
	require.NoError(t, err)
	assert.Equal(t, "get-loans-page-limit, get-loans-sorted", strings.Join(got, ", "))
}

func TestALineAboutAnOperationSaysWhatIsWrongAndWhatToWrite(t *testing.T) {
	for file, want := range map[string]string{
		"valid: refused":                     `r.yaml:1:8: bad valid "refused": write accepted, or remove the line`,
		"operations: 7":                      "r.yaml:1:13: operations is a number: write a mapping with the names of operations",
		"operations: {lent: {listed: true}}": `r.yaml:1:14: no operation "lent": did you mean lend?`,
		"operations: {lend: {listed: true}, POST /loans: {listed: true}}":                           "r.yaml:1:49: lend is given twice, first at r.yaml:1:20: write its lines in one place",
		"operations: {lend: {list: true}}":                                                          `r.yaml:1:21: unknown key "list" in lend: use one of valid, allowedIn, keepsRest, replacesAll, newestFirst, listed, unlisted, gone, madeOnce, visibleTo, keepsWriteOnly, paging, total, filters, order`,
		"operations: {lend: {listed: false}}":                                                       "r.yaml:1:29: listed is false: write true, or remove the line",
		"operations: {lend: {listed: }}":                                                            "r.yaml:1:28: listed is empty: write true, or remove the line",
		"operations: {lend: {keepsRest: true}}":                                                     "r.yaml:1:32: keepsRest is for PATCH and PUT, and lend is a POST: remove the line",
		"operations: {return: {listed: true}}":                                                      "r.yaml:1:31: listed of return cannot be judged, because no list at the same path shows without being asked what it makes: remove the line",
		"operations: {time: {visibleTo: owner}}":                                                    "r.yaml:1:32: visibleTo of time cannot be judged, because it needs no credential, or names nothing that another operation makes: remove the line",
		"operations: {loan: {visibleTo: me}}":                                                       `r.yaml:1:32: bad visibleTo "me": write owner, for the principal that made it, or anyone`,
		"operations: {lend: {madeOnce: Agan-Key}}":                                                  `r.yaml:1:31: lend has no header parameter "Agan-Key": did you mean Again-Key?`,
		"operations: {return: {madeOnce: Key}}":                                                     "r.yaml:1:33: return has no header parameter: remove the line",
		"operations: {return: {allowedIn: open}}":                                                   "r.yaml:1:34: allowedIn is a text: write the member that has the state and its values, such as {status: [open]}",
		"operations: {return: {allowedIn: {status: [open]}}}":                                       `r.yaml:1:43: "status" is no member with few values: did you mean state?`,
		"operations: {return: {allowedIn: {state: [opened]}}}":                                      `r.yaml:1:43: "\"opened\"" is no value of state: use one of open, returned, lost`,
		"operations: {return: {allowedIn: {state: []}}}":                                            "r.yaml:1:42: state has no values: write those in which return is allowed, such as [open]",
		"operations: {time: {allowedIn: {state: [open]}}}":                                          "r.yaml:1:32: nothing that can be read of what time is about has a state, a member with few values: remove the line",
		"operations: {time: {order: sort}}":                                                         "r.yaml:1:28: time is no operation that lists things: use one of loans",
		"operations: {loans: {paging: {}}}":                                                         "r.yaml:1:30: the line promises nothing: add one of limit, offset, page, cursor, next, total, key, filters, sort",
		"operations: {loans: {paging: {limit: size}}}":                                              `r.yaml:1:38: loans has no parameter "size" in the query: use one of limit, offset, sort`,
		"operations: {loans: {order: limit}}":                                                       "r.yaml:1:29: limit has no enum with the names of members: leave order out",
		"paging: [{operation: loans, limit: limit}]\noperations: {loans: {paging: {limit: limit}}}": "r.yaml:2:30: loans is given twice, first at r.yaml:1:10: remove one",
	} {
		c, _, err := accepted(t, file)
		assert.EqualError(t, err, want, file)
		for _, op := range c.Operations {
			assert.Equal(t, openapi.Accepted{}, op.Accepted, file)
		}
	}
}

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
	c = resource.FindPaging(c)
	set, _, err := requirement.Overlay(requirement.Derive(c, checks.Rules()), c, "r.yaml", []byte(file), nil)
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

func TestEveryCandidateCanBeAcceptedAloneAndWithAllOthers(t *testing.T) {
	load := func() (*openapi.Contract, *requirement.Set) {
		c, err := openapi.Load("d.yaml", []byte(loans))
		require.NoError(t, err)
		c = resource.FindPaging(c)
		return c, requirement.Derive(c, stated())
	}
	c, set := load()
	list := requirement.Candidates(c, set)
	lines := map[string][]string{}
	var keys []string
	for _, one := range list {
		line := fmt.Sprintf("    %s: %s\n", one.Key, one.Value)
		lines[one.Op.Slug] = append(lines[one.Op.Slug], line)
		keys = append(keys, one.Op.Name()+" "+one.Key)
		again, before := load()
		_, _, err := requirement.Overlay(before, again, "r.yaml", []byte("operations:\n  "+one.Op.Slug+":\n"+line), nil)
		assert.NoError(t, err, line)
		assert.NotEmpty(t, one.Rows, line)
		assert.NotEmpty(t, one.Says, line)
	}
	for _, want := range []string{"loans newestFirst", "loans paging", "loans total", "loans order", "lend listed", "lend keepsWriteOnly", "replace replacesAll", "change keepsRest", "forget unlisted"} {
		assert.Contains(t, keys, want)
	}
	var all strings.Builder
	all.WriteString("operations:\n")
	for _, op := range c.Operations {
		all.WriteString("  " + op.Slug + ":\n" + strings.Join(lines[op.Slug], ""))
		assert.Equal(t, openapi.Accepted{}, op.Accepted, "a guess is no promise")
	}
	again, before := load()
	_, _, err := requirement.Overlay(before, again, "r.yaml", []byte(all.String()), nil)
	assert.NoError(t, err, all.String())
}

// A thing may leave such a state before a request comes: the line would call a right answer wrong.
func TestTheStatesThatAreProposedHaveThoseThatAServerSeemsToLeaveByItself(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /jobs: {post: {requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}, responses: {"201": {description: d, content: {application/json: {schema: &job {type: object, properties: {id: {type: integer}, status: {enum: [queued, done, archived]}}}}}}}}},
  "/jobs/{id}": {get: {parameters: &id [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: d, content: {application/json: {schema: *job}}}}}},
  "/jobs/{id}/archive": {post: {operationId: archive, description: "Only a `+"`done`"+` job can be archived; any other state is answered with 409.", parameters: *id, responses: {"200": {description: d}, "409": {description: d}}}}}}`))
	require.NoError(t, err)
	_, c = resource.Analyse(c)
	var got []string
	for _, one := range requirement.Candidates(c, requirement.Derive(c, stated())) {
		if one.Key == "allowedIn" {
			got = append(got, one.Op.Name()+" "+one.Value)
		}
	}
	assert.Equal(t, []string{"archive {status: [queued, done]}"}, got)
}

func TestASentenceNamesTheConditionAndThePatternThatItIsAbout(t *testing.T) {
	c, err := openapi.Load("offers.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/offers: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [kind],
    properties: {kind: {enum: [flat, percent]}, amount: {type: number}, m: {type: object, patternProperties: {"^n_": {type: integer}, "^s_": {type: string}}}},
    if: {properties: {kind: {const: percent}}, required: [kind]},
    then: {properties: {amount: {maximum: 100}}}, else: {properties: {amount: {maximum: 9999}}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`))
	require.NoError(t, err)
	sentences := map[string]bool{}
	for _, r := range requirement.Derive(c, stated()).List {
		sentences[r.Sentence] = true
	}
	for _, want := range []string{
		"/amount is at most its maximum where /kind is percent. A request that violates this is refused.",
		"/amount is at most its maximum where /kind is not percent. A request that violates this is refused.",
		"/m/{^n_} is an integer. A request that violates this is refused.",
		"/m/{^s_} is a string. A request that violates this is refused.",
	} {
		assert.True(t, sentences[want], want)
	}
}

func TestTheRequirementAboutWholeRequestsTakesWhatNoOtherIsAbout(t *testing.T) {
	c, err := openapi.Load("maps.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/maps: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [m, n],
    properties: {n: {type: integer}, m: {type: object, patternProperties: {"^s_": {type: [string, "null"]}}}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`))
	require.NoError(t, err)
	r := requirement.Derive(c, stated()).Find("post-maps-valid-accepted")
	require.NotNil(t, r)
	assert.Equal(t, map[string]bool{"/n": true}, r.Args.Others)
}

func TestEveryKeywordOfThePlantStoreGivesOneRequirement(t *testing.T) {
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"post-plants-answered", "post-plants-framing",
		"bearer-required", "bearer-scheme", "bearer-token", "bearer-refusal",
		"bearer-scheme-case", "bearer-scheme-blanks", "bearer-challenge",
		"post-plants-valid-accepted", "post-plants-undocumented-rule", "post-plants-body-required", "post-plants-body-json",
		"newplant-object",
		"newplant-name-required", "newplant-name-accepted", "newplant-name-string",
		"newplant-tag-optional", "newplant-tag-accepted", "newplant-tag-string",
		"newplant-id-required", "newplant-id-accepted", "newplant-id-integer", "newplant-id-int64",
		"post-plants-200-status", "post-plants-200-media-type", "post-plants-200-json",
		"plant-object", "plant-name-required", "plant-name-string", "plant-tag-string",
		"post-plants-400-status", "post-plants-belongs", "post-plants-400-media-type", "post-plants-400-json",
		"error-object", "error-error-required", "error-error-integer", "error-error-int32",
		"error-message-required", "error-message-string",
		"json-unique-names", "http-strict-framing",
	}, requirement.Derive(c, stated()).IDs())
}

func TestEveryClauseOfADerivedRowResolves(t *testing.T) {
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	for _, r := range requirement.Derive(c, stated()).List {
		assert.NotEmpty(t, r.Clause.String(), r.ID)
		if r.Clause.Pointer != "" {
			assert.True(t, c.Resolves(r.Clause.Pointer), "%s: %s", r.ID, r.Clause.Pointer)
		}
	}
}

func TestAFileOfKnownFailuresIsAListOfEntries(t *testing.T) {
	got, err := requirement.ReadKnownFailures("k.yaml", []byte(`# why
- requirement: thing-*
  reason: >
    It is
    known.
  link: https://issues.example.com/17
  expires: 2030-12-31
-
  reason: Known too.
  requirement: "size"
- finding: h2e45678
  reason: A kind of fault.
`))
	require.NoError(t, err)
	assert.Equal(t, []requirement.KnownFailure{
		{Pattern: "thing-*", Reason: "It is known.", Link: "https://issues.example.com/17", Expires: time.Date(2030, 12, 31, 0, 0, 0, 0, time.UTC), Line: 2},
		{Pattern: "size", Reason: "Known too.", Line: 9}, {Finding: "h2e45678", Reason: "A kind of fault.", Line: 11}}, got)
	for _, empty := range []string{"", "# nothing yet\n", "[]\n"} {
		got, err := requirement.ReadKnownFailures("k.yaml", []byte(empty))
		require.NoError(t, err)
		assert.Empty(t, got)
	}
}

func TestAFileOfKnownFailuresIsRefusedAtItsLine(t *testing.T) {
	for in, want := range map[string]string{
		"- requirement: a\n  reson: b\n":              `k.yaml:2:3: unknown key "reson": did you mean reason?`,
		"- requirement: a\n  reason: b\n  owner: c\n": `k.yaml:3:3: unknown key "owner": use one of requirement, finding, reason, link, expires`,
		"requirement: a\nreason: b\n":                 "k.yaml:1:1: the file is a mapping: write a list of entries with requirement or finding, and reason",
		"- a\n":                                       "k.yaml:1:3: the entry is a text: write a mapping with requirement or finding, and reason",
		"- requirement: a\n":                          "k.yaml:1:3: the entry has no reason: add one",
		"- reason: a\n":                               "k.yaml:1:3: the entry has no requirement and no finding: add one",
		"- {requirement: a, finding: b, reason: c}":   "k.yaml:1:3: the entry has a requirement and a finding: keep one, or write two entries",
		"- {finding: a, reason: b}\n- {requirement: a, reason: c}\n- {finding: a, reason: d}": `k.yaml:3:13: "a" is in line 1 too: keep one`,
		"- {requirement: a, reason: ' '}":                                "k.yaml:1:28: reason is empty: write something or remove it",
		"- {requirement: 7, reason: a}":                                  "k.yaml:1:17: requirement is a number: write a string, in quotes if it looks like something else",
		"- {requirement: a, reason: b, expires: 2026-02-30}":             `k.yaml:1:40: "2026-02-30" is not a date: write it like 2030-12-31`,
		"- {requirement: a, reason: b, expires: 30.12.2026}":             `k.yaml:1:40: "30.12.2026" is not a date: write it like 2030-12-31`,
		"- {requirement: a, reason: b}\n- {requirement: a, reason: c}\n": `k.yaml:2:17: "a" is in line 1 too: keep one`,
	} {
		_, err := requirement.ReadKnownFailures("k.yaml", []byte(in))
		assert.EqualError(t, err, want, in)
	}
}
