package mutate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
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
