package requirement_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/yamltree"
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

func plantStore(t *testing.T) (*openapi.Contract, *requirement.Set, *requirement.Set) {
	t.Helper()
	c, derived := load(t, string(spec.OpenAPI))
	out, c, err := requirement.Overlay(derived, c, "requirements.yaml", spec.Requirements, rules())
	require.NoError(t, err)
	return c, derived, out
}

// sections are the headings of the service specification, a heading of the
// third level behind its own of the second.
func sections() []string {
	return []string{
		"What the service does",
		"Resources and their fields",
		"Resources and their fields, Plant",
		"Resources and their fields, NewPlant (the request body of create)",
		"Resources and their fields, Error",
		"Resources and their fields, Gaps",
		"States and transitions",
		"Endpoints",
		"Endpoints, Create plant",
		"Authentication",
		"Events",
		"Errors",
		"Limits",
		"Versioning",
	}
}

func TestEveryDerivedRowOfThePlantStoreHasItsOwnWords(t *testing.T) {
	_, derived, out := plantStore(t)
	tree, err := yamltree.Parse("requirements.yaml", spec.Requirements)
	require.NoError(t, err)
	given := map[string]bool{}
	for _, row := range tree.Root.Get("requirements").Items {
		given[row.Get("id").Text] = true
		for _, key := range []string{"sentence", "level", "section"} {
			assert.NotNil(t, row.Get(key), "%s: %s", row.Get("id").Text, key)
		}
	}
	// Its file says that valid requests are accepted.
	derived.List = slices.DeleteFunc(derived.List, func(r *requirement.Requirement) bool { return r.Rule == "undocumented-rule" })
	derived.List = slices.DeleteFunc(derived.List, func(r *requirement.Requirement) bool { return r.Rule == "belongs" }) // the file has its own
	for _, r := range derived.List {
		assert.True(t, given[r.ID], r.ID)
		assert.NotEqual(t, r.Sentence, out.Find(r.ID).Sentence, r.ID)
		assert.Equal(t, r.Level, out.Find(r.ID).Level, r.ID)
	}
	assert.Equal(t, derived.IDs(), out.IDs()[:len(derived.List)])
}

func TestEveryClauseOfThePlantStoreLeadsSomewhere(t *testing.T) {
	c, _, out := plantStore(t)
	rule := regexp.MustCompile(`^(Endpoints, Create plant), rule [12]$`)
	rfc := regexp.MustCompile(`^(RFC \d{4}(, \d+(\.\d+)*( and \d+(\.\d+)*)?)?(; )?)*$`)
	for _, r := range out.List {
		assert.Contains(t, sections(), rule.ReplaceAllString(r.Clause.Section, "$1"), r.ID)
		assert.Regexp(t, rfc, r.Clause.RFC, r.ID)
		if r.Clause.Pointer != "" {
			assert.True(t, c.Resolves(r.Clause.Pointer), "%s: %s", r.ID, r.Clause.Pointer)
		}
	}
}

func TestSentencesOfThePlantStoreAreSentencesAndDiffer(t *testing.T) {
	_, _, out := plantStore(t)
	seen := map[string]string{}
	for _, r := range out.List {
		assert.Regexp(t, `^[A-Z].*\.$`, r.Sentence, r.ID)
		assert.Empty(t, seen[r.Sentence], r.ID)
		seen[r.Sentence] = r.ID
	}
}

