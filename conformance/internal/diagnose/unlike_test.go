package diagnose

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// shelves is a document whose stated values stand beside free ones, deep in optional members.
const shelves = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/shelves: {post: {
	requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string},
	spec: {type: object, required: [port], properties: {port: {type: integer, minimum: 1, maximum: 65535}, low: {type: integer, minimum: 0}, big: {type: integer, format: int64}, kind: {enum: [TCP, UDP, SCTP]}, note: {type: string, maxLength: 20}, last: {type: boolean},
	items: {type: array, minItems: 1, maxItems: 4, items: {type: object, required: [sku], properties: {sku: {type: string}}}},
	sums: {type: array, maxItems: 4, items: {type: object, required: [sum], properties: {sum: {type: integer}}}}}}}}}}},
	responses: {"200": {description: d, content: {application/json: {schema: {}}}}, "400": {description: d, content: {application/json: {schema: {}}}}}}}}}`

// ofShelves runs the valid values of shelves against a server that refuses where a condition on the
// spec holds. It returns what fails, and whether an undocumented rule is suspected.
func ofShelves(t *testing.T, where func(spec *jsontree.Value) bool) (failed []string, suspected bool) {
	doc := fake.Of(t, shelves, fakerun.Mutators(t, "baseline", "optional-members", "boundary-values", "integers")...)
	d := diagnose(t, doc, wrong(doc, func(body *jsontree.Value) bool {
		spec := body.Get("spec")
		return spec != nil && where(spec)
	}))
	for _, id := range d.failed() {
		if id != "post-shelves-undocumented-rule" {
			failed = append(failed, id)
		}
	}
	return failed, d.results["post-shelves-undocumented-rule"].Verdict == report.Fail
}

func count(spec *jsontree.Value, name string) int {
	if v := spec.Get(name); v != nil {
		return len(v.Items)
	}
	return -1
}

func TestAStatedValueThatIsRefusedBesideFreeOnesFails(t *testing.T) {
	for name, row := range map[string]struct {
		wrong  func(spec *jsontree.Value) bool
		failed string
	}{
		"a member of a list": {func(s *jsontree.Value) bool { return text(s, "kind") == "SCTP" }, "kind"},
		"a lower bound":      {func(s *jsontree.Value) bool { return text(s, "low") == "0" }, "low"},
		"an upper bound":     {func(s *jsontree.Value) bool { return text(s, "port") == "65535" }, "port"},
		"the longest text":   {func(s *jsontree.Value) bool { return len([]rune(text(s, "note"))) == 20 }, "note"},
		"more than an int32 holds": {func(s *jsontree.Value) bool {
			return s.Get("big") != nil && jsontree.Compare(text(s, "big"), "2147483647") > 0
		}, "big"},
		"true":          {func(s *jsontree.Value) bool { v := s.Get("last"); return v != nil && v.Bool }, "last"},
		"as many items": {func(s *jsontree.Value) bool { return count(s, "items") == 4 }, "items"},
		"as few items":  {func(s *jsontree.Value) bool { return count(s, "items") == 1 }, "items"},
	} {
		failed, suspected := ofShelves(t, row.wrong)
		assert.Equal(t, []string{"post-shelves-body-spec-" + row.failed + "-accepted"}, failed, name)
		assert.False(t, suspected, name)
	}
}

// A rule about several values, and one about a sum, no schema can say.
func TestAStatedValueThatIsRefusedBesideSomeValuesOnlyDoesNotFail(t *testing.T) {
	seen := map[string]bool{}
	for name, rule := range map[string]func(s *jsontree.Value) bool{
		"a list with numbers in it": func(s *jsontree.Value) bool { return count(s, "sums") > 3 },
		"no great number": func(s *jsontree.Value) bool {
			return s.Get("big") != nil && jsontree.Compare(text(s, "big"), "2000000000") > 0
		},
		"one value with greater ones": func(s *jsontree.Value) bool {
			return text(s, "kind") == "SCTP" && jsontree.Compare(text(s, "port"), "2000") > 0
		},
		"the low one behind the port": func(s *jsontree.Value) bool {
			return s.Get("low") != nil && jsontree.Compare(text(s, "low"), text(s, "port")) < 0
		},
		"each only once": func(s *jsontree.Value) bool {
			again := text(s, "kind") == "SCTP" || seen[text(s, "kind")]
			seen[text(s, "kind")] = s.Get("kind") != nil
			return again && s.Get("kind") != nil
		},
	} {
		failed, suspected := ofShelves(t, rule)
		assert.Empty(t, failed, name)
		assert.True(t, suspected, name)
	}
}

// What is left when a failure is made smaller may be refused for any reason.
func TestARefusalOfAStatedValueIsNotOnlySuspectedBecauseASmallerRequestWouldBe(t *testing.T) {
	const customers = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/customers: {post: {
	requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {name: {type: string}, balance: {type: integer, minimum: -100, maximum: 100}}}}}},
	responses: {"200": {description: d, content: {application/json: {schema: {}}}}, "400": {description: d, content: {application/json: {schema: {}}}}}}}}}`
	doc := fake.Of(t, customers, fakerun.Mutators(t, "baseline", "optional-members", "boundary-values")...)
	d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if fake.Holds(r, "balance=-100") {
			return refuse()
		}
		return doc.Conforming(r)
	})
	require.Len(t, d.failed(), 1)
	assert.Equal(t, requirement.RoleAcceptance, d.judge.Bound[d.found[0].At].Rule.Role)
}

