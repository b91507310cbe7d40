package requirement_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
	"plantstore/spec"
)

func rules() []string {
	return []string{"answered", "framing", "refuses-credential", "credential-refusal", "accepts-credential", "challenge",
		"accepted", "optional", "refuses-empty", "refuses-syntax", "refuses-schema", "success-status", "refusal-status",
		"media-type", "answer-json", "answer-schema", "unique-names", "echo", "echo-exact", "echo-may-refuse", "belongs",
		"observe", "unobservable"}
}

func load(t testing.TB, document string) (*openapi.Contract, *requirement.Set) {
	t.Helper()
	c, err := openapi.Load("openapi.yaml", []byte(document))
	require.NoError(t, err)
	return c, requirement.Derive(c, stated())
}

// stated are the rules but for those about header fields that any answer may have.
func stated() []requirement.Rule {
	return slices.DeleteFunc(checks.Rules(), func(r requirement.Rule) bool { return r.Rank == requirement.Header && r.Derive != nil })
}

func overlay(t testing.TB, file string) (*openapi.Contract, *requirement.Set, error) {
	t.Helper()
	c, set := load(t, string(spec.OpenAPI))
	out, changed, err := requirement.Overlay(set, c, "r.yaml", []byte(file), rules())
	if err != nil {
		return c, nil, err
	}
	return changed, out, nil
}

func TestARowOfTheFileReplacesTheWordsOfTheDerivedOneAndNothingElse(t *testing.T) {
	c, set := load(t, string(spec.OpenAPI))
	before := *set.Find("newplant-id-integer")
	out, _, err := requirement.Overlay(set, c, "r.yaml", []byte(`
requirements:
  - id: newplant-id-integer
    sentence: >-
      The id is
      an integer.
    level: SHOULD
    why: ours is old
    section: Resources
    rfc: RFC 8259, 6
`), rules())
	require.NoError(t, err)
	want := before
	want.Sentence, want.Level = "The id is an integer.", report.Should
	want.Clause = requirement.Clause{Section: "Resources", RFC: "RFC 8259, 6", Pointer: before.Clause.Pointer}
	assert.Equal(t, &want, out.Find("newplant-id-integer"))
	assert.Equal(t, before, *set.Find("newplant-id-integer"), "the derived set is left alone")
	assert.Equal(t, set.IDs(), out.IDs())
}

func TestARowWithARuleIsAppended(t *testing.T) {
	c, out, err := overlay(t, `
requirements:
  - id: echo-name
    sentence: The name comes back.
    level: MUST
    section: Plant
    rule: echo
    operation: post-plants
    args: {from: /name, to: /name, kind: exact, path: /id, classes: ["*/valid/*"], statuses: [200, 4XX]}
`)
	require.NoError(t, err)
	assert.Equal(t, &requirement.Requirement{ID: "echo-name", Sentence: "The name comes back.", Level: report.Must,
		Clause: requirement.Clause{Section: "Plant"}, Rule: "echo", Op: c.Operations[0],
		Args: requirement.Args{From: "/name", To: "/name", Kind: "exact", Key: schema.Key{Path: "/id"},
			Classes: []string{"*/valid/*"}, Statuses: []string{"200", "4XX"}}}, out.List[len(out.List)-1])
}

func TestDomainsReachTheBodiesOfTheOperationsNamed(t *testing.T) {
	for file, want := range map[string]map[string]schema.Domain{
		"domains: [{path: /tag, given: may-refuse}]": {"/tag": {Given: "may-refuse"}},
		"domains: [{path: /name, operations: [post-plants], minLength: 2, maxLength: 8}, {path: /id, minimum: 5, maximum: 1e3}]": {
			"/name": {MinLength: 2, MaxLength: 8}, "/id": {Minimum: "5", Maximum: "1e3"}},
	} {
		c, _, err := overlay(t, file)
		require.NoError(t, err)
		assert.Equal(t, want, c.Operations[0].Body.Shape.Domains, file)
	}
}

