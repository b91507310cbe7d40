package checks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/report"
)

// refusing is a document whose only refusal is 422.
const refusing = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/things: {
  get: {parameters: [{name: page, in: query, schema: {type: integer, minimum: 1}}], responses: {"200": {description: d}, "422": {description: d}}},
  post: {requestBody: {content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: string}}}}}}, responses: {"201": {description: d}, "422": {description: d}}}},
/login: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [password], properties: {password: {type: string}}}}}}, responses: {"200": {description: d}, "422": {description: d}}}}}}`

func TestAnUndocumentedStatusThatSaysNothingOfTheInputIsNotJudged(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(refusing))
	require.NoError(t, err)
	for name, x := range map[string]struct {
		op, sent      string
		status, first int
		want          report.Verdict
	}{
		"no text":                       {"post-things", "\xff", 400, 0, report.Inapplicable},
		"no text, and another status":   {"post-things", "\xff", 404, 0, report.Fail},
		"text that is no JSON":          {"post-things", "{", 400, 0, report.Fail},
		"documented":                    {"post-things", "{", 422, 0, report.Pass},
		"as every request":              {"post-things", "{}", 401, 401, report.Inapplicable},
		"another than every request":    {"post-things", "{}", 400, 401, report.Fail},
		"an unknown user":               {"post-login", "{}", 401, 0, report.Inapplicable},
		"a user and another status":     {"post-login", "{}", 400, 0, report.Fail},
		"no user":                       {"post-things", "{}", 401, 0, report.Fail},
		"a short target is no long one": {"post-things", "{}", 414, 0, report.Fail},
		"a page that is not there":      {"get-things", `{"query":{"page":9}}`, 404, 0, report.Inapplicable},
		"a page that is none":           {"get-things", `{"query":{"page":0}}`, 404, 0, report.Fail},
		"a page, and another status":    {"get-things", `{"query":{"page":9}}`, 400, 0, report.Fail},
	} {
		op := c.Find(x.op)
		shape := op.Params
		if op.Body != nil {
			shape = op.Body.Shape
		}
		p := &rule.Input{Op: op, Refused: x.first, Requirement: &requirement.Requirement{Args: requirement.Args{Statuses: []string{"422"}}},
			Exchange: &exchange.Exchange{Request: &exchange.Request{Body: []byte(x.sent)}, Response: &exchange.Response{Status: x.status}},
			Sent:     &message.Sent{Body: shape.Read([]byte(x.sent))},
			Got:      &rule.Answer{Status: x.status, Documented: op.Response(x.status)}}
		assert.Equal(t, x.want, refusalStatus.Check(p).Verdict, name)
	}
}

// Some routers refuse a long part of a path with 414, whatever the document lists.
func TestALongTargetMayBeRefusedForItsLength(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(refusing))
	require.NoError(t, err)
	op := c.Find("get-things")
	for target, want := range map[string]report.Verdict{"/things?page=" + strings.Repeat("0", 100): report.Inapplicable, "/things?page=0": report.Fail} {
		p := &rule.Input{Op: op, Requirement: &requirement.Requirement{Args: requirement.Args{Statuses: []string{"422"}}},
			Exchange: &exchange.Exchange{Request: &exchange.Request{Head: []byte("GET " + target + " HTTP/1.1\r\n\r\n")}, Response: &exchange.Response{Status: 414}},
			Sent:     &message.Sent{Body: op.Params.Read([]byte(`{"query":{"page":0}}`))},
			Got:      &rule.Answer{Status: 414}}
		assert.Equal(t, want, refusalStatus.Check(p).Verdict, target)
	}
}

// A document that says how one refusal looks says it of all: 422 is none of its statuses.
func TestAnUndocumentedRefusalIsJudgedWhateverTheDocumentListsOthersFor(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  "/listed/{id}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: d}, "404": {description: d}}}},
  "/range/{id}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: d}, "4XX": {description: d}}}},
  "/default/{id}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: d}, "404": {description: d}, default: {description: d}}}},
  "/none/{id}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	set, checked := requirement.Derive(c), 0
	for op, want := range map[string]map[int]report.Verdict{
		"get-listed-id":  {404: report.Pass, 422: report.Fail, 400: report.Fail},
		"get-range-id":   {404: report.Pass, 422: report.Pass},
		"get-default-id": {404: report.Pass, 422: report.Pass},
		"get-none-id":    {404: report.Pass, 422: report.Pass},
	} {
		for _, r := range set.List {
			if r.Rule != "refusal-status" || r.Op.Slug != op {
				continue
			}
			checked++
			for status, verdict := range want {
				p := &rule.Input{Op: r.Op, Requirement: r, Exchange: &exchange.Exchange{Response: &exchange.Response{Status: status}},
					Sent: &message.Sent{Body: r.Op.Params.Read([]byte(`{"path":{"id":"abc"}}`))}, Got: &rule.Answer{Status: status, Documented: r.Op.Response(status)}}
				out := refusalStatus.Check(p)
				assert.Equal(t, verdict, out.Verdict, "%s %d", op, status)
				if verdict == report.Fail {
					assert.Equal(t, "a status that the document lists: 404", out.Expected)
				}
			}
		}
	}
	assert.Equal(t, 4, checked)
}
