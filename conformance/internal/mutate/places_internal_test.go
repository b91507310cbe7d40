package mutate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

func TestATextOfAFormatHasTheLengthThatIsAskedFor(t *testing.T) {
	for _, format := range []string{"email", "hostname", "uri", "uri-reference"} {
		made := 0
		for n := range 300 {
			if text := ofFormat(&schema.Schema{Format: format}, n); text != "" {
				assert.Len(t, text, n, format)
				made++
			}
		}
		assert.Greater(t, made, 200, format)
	}
	assert.Empty(t, ofFormat(&schema.Schema{Format: "email"}, 5))
	assert.Empty(t, ofFormat(&schema.Schema{Format: "uuid"}, 40))
}

// aloneWith counts the cases whose bodies break a keyword at a path and no other.
func aloneWith(t *testing.T, of string, key schema.Key) int {
	t.Helper()
	c, err := openapi.Load("test", []byte(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/t":{"post":{"requestBody":{"required":true,"content":{"application/json":{"schema":`+
		of+`}}},"responses":{"200":{"description":"taken"},"400":{"description":"refused"}}}}}}`))
	require.NoError(t, err)
	p, err := plan.New(c, nil, 1, 3)
	require.NoError(t, err)
	n := 0
	require.NoError(t, p.Fill(t.Context(), []plan.Mutator{keywordViolations, structureViolations, missingMembers, conditions}))
	for _, one := range p.Cases {
		steps := p.Build(one, plan.Identity{Seed: 1})
		if r := steps[len(steps)-1].Message.Reading(); r != nil && len(r.Violations) == 1 && r.Violates(key) {
			n++
		}
	}
	return n
}

func TestEachConditionOfASchemaIsMetAndMissed(t *testing.T) {
	const of = `{"type":"object","required":["kind"],"properties":{"kind":{"enum":["a","b","c"]},"n":{"type":"integer"},"t":{"type":"string"}},"allOf":[
		{"if":{"properties":{"kind":{"const":"a"}}},"then":{"required":["n"],"properties":{"n":{"minimum":5}}}},
		{"if":{"properties":{"kind":{"const":"b"}}},"then":{"required":["t"],"properties":{"t":{"maxLength":3}}}}]}`
	for _, member := range []string{"n", "t"} {
		assert.Positive(t, aloneWith(t, of, schema.Key{Keyword: "required", Name: member}), member)
	}
}

func TestKeywordsThatHideBehindOthersAreBrokenAlone(t *testing.T) {
	for _, c := range []struct{ name, schema, path, keyword string }{
		{"a pattern of what may not come", `{"type":"object","required":["a"],"properties":{"a":{"type":"string","pattern":"^[^<>]*$"}}}`, "/a", "pattern"},
		{"the length of a format", `{"type":"object","required":["a"],"properties":{"a":{"type":"string","format":"email","maxLength":100}}}`, "/a", "maxLength"},
		{"the step of members without a name", `{"type":"object","additionalProperties":{"type":"number","minimum":0,"multipleOf":0.01}}`, "/*", "multipleOf"},
		{"the bound of members without a name", `{"type":"object","additionalProperties":{"type":"integer","minimum":0,"maximum":9}}`, "/*", "maximum"},
		{"the number of members whose names have a pattern", `{"type":"object","maxProperties":3,"propertyNames":{"pattern":"^[a-z]+$"}}`, "", "maxProperties"},
		{"a name that is listed", `{"type":"object","minProperties":1,"propertyNames":{"enum":["EUR","JPY"]},"additionalProperties":{"type":"string"}}`, "", "propertyNames"},
		{"a member of what has no name", `{"type":"object","additionalProperties":{"type":"object","required":["b"],"properties":{"b":{"type":"integer","maximum":9}}}}`, "/*/b", "maximum"},
		{"a member of what a pattern names", `{"type":"object","patternProperties":{"^x-":{"type":"integer","maximum":9}}}`, "/*", "maximum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Positive(t, aloneWith(t, c.schema, schema.Key{Path: c.path, Keyword: c.keyword}))
		})
	}
}

func TestAMatchIsJustTooLongOrTooShortForItsPattern(t *testing.T) {
	for _, row := range []struct{ pattern, match, longer, shorter string }{
		{"^[a-z0-9]{4,12}$", "abc4567890", "abc4567890000", "abc"},
		{"^[A-Z]{3}-[0-9]{4}$", "ABC-1234", "ABC-12344", "ABC-123"},
		{`\S`, "a植", "a植", "a植"},
		{"^植{2,3}$", "植植植", "植植植植", "植"},
		{"^.*$", "a1", "a1", "a1"},
		{"(", "a1", "a1", "a1"},
	} {
		assert.Equal(t, row.longer, tooLong(row.pattern)(row.match), row.pattern)
		assert.Equal(t, row.shorter, tooShort(row.pattern)(row.match), row.pattern)
	}
}

