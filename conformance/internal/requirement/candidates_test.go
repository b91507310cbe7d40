package requirement_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/spec"
)

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