func TestARefusedFileLeavesTheContractAsItWas(t *testing.T) {
	c, _, err := overlay(t, "domains: [{path: /tag, given: may-refuse}, {path: /nothing, given: may-refuse}]")
	require.Error(t, err)
	assert.Empty(t, c.Operations[0].Body.Shape.Domains)
}

func TestAFileWithoutContentChangesNothing(t *testing.T) {
	for _, file := range []string{"", "\n \n", "# nothing yet\n", "\uFEFF# nothing\n", "---\n", "null\n", "{}",
		"requirements:\n", "requirements: []\ndomains:\n", "service: Some Service\n"} {
		_, out, err := overlay(t, file)
		require.NoError(t, err, file)
		_, derived := load(t, string(spec.OpenAPI))
		assert.Equal(t, derived.IDs(), out.IDs(), file)
	}
}

const twoOperations = `
openapi: 3.1.0
info: {title: Orders, version: "2"}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
  schemas:
    Line:
      type: object
      required: [sku]
      properties: {sku: {type: string}, count: {type: integer}}
security: [{key: []}]
paths:
  /orders:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                lines: {type: array, items: {$ref: '#/components/schemas/Line'}}
                labels: {type: object, additionalProperties: {type: string}}
                pay: {oneOf: [{type: object, properties: {iban: {type: string}}}, {type: string}]}
      responses: {'201': {description: made}, '422': {description: refused}}
  /health:
    get:
      responses: {'200': {description: well, content: {application/json: {schema: {type: object}}}}}
`

func TestOtherDocumentsNeedNoFile(t *testing.T) {
	c, set := load(t, twoOperations)
	out, _, err := requirement.Overlay(set, c, "", nil, nil)
	require.NoError(t, err)
	assert.Equal(t, set, out)
}

func TestPlacesLeadThroughItemsOpenMembersAndAlternatives(t *testing.T) {
	for _, path := range []string{"/lines", "/lines/*", "/lines/*/count", "/labels/*", "/labels/any", "/pay/iban"} {
		c, set := load(t, twoOperations)
		_, c, err := requirement.Overlay(set, c, "r.yaml", []byte("domains: [{path: "+path+", maxLength: 9}]"), rules())
		require.NoError(t, err, path)
		assert.Contains(t, c.Operations[0].Body.Shape.Domains, path)
	}
}

func FuzzOverlayNeverPanicsAndComplainsInOneLine(f *testing.F) {
	for _, s := range []string{added + "    rule: echo\n    args: {from: /name, classes: ['*']}\n",
		"domains: [{path: /tag, given: may-refuse, operations: [post-plants], maxLength: 9}]", "requirements: [{id: bearer-token, level: MAY, why: x}]",
		"requirements: [7, {id: ~}]", "{\"requirements\": [{\"id\": \"\\ud800\", \"pointer\": \"/~2\"}]}", "domains: [{path: //, minimum: 1e999999999}]",
		"? a\n: &x [*x]\n", "requirements: &r [{id: a, rule: echo, args: {path: /*, statuses: [2XX]}}]\ndomains: *r\n"} {
		f.Add(s)
	}
	c, set := load(f, string(spec.OpenAPI))
	f.Fuzz(func(t *testing.T, file string) {
		if len(file) > 1<<12 {
			return
		}
		out, _, err := requirement.Overlay(set, c, "r.yaml", []byte(file), rules())
		if err == nil {
			if len(out.List) < len(set.List) {
				t.Fatal("a row was lost")
			}
			for _, r := range out.List {
				if r.ID == "" || r.Sentence == "" || r.Level == "" || r.Op == nil || r.Clause.String() == "" {
					t.Fatalf("incomplete: %+v", r)
				}
			}
			return
		}
		if out != nil || strings.ContainsAny(err.Error(), "\r\n") || !strings.HasPrefix(err.Error(), "r.yaml:") {
			t.Fatalf("not one line: %q", err)
		}
	})
}