func TestPacksHaveEveryVisibleCharacterOnceAndFitIntoAMustAcceptText(t *testing.T) {
	known := map[rune]bool{}
	for _, pack := range packs() {
		assert.True(t, utf8.ValidString(pack))
		assert.LessOrEqual(t, utf8.RuneCountInString(pack), packLength)
		for _, c := range pack {
			assert.False(t, known[c], "%U stands twice", c)
			known[c] = true
		}
	}
	for _, c := range []rune{'é', 'ß', 'Ω', 'я', 'ـ', 'ي', 'ک', '〜', 'µ', '𐐀', 'ﬁ', '1' + 0xFEE0} {
		assert.True(t, known[c], "%c", c)
	}
	for _, c := range []rune{0xAD, 0x34F, 0x115F, 0x3164, 0xFE0F, 0xFFFC} {
		assert.False(t, known[c], "%U cannot be seen", c)
	}
}

func TestTheTroublesomeKindsOfTextExist(t *testing.T) {
	for _, kind := range troublesome {
		assert.True(t, slices.ContainsFunc(slices.Concat(scripts, signs), func(g textGroup) bool { return g.kind == kind }), kind)
	}
}

// Check refuses a catalogue whose words the plan does not bear out.
func (p *Probe) Check() error {
	k := p.Keyword
	for _, s := range []struct {
		side  Side
		name  string
		words Words
	}{{Valid, "valid", k.Valid}, {Invalid, "invalid", k.Invalid}} {
		side, name, words := s.side, s.name, s.words
		switch n := len(p.cases[side]); {
		case n == 0 && words.What != "":
			return fmt.Errorf("%s in %s has words and no case on the %s side: plan one or say why not", k.Name, p.Dialect, name)
		case n == 0 && k.Why == "":
			return fmt.Errorf("%s in %s has no case on the %s side: plan one or say why not", k.Name, p.Dialect, name)
		case n > 0 && (words.What == "" || len(words.Kinds) == 0):
			return fmt.Errorf("%s in %s has %d cases and no words on the %s side: say what is planned", k.Name, p.Dialect, n, name)
		}
		for _, kind := range words.Kinds {
			if p.kinds(side)[kind] == 0 {
				return fmt.Errorf("%s in %s: no class %s on the %s side: the words are out of date", k.Name, p.Dialect, kind, name)
			}
		}
	}
	if len(p.cases[Valid]) > 0 && len(p.cases[Invalid]) > 0 && k.Why != "" {
		return fmt.Errorf("%s in %s has both sides and a reason why not: drop the reason", k.Name, p.Dialect)
	}
	return nil
}

// kinds counts the cases of a side by the kind of their class.
func (p *Probe) kinds(side Side) map[string]int {
	out := map[string]int{}
	for _, c := range p.cases[side] {
		out[c.Class.Kind]++
	}
	return out
}

// Cases gives the cases of a side, in the order of the plan.
func (p *Probe) Cases(side Side) []*plan.Case { return p.cases[side] }

// Draw gives the body of a case with the chance and the fresh values of another
// draw; the nth of the same case is the same bytes each time.
func (p *Probe) Draw(c *plan.Case, n int) []byte {
	again := *c
	again.Seed += uint64(n)
	return p.body(&again, plan.Identity{Seed: seed + uint64(n)})
}

// Baseline is the body that every case begins with.
func (p *Probe) Baseline() []byte {
	return p.plan.Preflight(p.op, plan.Identity{Seed: seed}, 0).Baseline().Body()
}

// Kind gives what the exact judge calls the bytes.
func (p *Probe) Kind(body []byte) schema.Kind { return p.with.Read(body).Kind }

// An item in the place of the one that contains asks for would break contains too.
func TestAnItemIsSpoiltBehindThoseThatContainsAsksFor(t *testing.T) {
	const codes = `{"type":"array","contains":{"const":"MAIN"},"minContains":1,"maxItems":MOST,"items":{"type":"string","not":{"enum":["BAD",""]},"maxLength":6}}`
	for most, some := range map[string]bool{"6": true, "1": false} {
		for _, keyword := range []string{"not", "maxLength"} {
			n := aloneWith(t, strings.Replace(codes, "MOST", most, 1), schema.Key{Path: "/*", Keyword: keyword})
			assert.Equal(t, some, n > 0, "%s %s", most, keyword)
		}
	}
}

func TestNullIsSentWhereTheDocumentAllowsItOrLeavesItOpen(t *testing.T) {
	for text, want := range map[string]int{`{type: string, nullable: true}`: 1, `{nullable: true, oneOf: [{type: string}, {type: number}]}`: 1, `{type: string}`: 0} {
		c, err := openapi.Load("t.yaml", []byte(`{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {/a: {get: {parameters: [{name: filter, in: query, content: {application/json: {schema: {type: object, properties: {value: `+text+`}}}}}],
			responses: {"200": {description: d}}}}}}`))
		require.NoError(t, err)
		p, err := plan.New(c, nil, 1, 1)
		require.NoError(t, err)
		require.NoError(t, p.Fill(t.Context(), []plan.Mutator{boundaryValues}))
		n := 0
		for _, one := range p.Cases {
			if one.Class.Kind == "null" {
				n++
				assert.Equal(t, `{"value":null}`, p.Build(one, plan.Identity{Seed: 1})[0].Message.At("query/filter").String(), text)
			}
		}
		assert.Equal(t, want, n, text)
	}
}
