package diagnose

import (
	"bytes"
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
