package rule_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

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
		got := rule.Read(c.Operations[0], &exchange.Exchange{Response: &exchange.Response{Status: 200, Content: []byte(body), Fields: []exchange.Field{{Name: "Content-Type", Value: want.media}}}})
		assert.Equal(t, want.refusal, got.Refusal(), body)
		assert.Equal(t, want.refusal, !got.Success(), body)
	}
}
