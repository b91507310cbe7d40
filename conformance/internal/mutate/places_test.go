package mutate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/sample"
)

// stations have an optional array of texts, one of objects and one in the query.
const stations = `{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {/stations: {post: {
  parameters: [{name: marks, in: query, explode: false, schema: {type: array, maxItems: 3, items: {type: integer, maximum: 9}}}],
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [lines],
    properties: {tags: {type: array, maxItems: 4, items: {type: string, pattern: "^[a-z]+$", maxLength: 8}},
      pairs: {type: array, minItems: 2, maxItems: 2, items: {type: boolean}},
      lines: {type: array, minItems: 1, items: {type: object, required: [sku, quantity],
        properties: {sku: {type: string}, quantity: {type: integer, minimum: 1}}}}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

// brokenBehind returns what the cases of later-items break, as "path keyword name", with the
// place of the wrong item and the number of items, and every other body that is sent.
func brokenBehind(t *testing.T, effort string) (broken map[string]bool, bodies []string) {
	t.Helper()
	broken = map[string]bool{}
	for one, m := range lastOf(t, stations, effort, 0) {
		r := m.Reading()
		if one.Class.Mutator != "later-items" {
			if r != nil && r.Kind < schema.Invalid && m.Tree != nil {
				bodies = append(bodies, m.Tree.String())
			}
			continue
		}
		require.Equal(t, schema.Invalid, r.Kind, one.ID)
		require.Len(t, r.Violations, 1, one.ID)
		v := r.Violations[0]
		broken[strings.TrimSpace(one.Class.Kind+" "+v.Pointer+" "+v.Keyword+" "+v.Name)] = true
	}
	return broken, bodies
}

func TestAWrongItemIsSentBehindRightOnes(t *testing.T) {
	full := []string{
		"last-of-few /tags/1 type", "last-of-few /tags/1 maxLength", "last-of-few-spoilt /tags/1 pattern",
		"last-of-most /tags/3 type", "last-of-most /tags/3 maxLength", "last-of-most-spoilt /tags/3 pattern",
		"last-of-few /lines/1 required sku", "last-of-few /lines/1 required quantity", "last-of-few-member /lines/1/quantity minimum",
		"last-of-few-member /lines/1/quantity type", "last-of-few /lines/1 type",
		"last-of-more /lines/2 required sku", "between /lines/1 required sku", "before-others /lines/0 required sku",
		"last-of-few /pairs/1 type", "before-others /pairs/0 type",
		"last-of-few query/marks/1 maximum", "last-of-most query/marks/2 maximum",
	}
	some := []string{
		"last-of-few /tags/1 type", "last-of-most /tags/3 type", "last-of-few /lines/1 required sku",
		"last-of-few /pairs/1 type", "last-of-few query/marks/1 type",
	}
	for effort, list := range map[string][]string{"full": full, "gate": some} {
		broken, _ := brokenBehind(t, effort)
		for _, what := range list {
			assert.True(t, broken[what], "%s: %s is not sent, but %v", effort, what, broken)
		}
		assert.False(t, broken["last-of-more /pairs/2 type"], "too many items are another fault")
	}
}

func TestAnEmptyArrayAndTheLongestAreSent(t *testing.T) {
	for _, effort := range []string{"full", "gate"} {
		_, bodies := brokenBehind(t, effort)
		assert.True(t, holdsAll(bodies, []string{`"tags":[]`}), effort)
		maximum := false
		for _, text := range bodies {
			if _, list, found := strings.Cut(text, `"tags":[`); found {
				list, _, _ = strings.Cut(list, "]")
				maximum = maximum || strings.Count(list, ",") == 3
			}
		}
		assert.True(t, maximum, effort)
	}
}

// A server that takes the first value only, or the whole text for one value, answers all
// others rightly.
func TestSeveralDifferentValuesOfAListAreSentTogether(t *testing.T) {
	const doc = `{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {/tickets: {get: {
  parameters: [{name: state, in: query, explode: false, schema: {type: array, uniqueItems: true, items: {type: string, enum: [open, pending, closed]}}}],
  responses: {"200": {description: d}, "400": {description: d}}}}}}`
	for _, effort := range []string{"full", "gate"} {
		var sent []string
		for one, m := range lastOf(t, doc, effort, 0) {
			if one.Class.Family == plan.FamilyValid && m.Params != nil {
				sent = append(sent, m.Params.String())
			}
		}
		assert.Contains(t, sent, `{"query":{"state":["open","pending","closed"]}}`, effort)
	}
}

// labelled has an object that takes only members of a pattern.
const labelled = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/talks: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
    labels: {type: object, additionalProperties: false, patternProperties: {'^x-[a-z]{1,12}$': {type: string}}}, note: {type: string, pattern: '^[^\r\n]+$'}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

func TestNamesNearToAPatternAndLineFeedsInsideATextAreTried(t *testing.T) {
	c, err := openapi.Load("talks.yaml", []byte(labelled))
	require.NoError(t, err)
	p := planOf(t, document{"talks", c}, 1)
	near, feeds := 0, 0
	for _, one := range p.Cases {
		r := p.Build(one, plan.Identity{Seed: 1})[0].Message.Reading()
		if r == nil || r.Kind != schema.Invalid {
			continue
		}
		if v := r.At("/labels"); v != nil && one.Class.Kind == "near-pattern-name" {
			last := v.Members[len(v.Members)-1]
			assert.Contains(t, strings.ToLower(last.Name), "x", one.ID)
			near++
		}
		if v := r.At("/note"); v != nil && strings.Contains(strings.Trim(v.Text, "\n"), "\n") {
			feeds++
		}
	}
	assert.GreaterOrEqual(t, near, 5)
	assert.Positive(t, feeds)
}

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

// contacts has a member that needs another one, which needs a third one.
const contacts = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/contacts: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object,
    dependentRequired: {phone: [country]},
    dependentSchemas: {country: {required: [city], properties: {city: {maxLength: 5}}}},
    properties: {phone: {type: string, pattern: '^\+[0-9]{6,15}$'}, country: {type: string, enum: [DE, JP]}, city: {type: string, minLength: 2}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

func TestAMemberIsSentWithTheMembersThatItNeeds(t *testing.T) {
	c, err := openapi.Load("contacts.yaml", []byte(contacts))
	require.NoError(t, err)
	p := planOf(t, document{"contacts", c}, 1)
	broken := map[string]int{}
	for _, one := range p.Cases {
		place := one.Class.Place.Path
		if one.Class.Family != plan.FamilyInvalid || place != "/phone" && place != "/country" {
			continue
		}
		steps := p.Build(one, plan.Identity{Seed: 1})
		r := steps[len(steps)-1].Message.Reading()
		if r == nil || r.Kind != schema.Invalid {
			continue // a text may still match the pattern
		}
		for _, key := range r.Violations {
			broken[key.Path+" "+key.Keyword]++
			assert.False(t, slices.Contains([]string{"dependentRequired", "required"}, key.Keyword), "%s: %s", one.ID, steps[0].Message.Tree)
		}
	}
	for _, keyword := range []string{"/phone pattern", "/country enum"} {
		assert.Positive(t, broken[keyword], broken)
	}
}

// kinded is a document with three alternatives of a body, each with integers of its own.
func kinded() string {
	var alternatives []string
	for _, kind := range []string{"a", "b", "c"} {
		members, names := "", "kind"
		for n := range 16 {
			members += fmt.Sprintf(", %s%d: {type: integer, minimum: 1, maximum: 900, multipleOf: 3}", kind, n)
			names += fmt.Sprintf(", %s%d", kind, n)
		}
		alternatives = append(alternatives, fmt.Sprintf(`{type: object, additionalProperties: false, required: [%s], properties: {kind: {const: %s}%s}}`, names, kind, members))
	}
	return `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/things: {post: {requestBody: {required: true, content: {application/json: {schema: {oneOf: [` +
		strings.Join(alternatives, ", ") + `]}}}}, responses: {"201": {description: d}, "400": {description: d}}}}}}`
}

func TestAtGateEveryTypeOfEachAlternativeIsBrokenInSeveralWays(t *testing.T) {
	sample.OneIn(t, 3)
	broken := map[string]int{}
	for _, m := range lastOf(t, kinded(), "gate", 6) {
		r := m.Reading()
		if r == nil || r.Kind != schema.Invalid || r.Root() == nil || r.Root().Kind != jsontree.Object {
			continue
		}
		for _, member := range r.Root().Members {
			if member.Name != "kind" && member.Value.Kind != jsontree.Number {
				broken[member.Name]++
			}
		}
	}
	for _, kind := range []string{"a", "b", "c"} {
		for n := range 16 {
			assert.GreaterOrEqual(t, broken[fmt.Sprintf("%s%d", kind, n)], 4, "%s%d", kind, n)
		}
	}
}

const titled = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/books: {post: {requestBody: {required: true, content: {application/json: {schema: {
  type: object, required: [title, code, note], properties: {title: {type: string, minLength: 2, maxLength: 60, pattern: '\S'}, code: {type: string, pattern: '^[A-Z]{3,9}$'}, note: {type: string, pattern: '^.{1,80}$'}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

func TestBlanksAloneAreSentWhereAPatternTakesThemBesideOthers(t *testing.T) {
	for effort, want := range map[string]string{"gate": "  ", "full": "  \t\t"} {
		sent := map[string]string{}
		for _, m := range lastOf(t, titled, effort, 100, "blank") {
			r := m.Reading()
			require.Len(t, r.Violations, 1)
			sent[r.Violations[0].Path+" "+r.Violations[0].Keyword] += m.Tree.Get("title").Text
		}
		assert.Equal(t, map[string]string{"/title pattern": want}, sent, effort)
	}
}

const switches = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /lamps: {get: {parameters: [{name: lit, in: query, schema: {type: boolean}}, {name: X-Dim, in: header, schema: {type: boolean}}],
    responses: {"200": {description: d}, "400": {description: d}}}},
  /forms: {post: {requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {lit: {type: boolean}}}}}},
    responses: {"201": {description: d}, "400": {description: d}}}}}}`

