package mutate_test

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/sample"
)

const uuids = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/orders/{id}": {get: {parameters: [
  {name: id, in: path, required: true, schema: {type: string, format: uuid}},
  {name: customer, in: query, schema: {type: string, format: uuid}},
  {name: X-Request, in: header, schema: {type: string, format: uuid}}],
  responses: {"200": {description: d}, "400": {description: d}}}}}}`

// A pattern such as ^[0-9a-f-]{36}$ takes more than UUIDs, and refuses all that have another
// length or another letter.
func TestAUUIDParameterIsSentWithADigitInPlaceOfAHyphen(t *testing.T) {
	loosely := regexp.MustCompile(`^[0-9a-f-]{36}$`)
	broken := map[string]bool{}
	for _, m := range lastOf(t, uuids, "gate", 100) {
		r := m.Reading()
		if r == nil || len(r.Violations) != 1 || r.Violations[0].Keyword != "format" {
			continue
		}
		place := r.Violations[0].Path
		if v := m.At(place); v != nil && loosely.MatchString(v.Text) {
			broken[place] = true
		}
	}
	assert.Len(t, broken, 3, "%v", broken)
}

const rated = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/offers: {post: {requestBody: {required: true, content: {application/json: {schema: {
  type: object, required: [size], properties: {size: {type: integer, minimum: 1}, floor: {type: integer, minimum: -5, maximum: 120}, seats: {type: integer, minimum: 2}, rate: {type: number, minimum: 0}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

// A parser that reads NaN as 0, or as what no bound compares with, shows it only where 0 may
// be.
func TestNaNIsSentForAnOptionalMemberThatMayBeZero(t *testing.T) {
	for _, effort := range []string{"gate", "full"} {
		var sent []string
		for _, m := range lastOf(t, rated, effort, 100, "not-a-number-inside") {
			sent = append(sent, string(m.Body()))
		}
		require.NotEmpty(t, sent, effort)
		assert.Contains(t, sent[0], `"rate":NaN`, "%s: whole numbers come later", effort)
		assert.Equal(t, effort == "full", strings.Contains(strings.Join(sent, "\n"), `"floor":-Infinity`))
		assert.NotContains(t, strings.Join(sent, "\n"), `"seats":`)
		assert.NotRegexp(t, `"size":[NI-]`, strings.Join(sent, "\n"))
	}
}

// hooks has alternatives with a discriminator, alone and as items, and such with a member
// of one value each.
const hooks = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  /hooks: {post: {requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Hook"}}}},
    responses: {"201": {description: d}, "400": {description: d}}}},
  /batches: {post: {requestBody: {required: true, content: {application/json: {schema: {type: array, minItems: 1, items: {$ref: "#/components/schemas/Hook"}}}}},
    responses: {"201": {description: d}, "400": {description: d}}}},
  /shapes: {post: {requestBody: {required: true, content: {application/json: {schema: {oneOf: [
      {type: object, required: [shape, side], properties: {shape: {const: square}, side: {type: integer}}},
      {type: object, required: [shape, radius], properties: {shape: {const: circle}, radius: {type: integer}}}]}}}},
    responses: {"201": {description: d}, "400": {description: d}}}}},
  components: {schemas: {
    Hook: {oneOf: [{$ref: "#/components/schemas/Paid"}, {$ref: "#/components/schemas/Gone"}],
      discriminator: {propertyName: kind, mapping: {paid: "#/components/schemas/Paid", gone: "#/components/schemas/Gone"}}},
    Paid: {type: object, required: [kind, cents], properties: {kind: {enum: [paid]}, cents: {type: integer}, note: {type: string}}},
    Gone: {type: object, required: [kind, user], properties: {kind: {enum: [gone]}, user: {type: string}}}}}}`

