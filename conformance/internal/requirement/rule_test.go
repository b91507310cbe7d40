package requirement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

func TestABadRuleIsRefused(t *testing.T) {
	check := func(*requirement.Input) requirement.Outcome { return requirement.None }
	good := requirement.Rule{Name: "a-rule", Rank: requirement.Class, Category: report.Answer, Means: "it is wrong", Doc: "D.", Explanation: "E.", Fix: "F.", Check: check}
	assert.NoError(t, requirement.Validate([]requirement.Rule{good}))
	with := func(change func(r *requirement.Rule)) []requirement.Rule {
		r := good
		change(&r)
		return []requirement.Rule{r}
	}
	for want, list := range map[string][]requirement.Rule{
		`rule "A rule": the name is not`:  with(func(r *requirement.Rule) { r.Name = "A rule" }),
		"rule a-rule: Doc is not":         with(func(r *requirement.Rule) { r.Doc = "" }),
		"rule a-rule: Explanation is not": with(func(r *requirement.Rule) { r.Explanation = "no sentence" }),
		"rule a-rule: Fix is not":         with(func(r *requirement.Rule) { r.Fix = "" }),
		"rule a-rule: Category and Means": with(func(r *requirement.Rule) { r.Means = "" }),
		"rule a-rule checks nothing":      with(func(r *requirement.Rule) { r.Check = nil }),
		"rule a-rule is listed twice":     {good, good},
	} {
		assert.ErrorContains(t, requirement.Validate(list), want)
	}
	assert.NoError(t, requirement.Validate(with(func(r *requirement.Rule) { r.Rank, r.Fix = requirement.Observed, "" })), "what is only observed needs no fix")
}

func TestThePartsOfAStreamAreReadByTheSchemaOfItsItems(t *testing.T) {
	doc := fake.Of(t, `openapi: 3.2.0
info: {title: t, version: "1"}
paths:
  /events: {get: {responses: {"200": {description: ok, content: {
    text/event-stream: {itemSchema: {type: object, required: [data], properties: {event: {enum: [add]}, data: {type: string, contentMediaType: application/json, contentSchema: {type: object, required: [n], properties: {n: {type: integer}}}}}}},
    application/jsonl: {itemSchema: {type: object, required: [n], properties: {n: {type: integer}}}}}}}}}
`)
	for _, row := range []struct {
		media, body string
		open        bool
		want        schema.Kind
	}{
		{"application/jsonl", "{\"n\":1}\n\n{\"n\":2}\r\n", false, schema.MustAccept},
		{"application/jsonl", "{\"n\":1}\n{\"n\":\"x\"}", false, schema.Invalid},
		{"application/jsonl", "{\"n\":1}\n{\"n\":\"x\"", true, schema.MustAccept},
		{"application/jsonl", "{\"n\":1}\n{\"n\":", false, schema.NotJSON},
		{"application/jsonl", "", true, schema.MustAccept},
		{"text/event-stream", ": tick\n\nevent: add\ndata: {\ndata: \"n\": 1}\n\n", true, schema.MustAccept},
		{"text/event-stream", "data:{\"n\":1}\r\n\r\nevent: gone\r\ndata: {\"n\":1}\r\n\r\n", false, schema.Invalid},
		{"text/event-stream", "data: {\"n\":\"x\"}\n\n", true, schema.Invalid},
		{"text/event-stream", "data: no\n\n", true, schema.NotJSON},
		{"text/event-stream", "data: {\"n\":1}\n\ndata: {\"n\":", true, schema.MustAccept},
		{"text/event-stream", "event: gone\n\n", false, schema.MustAccept},
	} {
		e := &exchange.Exchange{Response: &exchange.Response{Status: 200, Content: []byte(row.body), Open: row.open, Fields: []exchange.Field{{Name: "Content-Type", Value: row.media}}}}
		assert.Equal(t, row.want, requirement.Read(doc.Op(), e).Reading.Kind, "%s %q", row.media, row.body)
	}
}

// An exchange of telephones answers everything with 200, and says in the body what came of it.
func TestAnAnswerIsARefusalIfItsBodyTellsSoAndTheDocumentHasNoStatusForIt(t *testing.T) {
	schema := `{schema: {type: object, required: [rc], properties: {rc: {type: string}}}}`
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {responses: {"200": {description: d,
  content: {application/json: `+schema+`, application/xml: `+schema+`}}}}}}}`))
	require.NoError(t, err)
	for body, want := range map[string]struct {
		media   string
		refusal bool
	}{
		`{"rc":"101"}`:                    {"application/json", true},
		`{"rc":"000"}`:                    {"application/json", false},
		`<answer><rc> 101 </rc></answer>`: {"application/xml", true},
		`<answer><rc>000</rc></answer>`:   {"application/xml", false},
		`<answer><rc>101</answer>`:        {"application/xml", false},
	} {
		got := requirement.Read(c.Operations[0], &exchange.Exchange{Response: &exchange.Response{Status: 200, Content: []byte(body), Fields: []exchange.Field{{Name: "Content-Type", Value: want.media}}}})
		assert.Equal(t, want.refusal, got.Refusal(), body)
		assert.Equal(t, want.refusal, !got.Success(), body)
	}
}
