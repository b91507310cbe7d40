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
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

func TestARequestWithoutABodyThatIsSentInPiecesHasToBeAccepted(t *testing.T) {
	p := &requirement.Input{Requirement: &requirement.Requirement{}, Sent: &message.Sent{Cut: true}, Got: &requirement.Answer{Status: 204}}
	assert.Equal(t, requirement.Passed, accepted.Check(p))
}

func TestAValueInsideAnOptionalMemberIsWhatAnAcceptedRequestIsAbout(t *testing.T) {
	for _, c := range []struct {
		unusual []string
		about   string
	}{
		{[]string{"/rules"}, "/rules"},
		{[]string{"/rules", "/rules/*/kind"}, "/rules/*/kind"},
		{[]string{"/rules", "/rules/*/kind", "/rules/*/at"}, ""},
		{[]string{"/a", "/b"}, ""},
		{[]string{"/a", "/ab"}, ""},
	} {
		p := &requirement.Input{Requirement: &requirement.Requirement{}, Sent: &message.Sent{Body: &schema.Reading{Unusual: c.unusual}}}
		assert.Equal(t, c.about, subject(p), c.unusual)
	}
}

func TestADocumentedRefusalOfTheBodyAnswersAWrongCredentialToo(t *testing.T) {
	for name, x := range map[string]struct {
		body   string
		status int
		path   string
		want   report.Verdict
	}{
		"a body to refuse":                 {noName, 422, "/plants", report.Pass},
		"a right body":                     {baseline, 422, "/plants", report.Fail},
		"a body to refuse, not documented": {noName, 418, "/plants", report.Fail},
		"a hidden thing":                   {baseline, 404, "/plants/{id}", report.Pass},
		"nothing to hide":                  {baseline, 404, "/plants", report.Fail},
	} {
		p := refused(x.body).by(message.CredentialAbsent).as(x.status).pass(t, requirement.Args{})
		p.Op.Path = x.path
		if x.status != 418 {
			p.Got.Documented = p.Op.Response(400)
		}
		assert.Equal(t, x.want, challenge.Check(p).Verdict, name)
	}
}

func TestWhatIsLeftOutHasItsDefault(t *testing.T) {
	card := func(sent string, status int, came string) report.Verdict {
		return defaultApplied.Check(history(t, said{"card", "@b1 " + sent, status, came, ""})).Verdict
	}
	assert.Equal(t, report.Pass, card(`{"a":"x"}`, 201, `{"a":"x","d":"first"}`))
	assert.Equal(t, report.Fail, card(`{"a":"x"}`, 201, `{"a":"x","d":"other"}`))
	assert.Equal(t, report.Fail, card(`{"a":"x"}`, 201, `{"a":"x","d":null}`))
	assert.Equal(t, report.Inapplicable, card(`{"a":"x","d":"other"}`, 201, `{"d":"other"}`), "it was given")
	assert.Equal(t, report.Inapplicable, card(`{"a":"x"}`, 201, `{"a":"x"}`), "the answer does not have it")
	assert.Equal(t, report.Inapplicable, card(`{"a":"x"}`, 400, `{"d":"other"}`))
}

func TestAnswersWithTheSameSchemaAreNamedTogether(t *testing.T) {
	answer := func(status, of string) *openapi.Response {
		r := &openapi.Response{Status: status}
		if of != "" {
			r.Media = []openapi.Media{{Shape: &schema.Shape{Schema: &schema.Schema{Name: of}}}}
		}
		return r
	}
	for want, list := range map[string][]*openapi.Response{
		"a client error":                         nil,
		"400":                                    {answer("400", "")},
		"400 or 404":                             {answer("400", ""), answer("404", "")},
		"400 with an Error or 404":               {answer("400", "Error"), answer("404", "")},
		"400, 404 or 422 with an Error":          {answer("400", "Error"), answer("404", "Error"), answer("422", "Error")},
		"400 with an Error or 422 with a Report": {answer("400", "Error"), answer("422", "Report")},
	} {
		assert.Equal(t, want, statuses(list, "a client error"))
	}
}

func TestABodyBehindTheHeadOfAHEADIsExcusedOnlyWhereTheRequestCouldNotBeRead(t *testing.T) {
	for _, row := range []struct {
		method    string
		status    int
		transport []string
		want      report.Verdict
	}{
		{"HEAD", 400, []string{"HTTP/1.2"}, report.Inapplicable},
		{"HEAD", 505, []string{"HTTP/1.2"}, report.Inapplicable},
		{"HEAD", 400, nil, report.Fail},
		{"HEAD", 404, []string{"HTTP/1.2"}, report.Fail},
		{"HEAD", 200, []string{"HTTP/1.2"}, report.Fail},
		{"GET", 400, []string{"HTTP/1.2"}, report.Fail},
	} {
		p := &requirement.Input{Op: &openapi.Operation{Method: row.method}, Sent: &message.Sent{Transport: row.transport},
			Exchange: &exchange.Exchange{Response: &exchange.Response{Status: row.status, Surplus: []byte("{}")}}}
		assert.Equal(t, row.want, framing.Check(p).Verdict, "%v", row)
	}
}