func TestEveryGapOfTheSpecificationHasItsOpenPoints(t *testing.T) {
	_, derived, out := plantStore(t)
	covered := map[string]bool{}
	// Each line is a "not shown" of the service specification.
	for gap, ids := range map[string]string{
		"other operations of the store":                 "open-other-operations",
		"constraints on name":                           "open-name-length open-name-empty open-name-characters open-name-uniqueness",
		"constraints on tag":                            "open-tag-values",
		"constraints on id":                             "open-id-range open-id-uniqueness",
		"fields of a stored plant":                      "open-plant-fields open-stored-plant",
		"transitions":                                   "open-states",
		"other endpoints":                               "open-other-endpoints",
		"response headers":                              "open-response-headers",
		"conditions of the 400: the JSON":               "open-number-spelling open-number-size open-unknown-members open-duplicate-names open-encoding open-nesting",
		"conditions of the 400: the request around it":  "open-content-type open-accept open-transfer",
		"token issuance, format and scopes":             "open-token-issuance open-token-format open-token-scopes",
		"the response to a missing or invalid token":    "open-credential-refusal open-credential-first",
		"events, webhooks and notifications":            "open-events",
		"meaning and list of values of error":           "open-error-numbers",
		"status codes other than 200 and 400":           "open-other-statuses",
		"rate limits":                                   "open-rate-limits",
		"size limits":                                   "open-body-size open-header-size",
		"time-outs":                                     "open-time-outs",
		"pagination bounds":                             "open-pagination",
		"versioning scheme, compatibility, deprecation": "open-versioning",
	} {
		for id := range strings.FieldsSeq(ids) {
			covered[id] = true
			assert.NotNil(t, out.Find(id), "%s: %s", gap, id)
		}
	}
	for _, r := range out.List[len(derived.List):] {
		judged := r.Rule != "observe" && r.Rule != "unobservable"
		assert.Equal(t, judged, r.Level != report.Open, r.ID)
		assert.Equal(t, !judged, strings.HasPrefix(r.ID, "open-"), r.ID)
		assert.Equal(t, !judged, covered[r.ID], "%s: of which gap?", r.ID)
		assert.Equal(t, r.Rule == "observe", len(r.Args.Classes) > 0, r.ID)
		assert.Equal(t, judged && r.Rule != "belongs", r.Args.From != "" && r.Args.To != "", r.ID)
	}
}

func TestAGivenTagMayBeRefusedByThePlantStore(t *testing.T) {
	c, _, _ := plantStore(t)
	shape := c.Operations[0].Body.Shape
	require.Contains(t, shape.Domains, "/tag")
	assert.Equal(t, "may-refuse", shape.Domains["/tag"].Given)
	assert.Contains(t, shape.Domains["/tag"].Examples, "flower")
	assert.Len(t, shape.Domains, 1)
	assert.Equal(t, schema.MayRefuse, shape.Read([]byte(`{"id":1,"name":"a1","tag":"x"}`)).Kind)
}

// added is a row that is right; tests replace or append a key.
const added = `requirements:
  - id: a-row
    sentence: Something holds.
    section: Somewhere
`