func TestMembersOfOneAlternativeAreSentInTheNameOfAnother(t *testing.T) {
	for _, effort := range []string{"gate", "full"} {
		var sent []string
		for one, m := range lastOf(t, hooks, effort, 0, "other-alternatives") {
			r := m.Reading()
			require.Equal(t, schema.Invalid, r.Kind, one.ID)
			var broken []string
			for _, v := range r.Violations {
				broken = append(broken, strings.TrimSpace(v.Path+" "+v.Keyword))
			}
			sent = append(sent, one.Op.Path+" "+strings.Join(broken, ",")+": "+m.Tree.String())
		}
		for _, row := range [][]string{
			{"/hooks oneOf: ", `"kind":"gone"`, `"cents"`},
			{"/hooks oneOf: ", `"kind":"gone"`, `"cents"`, `"note"`},
			{"/hooks oneOf: ", `"kind":"paid"`, `"user"`},
			{"/hooks /kind enum: ", `"kind":"gonex"`},
			{"/batches /* oneOf: ", `"kind":"gone"`, `"cents"`},
			{"/shapes /shape const: ", `"shape":"circle"`, `"side"`},
			{"/shapes /shape const: ", `"shape":"square"`, `"radius"`},
		} {
			assert.True(t, holdsAll(sent, row), "%s: %v is not among %s", effort, row, strings.Join(sent, "\n"))
		}
	}
}

// spelledBy are the checks of a server that shares nothing with the suite, and texts of each
// format that a careless check refuses.
var spelledBy = map[string]struct {
	check    func(string) error
	ordinary []string
}{
	"email": {func(s string) error { _, err := mail.ParseAddress(s); return err },
		[]string{`^[a-z]+\.[a-z0-9]+@`, `\+`, `@mail\.`, `^[a-z]+-`, `_`, `@.*-`}},
	"idn-email":     {nil, []string{`^[a-z]+\.[a-z0-9]+@`, `\+`}},
	"hostname":      {matches(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]+$`), []string{`-`, `^3`, `\..*\..*\.`}},
	"idn-hostname":  {nil, []string{`-`, `^3`}},
	"ipv4":          {ofAddress, []string{`^203`, `\.254$`}},
	"ipv6":          {ofAddress, []string{`^::1$`, `0000:`, `::$`, `^fe80`}},
	"uri":           {ofURI, []string{`:8443/`, `\?page=2&`, `#`, `-shop`}},
	"uri-reference": {ofURI, []string{`^https:`, `^[a-z]`, `\?`, `#`}},
	"date-time":     {timeOf(time.RFC3339), []string{`\+02:00$`, `-05:30$`, `\.\d+Z$`, `\.\d+\+01:00$`}},
	"time":          {timeOf("15:04:05Z07:00"), []string{`\+02:00$`, `-05:30$`, `\.\d+Z$`}},
	"duration":      {matches(`^P(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?$`), []string{`^PT\d+M$`, `^PT1H\d+M$`, `DT12H$`, `^PT\d+S$`}},
	"byte":          {func(s string) error { _, err := base64.StdEncoding.Strict().DecodeString(s); return err }, []string{`[^=]=$`, `==$`, `\+/`}},
	"base64url":     {func(s string) error { _, err := base64.RawURLEncoding.Strict().DecodeString(s); return err }, []string{`-_`}},
	"json-pointer":  {matches(`^(/([^~]|~[01])*)*$`), []string{`/0$`, `~1.*~0`}},
	"regex":         {func(s string) error { _, err := regexp.Compile(s); return err }, []string{`^\^.*\$$`, `\|`}},
	"uri-template":  {nil, []string{`/\{id\}$`, `\{\?`}},
}

func matches(form string) func(string) error {
	re := regexp.MustCompile(form)
	return func(s string) error {
		if !re.MatchString(s) {
			return fmt.Errorf("%q is not %s", s, form)
		}
		return nil
	}
}

func ofAddress(s string) error { _, err := netip.ParseAddr(s); return err }

func ofURI(s string) error { _, err := url.Parse(s); return err }

func timeOf(layout string) func(string) error {
	return func(s string) error { _, err := time.Parse(layout, s); return err }
}

// A server that refuses a plus in an address, say, takes all texts of one form.
func TestEveryFormatIsSentAsPeopleWriteIt(t *testing.T) {
	for _, format := range sample.Of(slices.Sorted(maps.Keys(spelledBy)), 2) {
		by := spelledBy[format]
		of := "{type: string, format: " + format + "}"
		document := `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {post: {parameters: [{name: one, in: query, schema: ` + of + `}, {name: X-One, in: header, schema: ` + of + `}],
  requestBody: {content: {application/json: {schema: {type: object, required: [one], properties: {one: ` + of + `, list: {type: array, items: ` + of + `}}}}}},
  responses: {"200": {description: d}, "400": {description: d}}}}}}`
		sent := map[string][]string{}
		for _, m := range lastOf(t, document, "gate", 100) {
			if r := m.Reading(); r == nil || r.Kind != schema.MustAccept {
				continue
			}
			for _, place := range []string{"/one", "/list/0", "query/one", "header/X-One"} {
				if v := m.At(place); v != nil {
					sent[place] = append(sent[place], v.Text)
					if by.check != nil {
						assert.NoError(t, by.check(v.Text), "%s %s", format, place)
					}
				}
			}
		}
		for place, texts := range sent {
			for _, form := range by.ordinary {
				assert.Regexp(t, "(?m)"+form, strings.Join(texts, "\n"), "%s at %s", format, place)
			}
		}
		assert.Len(t, sent, 4, format)
	}
}

// TestEveryRandomTextOfAParameterCanBeSent: a field cannot hold every letter, and what is
// drawn differs with the seed.
func TestEveryRandomTextOfAParameterCanBeSent(t *testing.T) {
	c, err := openapi.Load("texts.yaml", []byte(`openapi: 3.2.0
info: {title: Texts, version: '1'}
paths:
  /a/{p}:
    get:
      parameters:
        - {name: X-A, in: header, required: true, schema: {type: string, minLength: 1}}
        - {name: b, in: cookie, style: cookie, schema: {type: string}}
        - {name: c, in: cookie, schema: {type: string}}
        - {name: q, in: query, schema: {type: string}}
        - {name: p, in: path, required: true, schema: {type: string, minLength: 1}}
      responses: {'200': {description: ok}, 4XX: {description: bad}}
`))
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, smallDraws, plan.Effort{}, catalogue()...)
	e := endpoint(p)
	places := map[string]bool{}
	for _, c := range p.Cases {
		if c.Class.Mutator != "random-strings" {
			continue
		}
		places[c.Class.Place.Name] = true
		for seed := range uint64(50) {
			steps := p.Build(c, plan.Identity{Seed: seed})
			assert.NoError(t, e.Wire(steps[0].Message, c.ID).Err, c.ID)
		}
	}
	assert.Len(t, places, 5)
}