// A listed value of a path may name what is not there, or what is not for everybody.
func TestAListedValueOfAPathThatIsRefusedForItsFormFails(t *testing.T) {
	const colours = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/colours/{name}": {METHOD: {
	parameters: [{name: name, in: path, required: true, schema: {type: string, enum: [red, "blue black"]}}],
	responses: {"200": {description: d, content: {application/json: {schema: {}}}}, "400": {description: d}, "403": {description: d}, "404": {description: d}}}}}}`
	for _, row := range []struct {
		method string
		status int
		fails  bool
	}{
		{"get", 200, false}, {"get", 400, true},
		{"get", 403, false}, {"get", 404, false},
		{"delete", 400, false},
	} {
		doc := fake.Of(t, strings.NewReplacer("METHOD", row.method).Replace(colours), fakerun.Mutators(t, "baseline", "boundary-values")...)
		d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
			if bytes.Contains(r.Head, []byte("/blue%20black ")) {
				return fake.Answer(row.status, "application/json", "{}")
			}
			return fake.Answer(200, "application/json", "{}")
		})
		assert.Equal(t, row.fails, len(d.failed()) > 0, "%v: %v", row, d.failed())
	}
}

func TestAParameterThatIsLeftOutIsNoOtherCountOfItsItems(t *testing.T) {
	one := jsontree.NewArray(jsontree.NewString("a"))
	assert.Nil(t, inner(0, 1)(&openapi.Choice{Path: "query/sortby", Value: one}))
	assert.Empty(t, inner(0, 1)(&openapi.Choice{Path: "/tags", Value: one}).Items)
	assert.Len(t, inner(1, 0)(&openapi.Choice{Path: "query/sortby", Value: jsontree.NewArray(one, one)}).Items, 1)
}

// ruled refuses valid requests for which a rule holds, and answers 200 to the others. The rule asks for the
// values of a request by their places; a missing one is empty.
func ruled(doc *fake.Document, status int, rule func(at func(path string) string) bool) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		sent, answer := doc.Endpoint.ClassifyBytes(doc.Op(), r, r.Body), doc.Conforming(r)
		at := func(path string) string {
			if v := sent.Body.At(path); v != nil {
				return string(v.Emit())
			}
			return ""
		}
		switch {
		case answer.Response.Status == 200 && rule(at):
			return fake.Answer(status, "", "")
		case answer.Response.Status == 200:
			return fake.Answer(200, "application/json", "{}")
		}
		return answer
	}
}

// with is a document of one operation with some parameters and, but for GET, members of the body.
func with(method, parameters, members string) string {
	body := "requestBody: {required: true, content: {application/json: {schema: {type: object, " + members + "}}}},"
	if method == "get" {
		body = ""
	}
	return strings.NewReplacer("METHOD", method, "PARAMETERS", parameters, "BODY", body).Replace(`{openapi: 3.1.0, info: {title: t, version: "1"},
	paths: {/orders: {METHOD: {parameters: [PARAMETERS], BODY responses: {"200": {description: d, content: {application/json: {schema: {}}}},
	"400": {description: d}, "402": {description: d}, "403": {description: d}, "422": {description: d}}}}}}`)
}

const (
	delivery = `required: [item], properties: {item: {type: string}, delivery: {enum: [post, courier, pickup]}, store: {type: string}, note: {type: string, maxLength: 9}}`
	nested   = `properties: {item: {type: string}, shipping: {type: object, properties: {way: {enum: [post, pickup]}, store: {type: string}, insured: {type: boolean}}}}`
	payment  = `required: [currency], properties: {currency: {enum: [EUR, USD]}, way: {enum: [card, iban, cash]}, iban: {type: string}, terms: {type: boolean}}`
	leading  = `required: [delivery], properties: {delivery: {enum: [pickup, post, courier]}, store: {type: string}}`
	guest    = `{name: room, in: query, schema: {type: string}}, {name: mail, in: query, schema: {type: string, format: email}}`
	sorted   = `{name: sort, in: query, schema: {enum: [name, day]}}, {name: order, in: query, schema: {enum: [asc, desc]}}, {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50}}`
)

// No schema says which values go together, so that they are refused is only suspected. A value that is refused
// beside all others fails, and so does a member that must never be left out.
func TestAStatedValueThatIsRefusedOnlyWithoutAnotherOneIsSuspected(t *testing.T) {
	for name, row := range map[string]struct {
		document string
		status   int
		refuses  func(at func(path string) string) bool
		// about is what the suspected rule is about, failed the requirement that fails instead.
		about, failed string
	}{
		"a member of a list needs a member": {with("post", "", delivery), 422, func(at func(string) string) bool {
			return at("/delivery") == `"pickup"` && at("/store") == ""
		}, "/delivery without /store", ""},
		"the same of a PATCH": {with("patch", "", delivery), 400, func(at func(string) string) bool {
			return at("/delivery") == `"pickup"` && at("/store") == ""
		}, "/delivery without /store", ""},
		"inside an object": {with("put", "", nested), 422, func(at func(string) string) bool {
			return at("/shipping/way") == `"pickup"` && at("/shipping/store") == ""
		}, "/shipping/way without /shipping/store", ""},
		"two members are needed": {with("post", "", payment), 422, func(at func(string) string) bool {
			return at("/way") == `"iban"` && (at("/iban") == "" || at("/terms") == "")
		}, "/way without /iban, /terms", ""},
		"a member with one of its values is needed": {with("post", "", payment), 422, func(at func(string) string) bool {
			return at("/way") == `"iban"` && at("/terms") != "true"
		}, "/way without /terms", ""},
		"a member of another list": {with("post", "", payment), 422, func(at func(string) string) bool {
			return at("/way") == `"iban"` && at("/currency") != `"USD"`
		}, "/way beside this /currency", ""},
		"a parameter needs another one": {with("get", guest, ""), 400, func(at func(string) string) bool {
			return at("query/mail") != "" && at("query/room") == ""
		}, "query/mail without query/room", ""},
		"a listed parameter needs another one": {with("get", sorted, ""), 422, func(at func(string) string) bool {
			return at("query/sort") != "" && at("query/order") == ""
		}, "query/sort without query/order", ""},
		"the first member of a list needs a member": {with("post", "", leading), 422, func(at func(string) string) bool {
			return at("/delivery") == `"pickup"` && at("/store") == ""
		}, "/delivery without /store", ""},
		"the first of a parameter's": {with("get", `{name: view, in: query, required: true, schema: {enum: [near, all]}}, {name: place, in: query, schema: {type: string}}`, ""), 400, func(at func(string) string) bool {
			return at("query/view") == `"near"` && at("query/place") == ""
		}, "query/view without query/place", ""},
		"it needs a plan":              {with("post", "", delivery), 402, func(at func(string) string) bool { return at("/delivery") == `"courier"` }, "/delivery", ""},
		"it needs a right":             {with("get", sorted, ""), 403, func(at func(string) string) bool { return at("query/sort") == `"day"` }, "query/sort", ""},
		"it is never taken":            {with("post", "", delivery), 422, func(at func(string) string) bool { return at("/delivery") == `"pickup"` }, "", "post-orders-body-delivery-accepted"},
		"nor in an object":             {with("patch", "", nested), 400, func(at func(string) string) bool { return at("/shipping/way") == `"pickup"` }, "", "patch-orders-body-shipping-way-accepted"},
		"nor in a query":               {with("get", sorted, ""), 400, func(at func(string) string) bool { return at("query/order") == `"desc"` }, "", "get-orders-query-order-accepted"},
		"nor a bound":                  {with("get", sorted, ""), 400, func(at func(string) string) bool { return at("query/limit") == "50" }, "", "get-orders-query-limit-accepted"},
		"nor a truth":                  {with("post", "", nested), 400, func(at func(string) string) bool { return at("/shipping/insured") == "true" }, "", "post-orders-body-shipping-insured-accepted"},
		"a member is always needed":    {with("post", "", delivery), 422, func(at func(string) string) bool { return at("/store") == "" }, "", "post-orders-body-store-optional"},
		"a parameter is always needed": {with("get", sorted, ""), 400, func(at func(string) string) bool { return at("query/limit") == "" }, "", "get-orders-query-limit-optional"},
	} {
		doc := fake.Of(t, row.document, fakerun.Mutators(t, "baseline", "optional-members", "boundary-values")...)
		d := diagnose(t, doc, ruled(doc, row.status, row.refuses))
		rule := doc.Op().Slug + "-undocumented-rule"
		if row.failed != "" {
			assert.Equal(t, []string{row.failed}, d.failed(), name)
			continue
		}
		assert.Equal(t, []string{rule}, d.failed(), name)
		assert.Equal(t, "a success, or a rule in the document about "+row.about, d.finding(t, rule).Failure.Outcome.Expected, name)
	}
}

// A listed value may ask for a member that the others do without: a text that the document leaves open may
// be why it is refused, and one with a pattern is not.
func TestAListedValueFailsWhereItsBranchAsksForNoFreeText(t *testing.T) {
	const branches = `required: [way], properties: {way: {enum: [near, far]}, zone: {type: string, TEXT}}, ` +
		`if: {properties: {way: {const: far}}}, then: {required: [zone]}, else: {properties: {zone: false}}`
	for text, failed := range map[string]bool{`pattern: "^[A-Z]{2}$"`: true, "minLength: 2, maxLength: 2": false, "maxLength: 30": false} {
		doc := fake.Of(t, with("post", "", strings.Replace(branches, "TEXT", text, 1)), fakerun.Mutators(t, "baseline", "optional-members", "boundary-values", "conditions")...)
		d := diagnose(t, doc, ruled(doc, 400, func(at func(string) string) bool { return at("/way") == `"far"` }))
		accepted := slices.ContainsFunc(d.failed(), func(id string) bool { return strings.HasSuffix(id, "-accepted") })
		assert.Equal(t, failed, accepted, "%s: %v", text, d.failed())
		assert.Equal(t, !failed, slices.Contains(d.failed(), "post-orders-undocumented-rule"), "%s: %v", text, d.failed())
	}
}

// A member that a listed value can do without is not why it is refused.
func TestAListedValueFailsAlthoughAFreeMemberStandsBesideIt(t *testing.T) {
	const ways = `required: [way], properties: {way: {enum: [card, iban]}, card: {type: string}}, ` +
		`if: {properties: {way: {const: card}}}, then: {required: [card], properties: {card: {pattern: "^[0-9]{16}$"}}}`
	doc := fake.Of(t, with("post", "", ways), fakerun.Mutators(t, "baseline", "optional-members", "boundary-values", "conditions")...)
	d := diagnose(t, doc, ruled(doc, 400, func(at func(string) string) bool { return at("/way") == `"iban"` }))
	assert.Equal(t, []string{"post-orders-body-way-accepted"}, d.failed())
}

// What a thing takes may depend on what was done to it before, step by step.
func TestAListedValueThatAThingTakesInAnotherStateIsSuspected(t *testing.T) {
	const steps = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/doors/{name}": {put: {
	parameters: [{name: name, in: path, required: true, schema: {type: string}}],
	requestBody: {required: true, content: {application/json: {schema: {type: object, required: [to], properties: {to: {enum: [open, shut, locked, gone]}}}}}},
	responses: {"200": {description: d, content: {application/json: {schema: {}}}}, "422": {description: d}}}}}}`
	for never, failed := range map[string][]string{
		"":       {"put-doors-name-undocumented-rule"},
		"locked": {"put-doors-name-body-to-accepted", "put-doors-name-undocumented-rule"},
	} {
		doc := fake.Of(t, steps, fakerun.Mutators(t, "baseline", "boundary-values")...)
		state, next := map[string]string{}, map[string]string{"": "open", "open": "shut", "shut": "open locked", "locked": "shut gone"}
		d := diagnose(t, doc, ruled(doc, 422, func(at func(string) string) bool {
			door, to := at("path/name"), strings.Trim(at("/to"), `"`)
			if to == never || to != state[door] && !strings.Contains(next[state[door]], to) {
				return true
			}
			state[door] = to
			return false
		}))
		assert.Equal(t, failed, d.failed(), "never %s", never)
		assert.Equal(t, "a success, or a rule in the document about /to in this state", d.finding(t, "put-doors-name-undocumented-rule").Failure.Outcome.Expected)
	}
}

