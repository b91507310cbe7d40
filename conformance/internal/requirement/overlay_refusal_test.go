package requirement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/requirement"
)

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
	_, err := requirement.Overlay(set, c, "r.yaml", []byte(row+"}]"), rules())
	assert.EqualError(t, err, "r.yaml:1:16: operation is missing: add one of post-orders, get-health")
	out, err := requirement.Overlay(set, c, "r.yaml", []byte(row+", operation: get-health}]"), rules())
	require.NoError(t, err)
	assert.Equal(t, "/health", out.Find("a-row").Op.Path)
	_, err = requirement.Overlay(set, c, "r.yaml", []byte(row+", operation: get-health, args: {from: /x}}]"), rules())
	assert.EqualError(t, err, `r.yaml:1:114: from "/x" is not a place in the request body: the document has no members there`)
}