func TestOverlaySaysInOneLineWhatIsWrongAndWhatToWrite(t *testing.T) {
	for file, want := range map[string]string{
		"a: [":                                 `r.yaml:1:4: sequence end token ']' not found`,
		"x":                                    `r.yaml:1:1: the file is a text: write a mapping with service, valid, operations, paging, requirements, domains`,
		"requirements: []\nrequirements: []\n": `r.yaml:2:1: duplicate key "requirements", first at 1:1`,
		"services: x\n":                        `r.yaml:1:1: unknown key "services" in the file: use one of service, valid, operations, paging, requirements, domains`,
		"service: 7\n":                         `r.yaml:1:10: service is a number: write a string, in quotes if it looks like something else`,
		"requirements: {}\n":                   `r.yaml:1:15: requirements is a mapping: write a list`,
		"requirements: [7]\n":                  `r.yaml:1:16: the requirement is a number: write a mapping with id, sentence, level, section, pointer, rfc, why, rule, operation, args`,
		"requirements:\n  - id: bearer-token\n    text: x\n":                                          `r.yaml:3:5: unknown key "text" in the requirement: use one of id, sentence, level, section, pointer, rfc, why, rule, operation, args`,
		"requirements:\n  - sentence: x\n":                                                            `r.yaml:2:5: id is missing: add one, in lower-case letters, digits and hyphens`,
		"requirements:\n  - id: newplant-id-integr\n":                                                 `r.yaml:2:9: unknown id "newplant-id-integr": did you mean newplant-id-integer? a new requirement needs a rule`,
		"requirements:\n  - id: Bearer_Token\n":                                                       `r.yaml:2:9: id "Bearer_Token" is not a slug: write "bearer-token"`,
		"requirements:\n  - id: '!'\n":                                                                `r.yaml:2:9: id "!" is not a slug: use lower-case letters, digits and hyphens`,
		"requirements:\n  - id: bearer-token\n  - id: bearer-token\n":                                 `r.yaml:3:9: id bearer-token is given twice, first at r.yaml:2:9: remove one`,
		"requirements:\n  - id: bearer-token\n    rule: echo\n":                                       `r.yaml:3:11: bearer-token is derived from the document: remove rule`,
		"requirements:\n  - id: bearer-token\n    args: {}\n":                                         `r.yaml:3:11: bearer-token is derived from the document: remove args`,
		"requirements:\n  - id: bearer-token\n    sentence: ' '\n":                                    `r.yaml:3:15: sentence is empty: write something or remove it`,
		"requirements:\n  - id: bearer-token\n    sentence:\n":                                        `r.yaml:3:15: sentence is empty: write a string, in quotes if it looks like something else`,
		"requirements:\n  - id: bearer-token\n    level: must\n":                                      `r.yaml:3:12: unknown level "must": use MUST, SHOULD, MAY, SUSPECTED or OPEN`,
		"requirements:\n  - id: bearer-token\n    level: MAY\n":                                       `r.yaml:3:12: bearer-token is relaxed from MUST to MAY: add why`,
		"requirements:\n  - id: bearer-token\n    pointer: '#/paths'\n":                               `r.yaml:3:14: pointer "#/paths" does not resolve in openapi.yaml: start it with /, without #`,
		"requirements:\n  - id: bearer-token\n    pointer: /components/schemas/Plant/properties/id\n": `r.yaml:3:14: pointer "/components/schemas/Plant/properties/id" does not resolve in openapi.yaml: it is valid up to "/components/schemas/Plant/properties"`,
		"requirements:\n  - id: bearer-token\n    pointer: /path\n":                                   `r.yaml:3:14: pointer "/path" does not resolve in openapi.yaml: write it from the root of the document`,

		added + "    level: MUST\n    rule: ecco\n":                                      `r.yaml:6:11: unknown rule "ecco": use one of answered, framing, refuses-credential, credential-refusal, accepts-credential, challenge, accepted, optional, refuses-empty, refuses-syntax, refuses-schema, success-status, refusal-status, media-type, answer-json, answer-schema, unique-names, echo, echo-exact, echo-may-refuse, belongs, observe, unobservable`,
		added + "    rule: echo\n":                                                       `r.yaml:2:5: level is missing: add MUST, SHOULD, MAY or OPEN`,
		added + "    level: MUST\n    rule: echo\n    operation: get-plants\n":           `r.yaml:7:16: unknown operation "get-plants": use one of post-plants`,
		added + "    level: MUST\n    rule: echo\n    args: {form: /name}\n":             `r.yaml:7:12: unknown key "form" in args: use one of path, kind, from, to, classes, statuses`,
		added + "    level: MUST\n    rule: echo\n    args: {from: /nmae}\n":             `r.yaml:7:18: from "/nmae" is not a place in the request body: use one of /name, /tag, /id`,
		added + "    level: MUST\n    rule: echo\n    args: {from: name}\n":              `r.yaml:7:18: from "name" is not a path: start it with /`,
		added + "    level: MUST\n    rule: echo\n    args: {to: /id}\n":                 `r.yaml:7:16: to "/id" is not a place in the answer: use one of /name, /tag, /error, /message`,
		added + "    level: MUST\n    rule: echo\n    args: {to: /name/x}\n":             `r.yaml:7:16: to "/name/x" is not a place in the answer: the document has no members there`,
		added + "    level: MUST\n    rule: echo\n    args: {statuses: [200, 20]}\n":     `r.yaml:7:28: bad status "20": use three digits, 4XX or default`,
		added + "    level: MUST\n    rule: echo\n    args: {classes: [true]}\n":         `r.yaml:7:22: classes, item 1, is a boolean: write a string, in quotes if it looks like something else`,
		added + "    level: OPEN\n    rule: observe\n":                                   `r.yaml:2:5: rule observe needs args.classes: add patterns of class slugs`,
		added + "    level: SHOULD\n    rule: observe\n    args: {classes: ['*']}\n":     `r.yaml:5:12: rule observe judges nothing: write level OPEN`,
		"requirements: [{id: a-row, rule: echo, level: MUST, section: x}]\n":             `r.yaml:1:16: sentence is missing: say in one sentence what is required`,
		"requirements: [{id: a-row, rule: echo, level: MUST, sentence: x}]\n":            `r.yaml:1:16: no clause: add section, pointer or rfc`,
		"requirements: [{id: a-row, rule: echo, level: MUST, sentence: x, section: ''}]": `r.yaml:1:75: section is empty: write something or remove it`,

		"domains: [{given: may-refuse}]":                                                  `r.yaml:1:11: path is missing: add the place of a value in the request body`,
		"domains: [{path: /tags, given: may-refuse}]":                                     `r.yaml:1:18: path "/tags" is not a place in the request body: use one of /name, /tag, /id`,
		"domains: [{path: tag, given: may-refuse}]":                                       `r.yaml:1:18: path "tag" is not a path: start it with /`,
		"domains: [{path: /tag, given: sometimes}]":                                       `r.yaml:1:31: bad given "sometimes": write may-refuse, or leave it out`,
		"domains: [{path: /name, given: may-refuse}]":                                     `r.yaml:1:32: "/name" is required: given is for optional members`,
		"domains: [{path: /tag}]":                                                         `r.yaml:1:11: the domain says nothing: add given, minLength, maxLength, minimum, maximum, examples or value`,
		"domains: [{path: /tag, given: may-refuse, operations: [get-tags]}]":              `r.yaml:1:56: unknown operation "get-tags": use one of post-plants`,
		"domains: [{path: /tag, given: may-refuse, operations: []}]":                      `r.yaml:1:55: operations is empty: name some of post-plants, or remove it to use all`,
		"domains: [{path: /tag, maxLength: 0}]":                                           `r.yaml:1:35: bad maxLength: use a whole number from 1 to 65536`,
		"domains: [{path: /tag, minLength: 3, maxLength: 2}]":                             `r.yaml:1:35: minLength is above maxLength: no value is left`,
		"domains: [{path: /id, minimum: 3, maximum: 2}]":                                  `r.yaml:1:32: minimum is above maximum: no value is left`,
		"domains: [{path: /id, minimum: low}]":                                            `r.yaml:1:32: bad minimum: use a number`,
		"domains:\n  - {path: /tag, given: may-refuse}\n  - {path: /tag, maxLength: 3}\n": `r.yaml:3:12: domain "/tag" is given twice, first at r.yaml:2:12: remove one`,
		"domains: [{path: /tag, given: may-refuse, colour: red}]":                         `r.yaml:1:43: unknown key "colour" in the domain: use one of path, operations, given, minLength, maxLength, minimum, maximum, examples, value`,
		"requirements: [{id: a-row, rule: echo, level: MUST, section: x, sentence: \n x":  "r.yaml:1:16: could not find flow mapping end token '}'",
	} {
		_, out, err := overlay(t, file)
		assert.EqualError(t, err, want, file)
		assert.Nil(t, out, file)
	}
}

func TestWithSeveralOperationsAnAddedRowNamesItsOwn(t *testing.T) {
	c, set := load(t, twoOperations)
	row := "requirements: [{id: a-row, sentence: x, level: MUST, section: y, rule: echo"
	_, _, err := requirement.Overlay(set, c, "r.yaml", []byte(row+"}]"), rules())
	assert.EqualError(t, err, "r.yaml:1:16: operation is missing: add one of post-orders, get-health")
	out, _, err := requirement.Overlay(set, c, "r.yaml", []byte(row+", operation: get-health}]"), rules())
	require.NoError(t, err)
	assert.Equal(t, "/health", out.Find("a-row").Op.Path)
	_, _, err = requirement.Overlay(set, c, "r.yaml", []byte(row+", operation: get-health, args: {from: /x}}]"), rules())
	assert.EqualError(t, err, `r.yaml:1:114: from "/x" is not a place in the request body: the document has no members there`)
}
