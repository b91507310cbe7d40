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
	resource.FindPaging(c)
	before := requirement.Derive(c)
	set, err := requirement.Overlay(before, c, "r.yaml", []byte(file), nil)
	if err != nil {
		return c, nil, err
	}
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
		"operations: {lend: {keepsRest: true}}":                                                     "r.yaml:1:32: keepsRest is for PATCH, and lend is a POST: remove the line",
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