// The server knows no token that the run makes up, so it refuses such a token in other words than a missing
// one. A message about another member says nothing of the value.
func TestAListedValueWhoseMemberNamesWhatIsUnknownIsSuspected(t *testing.T) {
	const token = `required: [grant], properties: {grant: {enum: [client, refresh]}, token: {type: string}, size: {type: integer, maximum: 9}}`
	for failed, says := range map[string]func(at func(path string) string) string{
		"post-orders-undocumented-rule": func(at func(string) string) string {
			switch {
			case at("/grant") != `"refresh"`:
				return ""
			case at("/token") == "":
				return "token is missing"
			}
			return "nobody has this token"
		},
		"post-orders-body-grant-accepted": func(at func(string) string) string {
			switch {
			case at("/token") != "":
				return "no tokens today"
			case at("/grant") == `"refresh"`:
				return "no such grant"
			}
			return ""
		},
	} {
		doc := fake.Of(t, with("post", "", token), fakerun.Mutators(t, "baseline", "boundary-values")...)
		text := ""
		server := ruled(doc, 422, func(at func(path string) string) bool { text = says(at); return text != "" })
		d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
			if e := server(r); e.Response.Status != 422 {
				return e
			}
			return fake.Answer(422, "text/plain", text)
		})
		assert.Contains(t, d.failed(), failed)
		assert.Equal(t, failed == "post-orders-body-grant-accepted", slices.Contains(d.failed(), "post-orders-body-grant-accepted"), failed)
	}
}

// A UUID may name something. That null is accepted does not show that the server knows every UUID.
func TestAUUIDThatNamesNothingIsSuspectedThoughNullIsTaken(t *testing.T) {
	doc := fake.Of(t, with("post", "", `properties: {manager: {type: [string, "null"], format: uuid}}`), fakerun.Mutators(t, "baseline", "optional-members", "boundary-values")...)
	d := diagnose(t, doc, ruled(doc, 400, func(at func(string) string) bool { return at("/manager") != "" && at("/manager") != "null" }))
	assert.Equal(t, []string{"post-orders-undocumented-rule"}, d.failed())
}