// A server that escapes or refuses one sign of a pattern, such as an apostrophe in a name, shows it
// only with that sign.
func TestEverySignOfAPatternIsSentInAValidText(t *testing.T) {
	const people = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/people: {post: {parameters: [
  {name: words, in: query, schema: {type: string, pattern: "^[a-z%+& ]+$", maxLength: 9}}],
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string, pattern: "^[A-Za-z' .-]+$"}, code: {type: string, pattern: "^[A-Z]{2}-[0-9]{4}$"}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`
	sent := map[string]string{}
	for one, m := range lastOf(t, people, "gate", 100) {
		if one.Class.Kind == "inside-pattern" {
			assert.Equal(t, schema.MustAccept, m.Reading().Kind, string(m.Body()))
			sent["/name"] += m.At("/name").Text
			if v := m.At("query/words"); v != nil {
				sent["query/words"] += v.Text
			}
		}
	}
	for place, signs := range map[string]string{"/name": "' .-", "query/words": "%+& "} {
		for _, sign := range signs {
			assert.Contains(t, sent[place], string(sign), place)
		}
	}
}

// What one value of an enum asks of other members, another one may forbid: which of them a target takes
// shows only when the plan is made.
func TestEveryCaseIsWhatItsClassExpectsWhereTheTargetTakesAnotherValueOfAnEnum(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(addresses))
	require.NoError(t, err)
	choices := new(plan.Choices)
	choices.Set(c.Operations[0], 1)
	p := fake.Plan(t, c, 1, smallDraws, plan.Effort{}, catalogue()...)
	e := endpoint(p)
	for _, c := range p.Cases {
		if !useful(p, c) {
			continue
		}
		steps := p.Build(c, plan.Identity{Seed: 1, Choices: choices})
		last := steps[len(steps)-1].Message
		if last == nil {
			continue
		}
		sent := e.Classify(last, e.Wire(last, c.ID))
		assert.True(t, judge.AsExpected(c.Class.Expected, sent, c.Op.AsText()), "%s: %s: %s", c.ID, c.Class.Expected, last.Body())
	}
}

const addresses = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/addresses: {post: {requestBody: {required: true, content: {application/json: {schema:
  {type: object, required: [country, postcode], properties: {country: {enum: [US, NL]}, postcode: {type: string}, state: {type: string, minLength: 2, maxLength: 2}},
  if: {properties: {country: {const: US}}}, then: {properties: {postcode: {pattern: "^[0-9]{5}$"}}, required: [state]},
  else: {properties: {postcode: {pattern: "^[0-9]{4}[A-Z]{2}$"}, state: false}}}}}},
  responses: {"201": {description: made}, "400": {description: refused}}}}}}`

// A branch of a condition that no valid request selects is not tested at all.
func TestEveryValueThatAConditionTellsApartIsInAValidRequestWithTheBoundsOfItsBranch(t *testing.T) {
	const readings = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/readings: {post: {requestBody: {required: true, content: {application/json: {schema:
  {type: object, required: [kind], properties: {kind: {enum: [number, text, none]}, value: true, parts: {type: array, items: {type: integer}}}, allOf: [
  {if: {properties: {kind: {const: number}}}, then: {properties: {value: {type: integer, maximum: 500}}, required: [value]}},
  {if: {properties: {kind: {const: text}}}, then: {properties: {value: {type: string, minLength: 3}, parts: {minItems: 2}}, required: [value, parts]}},
  {if: {properties: {kind: {const: none}}}, then: {properties: {value: false}}}]}}}},
  responses: {"201": {description: made}, "400": {description: refused}}}}}}`
	enum, bounds := map[string]bool{}, map[string]bool{}
	for one, m := range lastOf(t, readings, "full", 100) {
		r := m.Reading()
		if r == nil || r.Kind != schema.MustAccept || m.At("/kind") == nil {
			continue
		}
		switch {
		case one.Class.Place.Path == "/kind" && one.Class.Kind == "enum":
			enum[m.At("/kind").Text] = true
		case one.Class.Kind == "condition-kept" && one.Class.Place.Path == "/value":
			bounds[m.At("/value").String()] = true
		case one.Class.Kind == "condition-kept" && one.Class.Place.Path == "/parts":
			bounds[fmt.Sprint(len(m.At("/parts").Items), " parts")] = true
		}
	}
	assert.Equal(t, map[string]bool{"number": true, "text": true, "none": true}, enum)
	assert.Contains(t, bounds, "500")
	assert.Contains(t, bounds, "2 parts")
}

const meeting = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/t: {post: {requestBody: {required: true, content: {application/json: {schema: {
  type: object, required: [name], properties: {name: {type: string, maxLength: 9},
  stops: {type: array, items: {type: object, required: [code], properties: {code: {type: string, pattern: "^[A-Z]{3}$"}, pickup: {type: boolean}}}, contains: {properties: {pickup: {const: true}}, required: [pickup]}, maxContains: 2},
  roles: {type: array, minItems: 3, uniqueItems: true, items: {type: object, required: [role], additionalProperties: false, properties: {role: {enum: [admin, user, guest]}}}},
  codes: {type: array, items: {type: string, pattern: "^[a-z]{3,5}$"}, contains: {pattern: "^ab"}},
  letters: {type: array, items: {enum: [a, b, c]}, contains: {not: {const: a}}},
  threes: {type: array, uniqueItems: true, minItems: 3, items: {type: integer, minimum: 1, maximum: 9}, contains: {multipleOf: 3}, minContains: 3},
  both: {type: array, uniqueItems: true, minItems: 2, maxItems: 2, items: {type: boolean}},
  word: {allOf: [{type: string, pattern: "^[a-z0-9]+$"}, {pattern: "[0-9]$"}, {minLength: 8}]},
  expires: {type: string, format: date, pattern: "^20[23][0-9]-"}, host: {type: string, format: hostname, maxLength: 12},
  link: {type: string, format: iri, maxLength: 20}, address: {type: string, format: ipv6, maxLength: 5},
  twentieth: {type: number, multipleOf: 0.05, exclusiveMinimum: 0.1, exclusiveMaximum: 0.2}, tiny: {type: number, exclusiveMinimum: 0, maximum: 0.001},
  share: {type: number, exclusiveMinimum: 0, exclusiveMaximum: 1},
  thirty: {allOf: [{type: integer, multipleOf: 6}, {multipleOf: 10}], minimum: 1, maximum: 40},
  extra: {not: {type: string}}, tree: {$ref: "#/components/schemas/Tree"}}}}}}, responses: {"201": {description: d}, "400": {description: d}}}}},
  components: {schemas: {Tree: {type: object, required: [kids], properties: {kids: {type: array, items: {$ref: "#/components/schemas/Tree"}}}}}}}`

func TestAMemberWhoseKeywordsMeetIsSentWithAValidValue(t *testing.T) {
	t.Parallel()
	sent, codes := map[string]bool{}, 0
	for one, m := range lastOf(t, meeting, "gate", 1) {
		r := m.Reading()
		if one.Class.Kind == "present" && assert.Contains(t, []schema.Kind{schema.MustAccept, schema.MayRefuse}, r.Kind, "%s %s", one.ID, m.Body()) {
			sent[one.Class.Place.Path] = true
		}
		if r != nil && len(r.Violations) == 1 && r.Violations[0].Key() == (schema.Key{Path: "/stops/*/code", Keyword: "pattern"}) {
			codes++
		}
	}
	for _, name := range []string{"stops", "roles", "codes", "letters", "threes", "both", "word", "expires", "host", "link", "address", "twentieth", "tiny", "share", "thirty", "extra", "tree"} {
		assert.Contains(t, sent, "/"+name)
	}
	assert.NotZero(t, codes, "a wrong item breaks nothing else")
}

func TestEachListedValueIsSentBesideAllOptionalMembers(t *testing.T) {
	t.Parallel()
	const tokens = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/t: {post: {requestBody: {required: true, content: {application/json: {schema: {
  type: object, required: [grant], properties: {grant: {enum: [read, write, all]}, note: {type: string}, strict: {type: boolean}}}}}}, responses: {"201": {description: d}}}}}}`
	var sent []string
	for one, m := range lastOf(t, tokens, "gate", 1) {
		if one.Class.Kind == "value-beside-optional" && m.At("/note") != nil && m.At("/strict") != nil {
			sent = append(sent, m.At("/grant").Text+" "+m.At("/strict").String())
		}
	}
	slices.Sort(sent)
	assert.Equal(t, []string{"all true", "read false", "write true"}, sent)
}

func TestAMemberOfAnyTypeIsSentWithValuesOfEachType(t *testing.T) {
	t.Parallel()
	const hooks = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/t: {post: {requestBody: {required: true, content: {application/json: {schema: {
  type: object, required: [name], properties: {name: {type: string}, payload: {description: d}}}}}}, responses: {"201": {description: d}}}}}}`
	kinds := map[jsontree.Kind]bool{}
	for one, m := range lastOf(t, hooks, "full", 1) {
		if one.Class.Kind == "any-type" {
			kinds[m.At("/payload").Kind] = true
		}
	}
	assert.Len(t, kinds, 6)
}

func TestListedItemsAreSentTogether(t *testing.T) {
	t.Parallel()
	const zones = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/t: {get: {parameters: [{name: zone, in: query, schema: {type: array, maxItems: 2, uniqueItems: true, items: {enum: [north, east, south]}}}], responses: {"200": {description: d}, "400": {description: d}}}}}}`
	var sent []string
	for one, m := range lastOf(t, zones, "gate", 1) {
		if one.Class.Kind == "items-listed" {
			sent = append(sent, strings.Join(m.At("query/zone").Texts(), " "))
		}
	}
	slices.Sort(sent)
	assert.Equal(t, []string{"north east", "south"}, sent)
}
