package checks

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

func TestATextThatWasPutIsReadAgain(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/notes: {
  put: {requestBody: {content: {text/plain: {schema: {type: string}}}}, responses: {"204": {description: d}}},
  get: {responses: {"200": {description: d, content: {text/plain: {schema: {type: string}}}}}}}}}`))
	require.NoError(t, err)
	put, get := c.Find("PUT /notes"), c.Find("GET /notes")
	answered := func(status int, body string) *exchange.Exchange {
		return &exchange.Exchange{Response: &exchange.Response{Status: status, Content: []byte(body), Fields: []exchange.Field{{Name: "Content-Type", Value: "text/plain"}}}}
	}
	for read, want := range map[string]report.Verdict{"second": report.Pass, "first": report.Fail, "firstsecond": report.Fail} {
		in := &rule.Input{Requirement: &requirement.Requirement{}, Op: get, Sent: &message.Sent{}, Exchange: answered(200, read)}
		in.Got = rule.Read(get, in.Exchange)
		for _, text := range []string{"made", "first", "second"} {
			in.History = append(in.History, rule.Earlier{Op: put, Sent: &message.Sent{Body: put.Body.Shape.ReadValue(jsontree.NewString(text), nil, nil)}, Got: rule.Read(put, answered(204, ""))})
		}
		assert.Equal(t, want, storedReplaced.Check(in).Verdict, read)
	}
}
