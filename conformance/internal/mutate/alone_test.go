package mutate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// offers has keywords whose plainest violations break a second keyword.
const offers = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/offers: {post: {
  parameters: [{name: size, in: query, explode: false, schema: {type: object, required: [w], properties: {w: {type: integer}, c: {enum: [red, tan]}}, additionalProperties: false}}],
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [kind, code],
    properties: {kind: {enum: [flat, percent]}, amount: {type: [number, "null"], exclusiveMinimum: 0},
      code: {type: string, pattern: "^#[0-9a-f]{6}$"}, until: {type: string, format: date-time},
      flags: {type: object, propertyNames: {pattern: "^[a-z]+$", maxLength: 5}, additionalProperties: {type: boolean}},
      where: {oneOf: [{type: string}, {type: boolean}]}},
    if: {properties: {kind: {const: percent}}, required: [kind]},
    then: {required: [amount], properties: {amount: {type: number, maximum: 100}}},
    else: {properties: {amount: {maximum: 9999}}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}},
  /pictures: {post: {requestBody: {required: true, content: {multipart/form-data: {schema: {type: object, required: [picture], properties: {picture: {type: string, format: binary}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

// sentAt returns the last messages of a plan whose bodies break just one keyword, as
// "place keyword: what was sent", and those that break nothing.
func sentAt(t *testing.T, effort string) (alone, kept []string) {
	t.Helper()
	for _, m := range lastOf(t, offers, effort, 0) {
		r := m.Reading()
		if r == nil || m.Tree == nil {
			continue
		}
		text := m.Tree.String()
		if m.Params != nil {
			text += m.Params.String()
		}
		switch len(r.Violations) {
		case 0:
			kept = append(kept, text)
		case 1:
			alone = append(alone, r.Violations[0].Path+" "+r.Violations[0].Keyword+": "+text)
		}
	}
	return alone, kept
}

func TestEachKeywordIsBrokenAlone(t *testing.T) {
	for _, effort := range []string{"gate", "full"} {
		alone, kept := sentAt(t, effort)
		for _, row := range []struct {
			what string
			in   []string
			all  []string
		}{
			{what: "a bound of then", in: alone, all: []string{"/amount maximum:", `"percent"`}},
			{what: "a bound of else", in: alone, all: []string{"/amount maximum:", `"flat"`}},
			{what: "a type of then", in: alone, all: []string{"/amount type:", `"percent"`, `"amount":null`}},
			{what: "a name outside the pattern", in: alone, all: []string{"/flags propertyNames:", ":true"}},
			{what: "a required member of a parameter", in: alone, all: []string{"query/size required:", `"c":"red"`}},
			{what: "a time with an offset", in: kept, all: []string{`+02:00"`}},
			{what: "a time with a fraction", in: kept, all: []string{`.123Z"`}},
			{what: "both values of an alternative", in: kept, all: []string{`"where":false`}},
			{what: "an empty file", in: kept, all: []string{`"picture":""`}},
		} {
			assert.True(t, holdsAll(row.in, row.all), "%s: %s is not sent", effort, row.what)
		}
		assert.Regexp(t, `/flags propertyNames: \S*"[a-z]{6,}":true`, strings.Join(alone, "\n"), "%s: a long name is not sent", effort)
	}
}

// An anchor that a server forgets shows only where something stands at that end of a match.
func TestAPatternIsTriedAtBothEndsAndInTheOtherCaseWhereFewCasesAreTried(t *testing.T) {
	alone, _ := sentAt(t, "gate")
	var before, behind, other bool
	for _, text := range alone {
		_, code, found := strings.Cut(text, `"code":"`)
		if !found || !strings.HasPrefix(text, "/code pattern:") {
			continue
		}
		code, _, _ = strings.Cut(code, `"`)
		before = before || len(code) > 7 && !strings.HasPrefix(code, "#") && strings.Contains(code, "#")
		behind = behind || len(code) > 7 && strings.HasPrefix(code, "#")
		other = other || len(code) == 7 && code != strings.ToLower(code)
	}
	assert.Equal(t, [3]bool{true, true, true}, [3]bool{before, behind, other}, "before, behind, other case")
}

// holdsAll reports whether one of the texts has all parts.
func holdsAll(list, parts []string) bool {
	for _, text := range list {
		n := 0
		for _, part := range parts {
			if strings.Contains(text, part) {
				n++
			}
		}
		if n == len(parts) {
			return true
		}
	}
	return false
}