func TestA205HasNoContent(t *testing.T) {
	for _, row := range []struct {
		status int
		came   string
		want   report.Verdict
	}{{205, "x", report.Fail}, {205, "", report.Pass}, {200, "x", report.Pass}} {
		p := taken(`{"id":7,"name":"fern2"}`, "").as(row.status).pass(t, requirement.Args{})
		p.Exchange.Response.Content = []byte(row.came)
		assert.Equal(t, row.want, framing.Check(p).Verdict, "%v", row)
	}
}

// A message may quote bytes that are no UTF-8 and half a pair of escapes, but cuts no
// whole character.
func TestHalfACharacterInTheAnswerToWholeOnesIsTheServersOwn(t *testing.T) {
	for body, want := range map[string]report.Verdict{"植": report.Fail, "\"\xE6\xA4": report.Pass, `"\ud83d`: report.Pass} {
		x := refused(body)
		x.came = "{\"error\":400,\"message\":\"\xE6\xA4\"}"
		p := x.pass(t, requirement.Args{Statuses: []string{"400"}})
		p.Exchange.Request = &exchange.Request{Body: []byte(body)}
		assert.Equal(t, want, answerJSON.Check(p).Verdict, "%q", body)
	}
}

func TestAFieldThatIsAURIHasNoCharacterThatNoURIHas(t *testing.T) {
	for _, row := range []struct {
		format, value string
		want          bool
	}{
		{"uri-reference", "/tasks/1?a=b#c", false},
		{"uri-reference", " /tasks/1 ", false},
		{"uri-reference", "/tâches/1", false},
		{"uri-reference", "tasks|<new task>", true},
		{"uri", "https://example.com/a b", true},
		{"", "a b", false},
	} {
		h := &openapi.Header{Name: "Location", Shape: &schema.Shape{Schema: &schema.Schema{Format: row.format}}}
		assert.Equal(t, row.want, noURI(h, row.value), "%v", row)
	}
}

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
		p := &requirement.Input{Op: op, Refused: x.first, Requirement: &requirement.Requirement{Args: requirement.Args{Statuses: []string{"422"}}},
			Exchange: &exchange.Exchange{Request: &exchange.Request{Body: []byte(x.sent)}, Response: &exchange.Response{Status: x.status}},
			Sent:     &message.Sent{Body: shape.Read([]byte(x.sent))},
			Got:      &requirement.Answer{Status: x.status, Documented: op.Response(x.status)}}
		assert.Equal(t, x.want, refusalStatus.Check(p).Verdict, name)
	}
}

// Some routers refuse a long part of a path with 414, whatever the document lists.
func TestALongTargetMayBeRefusedForItsLength(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(refusing))
	require.NoError(t, err)
	op := c.Find("get-things")
	for target, want := range map[string]report.Verdict{"/things?page=" + strings.Repeat("0", 100): report.Inapplicable, "/things?page=0": report.Fail} {
		p := &requirement.Input{Op: op, Requirement: &requirement.Requirement{Args: requirement.Args{Statuses: []string{"422"}}},
			Exchange: &exchange.Exchange{Request: &exchange.Request{Head: []byte("GET " + target + " HTTP/1.1\r\n\r\n")}, Response: &exchange.Response{Status: 414}},
			Sent:     &message.Sent{Body: op.Params.Read([]byte(`{"query":{"page":0}}`))},
			Got:      &requirement.Answer{Status: 414}}
		assert.Equal(t, want, refusalStatus.Check(p).Verdict, target)
	}
}