// What a lenient reader takes for a boolean is taken or refused; what no reader takes is
// refused.
func TestBooleansAreSentInOtherSpellingsWhichMayBeRefused(t *testing.T) {
	c, err := openapi.Load("switches.yaml", []byte(switches))
	require.NoError(t, err)
	p := planOf(t, document{"switches", c}, 1)
	kinds := map[string]map[string]schema.Kind{}
	for _, one := range p.Cases {
		if one.Class.Mutator != "boolean-spellings" {
			continue
		}
		steps := p.Build(one, plan.Identity{Seed: 1})
		m := steps[len(steps)-1].Message
		at := one.Class.Place.Path
		if kinds[at] == nil {
			kinds[at] = map[string]schema.Kind{}
		}
		v := m.Tree.At(at)
		if m.Params != nil {
			v = m.Params.At("/" + at)
		}
		require.NotNil(t, v, one.ID)
		kinds[at][v.Text] = m.Reading().Kind
	}
	require.Len(t, kinds, 3)
	for at, of := range kinds {
		for _, text := range []string{"0", "1", "TRUE", "True", "yes", "on", "t"} {
			assert.Equal(t, schema.MayRefuse, of[text], "%s %s", at, text)
			assert.Contains(t, of, text, at)
		}
		for _, text := range []string{"2", "tru", "truex"} {
			assert.Equal(t, schema.Invalid, of[text], "%s %s", at, text)
		}
	}
}

// marks has an array of at most four items, one of which has to be 1.
const marks = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/marks: {post: {
  requestBody: {required: true, content: {application/json: {schema:
    {type: array, items: {type: integer}, maxItems: 4, contains: {const: 1}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

// A server that checks contains alone would refuse too many items without a 1.
func TestTooManyItemsHaveWhatContainsNeeds(t *testing.T) {
	c, err := openapi.Load("marks.yaml", []byte(marks))
	require.NoError(t, err)
	p := planOf(t, document{"marks", c}, 1)
	n := 0
	for _, one := range p.Cases {
		if one.Class.Kind != "too-many-items" || one.Class.Family != plan.FamilyInvalid {
			continue
		}
		n++
		steps := p.Build(one, plan.Identity{Seed: 1})
		r := steps[len(steps)-1].Message.Reading()
		require.Len(t, r.Violations, 1, "%s: %s", one.ID, steps[0].Message.Tree)
		assert.Equal(t, "maxItems", r.Violations[0].Keyword)
	}
	assert.Positive(t, n)
}