// A document that says how one refusal looks says it of all: 422 is none of its statuses, nor is 404
// where the path is right. Where it says nothing at all, what it leaves out is a warning.
func TestAnUndocumentedRefusalIsJudgedWhateverTheDocumentListsOthersFor(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  "/listed/{id}": {get: {parameters: &p [{name: id, in: path, required: true, schema: {type: integer}}, {name: n, in: query, schema: {type: integer}}], responses: {"200": {description: d}, "404": {description: d}}}},
  "/bad/{id}": {get: {parameters: *p, responses: {"200": {description: d}, "400": {description: d}}}},
  "/range/{id}": {get: {parameters: *p, responses: {"200": {description: d}, "4XX": {description: d}}}},
  "/default/{id}": {get: {parameters: *p, responses: {"200": {description: d}, "404": {description: d}, default: {description: d}}}},
  "/none/{id}": {get: {parameters: *p, responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	const badPath, badQuery = `{"path":{"id":"abc"}}`, `{"path":{"id":7},"query":{"n":"x"}}`
	rules := map[string]*requirement.Rule{"refusal-status": &refusalStatus, "refusal-listed": &refusalListed}
	levels := map[string]report.Level{"refusal-status": report.Must, "refusal-listed": report.Should}
	set, checked := requirement.Derive(c, Rules()), 0
	pass, fail, none := report.Pass, report.Fail, report.Inapplicable
	for op, of := range map[string]map[string]map[string]map[int]report.Verdict{
		"get-listed-id": {"refusal-status": {badPath: {404: pass, 422: fail, 400: fail}, badQuery: {404: pass, 409: fail}}},
		"get-bad-id": {
			"refusal-status": {badPath: {400: pass, 404: none, 422: fail, 429: none}, badQuery: {403: fail, 404: fail, 409: fail, 410: fail, 412: fail, 423: fail, 428: fail, 429: none}},
			"refusal-listed": {badPath: {400: pass, 404: fail, 414: none}, badQuery: {404: none, 400: none}}},
		"get-range-id":   {"refusal-status": {badPath: {404: pass, 422: pass}}},
		"get-default-id": {"refusal-status": {badPath: {404: pass, 422: pass}}},
		"get-none-id": {
			"refusal-status": {badPath: {404: pass, 422: pass}, badQuery: {500: fail}},
			"refusal-listed": {badPath: {404: fail, 200: pass, 414: none, 415: none}, badQuery: {400: fail, 429: none, 500: none}}},
	} {
		for _, r := range set.List {
			if rules[r.Rule] == nil || r.Op.Slug != op {
				continue
			}
			checked++
			assert.Equal(t, levels[r.Rule], r.Level, "%s %s", op, r.Rule)
			for sent, statuses := range of[r.Rule] {
				for status, verdict := range statuses {
					p := &requirement.Input{Op: r.Op, Requirement: r, Exchange: &exchange.Exchange{Request: &exchange.Request{}, Response: &exchange.Response{Status: status}},
						Sent: &message.Sent{Body: (*schema.Reading)(nil).Beside(r.Op.Params.Read([]byte(sent)))}, Got: &requirement.Answer{Status: status, Documented: r.Op.Response(status)}}
					out := rules[r.Rule].Check(p)
					assert.Equal(t, verdict, out.Verdict, "%s %s %s %d", op, r.Rule, sent, status)
					if op == "get-listed-id" && verdict == report.Fail {
						assert.Equal(t, "a status that the document lists: 404", out.Expected)
					}
				}
			}
		}
	}
	assert.Equal(t, 7, checked)
	ideal := &requirement.Input{Op: c.Find("get-none-id"), Requirement: &requirement.Requirement{}, Exchange: &exchange.Exchange{}, Sent: &message.Sent{}, Got: &requirement.Answer{Status: 400}}
	assert.Equal(t, report.Fail, refusalListed.Check(ideal).Verdict, "what has no request shows what a case can test")
}

// A server that checks a condition before all else says 412, whatever the document lists.
func TestOnlyARequestWithAConditionMayBeRefusedForOne(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(refusing))
	require.NoError(t, err)
	op := c.Find("post-things")
	for head, want := range map[string]report.Verdict{"PUT /things HTTP/1.1\r\nIf-Match: \"a\"\r\n\r\n": report.Inapplicable, "PUT /things HTTP/1.1\r\n\r\n": report.Fail} {
		p := &requirement.Input{Op: op, Requirement: &requirement.Requirement{Args: requirement.Args{Statuses: []string{"422"}}},
			Exchange: &exchange.Exchange{Request: &exchange.Request{Head: []byte(head)}, Response: &exchange.Response{Status: 412}},
			Sent:     &message.Sent{Body: op.Body.Shape.Read([]byte(`{}`))},
			Got:      &requirement.Answer{Status: 412}}
		assert.Equal(t, want, refusalStatus.Check(p).Verdict, head)
	}
}

func TestWhatIsWriteOnlyDoesNotComeBack(t *testing.T) {
	for came, want := range map[string]report.Verdict{
		`{"id":"k1"}`:                           report.Pass,
		`{"id":"k1","pw":"other secret"}`:       report.Pass,
		`{"id":"k1","pw":"long secret"}`:        report.Fail,
		`{"data":{"a":"x","pw":"long secret"}}`: report.Fail,
		`"long secret"`:                         report.Inapplicable,
	} {
		out := writeOnlyEchoed.Check(history(t, said{"add", `{"a":"x","pw":"long secret"}`, 201, came, ""}))
		assert.Equal(t, want, out.Verdict, came)
	}
	short := said{"add", `{"pw":"abc"}`, 201, `{"pw":"abc"}`, ""}
	assert.Equal(t, report.Inapplicable, writeOnlyEchoed.Check(history(t, short)).Verdict, "a server may have such a value of its own")
	short.body, short.status = `{"pw":"long secret"}`, 400
	assert.Equal(t, report.Inapplicable, writeOnlyEchoed.Check(history(t, short)).Verdict, "a refusal may say what is wrong")
}
