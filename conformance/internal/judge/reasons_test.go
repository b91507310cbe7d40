package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
)

// plants is a judge of the plant store that talks to nobody.
func plants(t testing.TB) *Judge {
	d := fake.Plants(t)
	return New(d.Set, d.Rules, d.Plan, d.Endpoint)
}

// reason says which requirements an exchange breaks: the MUST first, then the
// SHOULDs. An answer is "status media|body", or the kind of a failure.
func reason(j *Judge, body, credential string, ex *exchange.Exchange) (must string, should []string) {
	op := j.Bound[0].Op
	m := &message.Message{Op: op, Raw: []byte(body)}
	if credential != "" {
		m.Credentials = []message.Presented{{Field: "Authorization", Value: func(string) string { return credential }}}
	}
	ex.Request = j.Endpoint.Wire(m, "case")
	s := &subject{op: op, class: "post-plants/valid/baseline/body/baseline", sender: "case", sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: requirement.Read(op, ex)}
	got := j.check(s, Set{})
	for _, w := range got.Warnings {
		should = append(should, j.Bound[w.At].ID)
	}
	if got.Reason != nil {
		must = j.Bound[got.Reason.At].ID
	}
	return must, should
}

func answered(status int, media, body string) *exchange.Exchange {
	r := &exchange.Response{Status: status, Body: []byte(body), Content: []byte(body)}
	if media != "" {
		r.Fields = []exchange.Field{{Name: "Content-Type", Value: media}}
	}
	return &exchange.Exchange{Response: r}
}

const (
	baselinePlant = `{"id":7,"name":"fern2"}`
	badPlant      = `{"id":"7","name":"fern2"}`
	echoed        = `{"name":"fern2"}`
	refused       = `{"error":400,"message":"no"}`
	jsonType      = "application/json"
)

func TestOneExchangeHasOneReasonTheMostBasicOne(t *testing.T) {
	j := plants(t)
	for name, c := range map[string]struct {
		sent, credential string
		came             *exchange.Exchange
		want             string
	}{
		"a plant":                             {baselinePlant, "", answered(200, jsonType, echoed), ""},
		"a plant with more members":           {baselinePlant, "", answered(200, jsonType, `{"more":1,"name":"fern2","id":7}`), ""},
		"a charset is free":                   {baselinePlant, "", answered(200, "Application/JSON; charset=iso-8859-1", echoed), ""},
		"a plant that is refused":             {baselinePlant, "", answered(400, jsonType, refused), "post-plants-valid-accepted"},
		"created":                             {baselinePlant, "", answered(201, jsonType, echoed), "post-plants-200-status"},
		"text":                                {baselinePlant, "", answered(200, "text/plain", echoed), "post-plants-200-media-type"},
		"text and no json: media type first":  {baselinePlant, "", answered(200, "text/plain", "{"), "post-plants-200-media-type"},
		"no json":                             {baselinePlant, "", answered(200, jsonType, "{"), "post-plants-200-json"},
		"an array":                            {baselinePlant, "", answered(200, jsonType, "[]"), "plant-object"},
		"no name":                             {baselinePlant, "", answered(200, jsonType, "{}"), "plant-name-required"},
		"null for a tag":                      {baselinePlant, "", answered(200, jsonType, `{"name":"fern2","tag":null}`), "plant-tag-string"},
		"another name":                        {baselinePlant, "", answered(200, jsonType, `{"name":"rose3"}`), "echo-name"},
		"a name with a blank behind":          {baselinePlant, "", answered(200, jsonType, `{"name":"fern2 "}`), "echo-name"},
		"a name with NUL behind":              {baselinePlant, "", answered(200, jsonType, `{"name":"fern2\u0000"}`), "echo-name"},
		"invalid taken":                       {badPlant, "", answered(200, jsonType, echoed), "newplant-id-integer"},
		"invalid taken with another status":   {badPlant, "", answered(201, jsonType, echoed), "newplant-id-integer"},
		"invalid refused":                     {badPlant, "", answered(400, jsonType, refused), ""},
		"invalid refused with an exponent":    {badPlant, "", answered(400, jsonType, `{"error":4e2,"message":""}`), ""},
		"invalid refused with 422":            {badPlant, "", answered(422, jsonType, refused), "post-plants-400-status"},
		"invalid redirected":                  {badPlant, "", answered(302, "", ""), "post-plants-400-status"},
		"invalid refused in problem+json":     {badPlant, "", answered(400, "application/problem+json", refused), "post-plants-400-media-type"},
		"invalid refused without a type":      {badPlant, "", answered(400, "", refused), "post-plants-400-media-type"},
		"invalid refused without a body":      {badPlant, "", answered(400, jsonType, ""), "post-plants-400-json"},
		"error beyond int32":                  {badPlant, "", answered(400, jsonType, `{"error":2147483648,"message":""}`), "error-error-int32"},
		"error in quotes":                     {badPlant, "", answered(400, jsonType, `{"error":"400","message":""}`), "error-error-integer"},
		"id beyond int64 taken":               {`{"id":9223372036854775808,"name":"fern2"}`, "", answered(200, jsonType, echoed), "newplant-id-int64"},
		"no body taken":                       {"", "", answered(200, jsonType, echoed), "post-plants-body-required"},
		"no json taken":                       {baselinePlant + "x", "", answered(200, jsonType, echoed), "post-plants-body-json"},
		"a server error before anything else": {badPlant, "", answered(500, "text/html", "<p>"), "post-plants-answered"},
		"no answer":                           {baselinePlant, "", &exchange.Exchange{Failure: &exchange.Failure{Kind: exchange.Dropped}}, "post-plants-answered"},
		"no http":                             {baselinePlant, "", &exchange.Exchange{Failure: &exchange.Failure{Kind: exchange.Malformed}}, "post-plants-framing"},
		"bytes behind":                        {baselinePlant, "", &exchange.Exchange{Response: &exchange.Response{Status: 200, Surplus: []byte("x")}}, "post-plants-framing"},
		"a wrong token taken":                 {baselinePlant, "Bearer other", answered(200, jsonType, echoed), "bearer-token"},
		"another scheme taken":                {baselinePlant, "Basic dXNlcjd6cQ==", answered(200, jsonType, echoed), "bearer-scheme"},
		"a wrong token, 401 and any body":     {baselinePlant, "Bearer other", answered(401, "text/html", "<p>"), ""},
		"a wrong token redirected":            {baselinePlant, "Bearer other", answered(302, "", ""), "bearer-refusal"},
		"a wrong token, 400 without an error": {baselinePlant, "Bearer other", answered(400, jsonType, "{}"), "error-error-required"},
	} {
		must, _ := reason(j, c.sent, c.credential, c.came)
		assert.Equal(t, c.want, must, name)
	}
}

func TestANameThatDiffersInNormalisationAloneWarns(t *testing.T) {
	j := plants(t)
	must, should := reason(j, `{"id":7,"name":"caf\u00e92"}`, "", answered(200, jsonType, `{"name":"cafe\u03012"}`))
	assert.Empty(t, must)
	assert.Equal(t, []string{"echo-exact"}, should)
}

func TestA401WithoutChallengeWarns(t *testing.T) {
	must, should := reason(plants(t), baselinePlant, "Bearer other", answered(401, "", ""))
	assert.Empty(t, must)
	assert.Equal(t, []string{"bearer-challenge"}, should)
}

func TestAWrongTypeIsOneWayOfFailingWhateverItsValue(t *testing.T) {
	j := plants(t)
	op := j.Bound[0].Op
	signatures := map[string]bool{}
	for n := range 20 {
		ex := answered(200, "application/json", fmt.Sprint(n))
		m := &message.Message{Op: op, Raw: []byte(`{"id":1,"name":"fern"}`)}
		ex.Request = j.Endpoint.Wire(m, "case")
		got := j.check(&subject{op: op, class: "post-plants/valid/baseline/body/baseline", sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: requirement.Read(op, ex)}, Set{})
		if assert.NotNil(t, got.Reason) {
			signatures[got.Reason.Outcome.Signature] = true
		}
	}
	assert.Len(t, signatures, 1)
}

func TestOfAnOperationThatIsNotReachedOnlyWhatNeedsNoSuccessIsProven(t *testing.T) {
	failed := requirement.Failed("x", "x", "x")
	for name, c := range map[string]struct {
		rank    requirement.Rank
		role    requirement.Role
		outcome requirement.Outcome
		want    bool
	}{
		"another spelling of a credential is refused":  {requirement.Advice, requirement.RoleCredentialAcceptance, failed, true},
		"another spelling of a credential is accepted": {requirement.Advice, requirement.RoleCredentialAcceptance, requirement.Passed, false},
		"a wrong credential is accepted":               {requirement.Class, requirement.RoleCredentialRefusal, failed, false},
		"a wrong credential is refused":                {requirement.Class, requirement.RoleCredentialRefusal, requirement.Passed, false},
		"an invalid request is accepted":               {requirement.Class, requirement.RoleRefusal, failed, false},
		"an invalid request is refused":                {requirement.Class, requirement.RoleRefusal, requirement.Passed, true},
		"a valid request is refused":                   {requirement.Class, requirement.RoleAcceptance, failed, true},
		"an error has no documented form":              {requirement.Schema, requirement.NoRole, failed, false},
	} {
		assert.Equal(t, c.want, unproven(&requirement.Rule{Rank: c.rank, Role: c.role}, c.outcome), name)
	}
}

// stays is a document with a member of each kind.
const stays = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {parameters: [{name: lang, in: query, schema: {type: string, example: en1}}],
	requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}, kind: {enum: [a, b]}, mail: {type: string, format: email},
	beds: {type: integer, minimum: 1, maximum: 9}, day: {type: string, format: date}, owner: {type: string, format: uuid}, code: {type: string, pattern: "^[a-z]{3}$"},
	note: {type: string, maxLength: 5}, late: {type: boolean}, unit: {type: string, default: m}, tags: {type: array, items: {enum: [x, y]}}}}}}},
	responses: {"201": {description: d}, "400": {description: d}, "404": {description: d}}}}}}`

// posted is a request to stays and what came back.
func posted(j *Judge, op *openapi.Operation, body string, status int, lang string) *subject {
	ex := answered(status, "", "")
	m := &message.Message{Op: op, Raw: []byte(body)}
	if lang != "" {
		m.Params = jsontree.NewObject(jsontree.Member{Name: "query", Value: jsontree.NewObject(jsontree.Member{Name: "lang", Value: jsontree.NewString(lang)})})
	}
	ex.Request = j.Endpoint.Wire(m, "case")
	return &subject{op: op, sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: requirement.Read(op, ex)}
}

func judgeOf(t *testing.T, document string) (*Judge, *openapi.Operation) {
	t.Helper()
	d := fake.Of(t, document)
	return New(d.Set, d.Rules, d.Plan, d.Endpoint), d.Op()
}

// accept notes that the target accepted a request.
func accept(j *Judge, s *subject) {
	list, added := j.choices(s.op, s.sent.Body, nil)
	j.Taken.note(s.op, list, added)
}

func TestARefusalIsAFailureWhereTheDocumentStatesTheValue(t *testing.T) {
	for _, row := range []struct {
		body, lang string
		status     int
		open       []string
	}{
		{`{"room":"r1","kind":"b"}`, "", 400, nil},
		{`{"room":"r1","kind":"b"}`, "", 404, nil},
		{`{"room":"r1","late":true}`, "", 400, nil},
		{`{"room":"r1","unit":"m"}`, "", 400, nil},
		{`{"room":"r1","unit":"km1"}`, "", 400, []string{"/unit"}},
		{`{"room":"r1","tags":["x","y"]}`, "", 400, nil},
		{`{"room":"r1","mail":"a.b@example.com"}`, "", 400, nil},
		{`{"room":"r1","mail":"a.b@example.com"}`, "", 404, []string{"/mail"}},
		{`{"room":"r1","beds":9}`, "", 400, []string{"/beds"}}, // none of its values is known to be accepted
		{`{"room":"r1","beds":5}`, "", 400, []string{"/beds"}},
		{`{"room":"r1","owner":"3f2504e0-4f89-41d3-9a0c-0305e82c3301"}`, "", 400, []string{"/owner"}},
		{`{"room":"r1","code":"abc"}`, "", 400, []string{"/code"}},
		{`{"room":"r1","note":"hello"}`, "", 400, []string{"/note"}},
		{`{"room":"r1","day":"2030-02-03"}`, "", 400, []string{"/day"}},
		{`{"room":"a word"}`, "", 400, []string{"/room"}},
		{`{"room":"r1"}`, "en1", 400, []string{"query/lang"}},
		{`{"room":"r1"}`, "en1", 404, []string{"query/lang"}},
		{`{"room":"r1","kind":"a","late":false}`, "", 400, []string{"/kind", "/late"}}, // only together
		{` {"room":"r1"}`, "", 400, nil},
		{`{"room":"r1","kind":"b"}`, "", 422, nil}, // the document does not list the status
		{`{"room":"r1","note":"abc"}`, "", 422, nil},
		{`{"room":"r1","note":"abc"}`, "", 500, nil},
	} {
		t.Run(fmt.Sprintf("%s %s %d", row.body, row.lang, row.status), func(t *testing.T) {
			j, op := judgeOf(t, stays)
			accept(j, posted(j, op, `{"room":"r2"}`, 201, ""))
			j.Taken.Settle()
			s := posted(j, op, row.body, row.status, row.lang)
			require.Equal(t, message.Accept, s.sent.Expectation(), s.sent.Body.Reasons)
			open := j.open(s)
			assert.Equal(t, row.open, open)
			got := j.check(s, Set{})
			assert.Equal(t, len(row.open) == 0, got.Reason != nil)
			op.Accepted.Valid = true
			assert.Empty(t, j.open(s), "the requirements file says that valid requests are accepted")
		})
	}
}

func TestAURIInAQueryMayNameWhatIsNotThereButNotOneInABody(t *testing.T) {
	j, op := judgeOf(t, strings.NewReplacer("example: en1", "format: uri", "mail: {type: string, format: email}", "site: {type: string, format: uri}").Replace(stays))
	accept(j, posted(j, op, `{"room":"r1"}`, 201, ""))
	j.Taken.Settle()
	assert.Equal(t, []string{"query/lang"}, j.open(posted(j, op, `{"room":"r1"}`, 400, "https://example.com/crs")))
	assert.Empty(t, j.open(posted(j, op, `{"room":"r1","site":"https://example.com/crs"}`, 400, "")))
	j, op = judgeOf(t, strings.Replace(stays, "example: en1", "format: uri", 1))
	accept(j, posted(j, op, `{"room":"r1"}`, 201, "https://example.com/crs"))
	j.Taken.Settle()
	assert.Empty(t, j.open(posted(j, op, `{"room":"r2"}`, 400, "https://example.com/crs")), "this one was accepted")
}

func TestARefusalIsAFailureWhereALikeRequestWasAccepted(t *testing.T) {
	for _, row := range []struct{ accepted, refused string }{
		{`{"room":"r1"}`, `{"room":"r2"}`},
		{`{"room":"a word"}`, `{"room":"a word"}`},
		{`{"room":"r1","beds":5}`, `{"room":"r2","beds":5}`},
		{`{"room":"r1","beds":5}`, `{"room":"r2","beds":9}`}, // the bound is the reason
		{`{"room":"r1","note":"abc"}`, `{"room":"r2","note":"hello"}`},
		{`{"room":"r1","code":"abc"}`, `{"room":"r2","code":"abd"}`},
		{`{"room":"r1","kind":"a","late":false}`, `{"room":"r2","kind":"b","late":true}`},
	} {
		t.Run(row.refused, func(t *testing.T) {
			j, op := judgeOf(t, stays)
			accept(j, posted(j, op, row.accepted, 201, ""))
			s := posted(j, op, row.refused, 400, "")
			assert.NotEmpty(t, j.open(s), "while the run lasts, a like request may still be accepted")
			j.Taken.Settle()
			assert.Empty(t, j.open(s))
		})
	}
}

func TestANumberMayBeWhyABaselineRequestIsRefusedIfOthersAreAccepted(t *testing.T) {
	j, op := judgeOf(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [beds],
		properties: {beds: {type: integer}, kind: {enum: [a, b]}}}}}}, responses: {"201": {description: d}, "400": {description: d}}}}}}`)
	accept(j, posted(j, op, `{"beds":5}`, 201, ""))
	j.Taken.Settle()
	other := posted(j, op, `{"beds":7,"kind":"b"}`, 400, "")
	assert.Empty(t, j.open(other), "the listed value is the reason")
	assert.Equal(t, []string{"/beds"}, j.open(posted(j, op, `{"beds":6}`, 400, "")))
	assert.Equal(t, []string{"/beds"}, j.open(other), "so it may be here")
}

func TestARefusalBecauseOfTheStateOfAThingSaysNothingOfTheRequest(t *testing.T) {
	j, op := judgeOf(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}}}}}},
		responses: {"201": {description: d}, "400": {description: d}, "409": {description: taken}}}}}}`)
	judges(t, j, op, map[int]bool{409: true, 400: false, 201: false, 422: false})
}

func TestTheResponseDefaultIsEnoughForAConflict(t *testing.T) {
	j, op := judgeOf(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}}}}}},
		responses: {"201": {description: d}, default: {description: d}}}}}}`)
	judges(t, j, op, map[int]bool{409: true, 423: true, 400: false, 422: false, 428: false})
}

func TestARequestThatTakesLongMayMeetAThingThatAnotherStateEndsMeanwhile(t *testing.T) {
	j, op := judgeOf(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/jobs/{id}": {delete: {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
		responses: {"202": {description: d}, "404": {description: none}, "409": {description: over}, "422": {description: no}}}}}}`)
	for status, passes := range map[int]bool{404: true, 409: true, 410: false, 422: false} {
		s := posted(j, op, "", status, "")
		s.Exchange.Request.Slow = true
		assert.Equal(t, passes, s.late(), status)
		s.Exchange.Request.Slow = false
		assert.False(t, s.late(), status)
	}
}

// judges asks whether answers with a status may be due to the state of things.
func judges(t *testing.T, j *Judge, op *openapi.Operation, want map[int]bool) {
	t.Helper()
	for status, taken := range want {
		s := posted(j, op, `{"room":"r1"}`, status, "")
		assert.Equal(t, taken, j.ofState(s), status)
		if taken {
			got := j.check(s, Set{})
			assert.Empty(t, got.Failed(), status)
		}
	}
}

func TestAThingThatTheRunCannotMakeMayHaveChangedSinceItsTagWasRead(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/rooms/{id}": {put: {parameters: [{name: id, in: path, required: true, schema: {type: string}},
		{name: If-Match, in: header, schema: {type: string}}], responses: {"200": {description: d}, "412": {description: d}}}}}}`)
	op := d.Contract.Find("put-rooms-id")
	s := &subject{op: op, sent: &message.Sent{}, Exchange: answered(412, "", "")}
	s.Exchange.Request = &exchange.Request{Head: []byte("PUT /rooms/1 HTTP/1.1\r\nIf-Match: \"1\"\r\n\r\n")}
	s.Answer = requirement.Read(op, s.Exchange)
	for kind, taken := range map[resource.Kind]bool{resource.List: true, resource.Example: true, resource.Any: false} {
		assert.Equal(t, taken, s.overtaken(&explore.Reached{Own: true, Ways: map[string]resource.Dependency{"path/id": {Kind: kind}}}), kind.String())
	}
}

func TestADocumentedUnavailabilitySaysNothingOfAValidRequest(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}}}}}},
		responses: {"201": {description: d}, "400": {description: d}, "500": {description: d}, "503": {description: d}}}}}}`)
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	for _, row := range []struct {
		body   string
		status int
		fails  string
	}{{`{"room":"r1"}`, 503, ""}, {`{"room":"r1"}`, 500, "post-stays-answered"}, {`{"room":"r1"}`, 501, "post-stays-answered"}, {`{"room":1}`, 503, "post-stays-answered"}} {
		got := j.check(posted(j, d.Op(), row.body, row.status, ""), Set{})
		if row.fails == "" {
			assert.Empty(t, got.Failed())
			continue
		}
		require.NotNil(t, got.Reason, row)
		assert.Equal(t, row.fails, j.Bound[got.Reason.At].ID)
	}
}

func TestAValueOfAnAnswerComesFromItsRequestAnotherOrNone(t *testing.T) {
	j := plants(t)
	op := j.Bound[0].Op
	note := func(sender, body string) {
		d, err := jsontree.Parse([]byte(body))
		require.NoError(t, err)
		j.Origins.Note(&message.Message{Op: op, Tree: d.Root}, sender)
	}
	origin := func(sender, body, path, value string) requirement.Origin {
		sent := &message.Sent{}
		if body != "" {
			sent.Body = op.Body.Shape.Read([]byte(body))
		}
		return j.Origins.origin(&subject{op: op, sender: sender, sent: sent}, path, value)
	}
	assert.Equal(t, requirement.NoOrigin, origin("a", `{"id":1}`, "/name", "word23fern"), "nothing was sent yet")
	note("a", `{"id":1,"name":"word23fern"}`)
	note("b", `{"id":2.0,"name":"word45rose"}`)
	note("c", `{"id":3,"name":"rose"}`)
	assert.Equal(t, requirement.OwnRequest, origin("a", `{"id":1}`, "/name", "word23fern"))
	assert.Equal(t, requirement.OtherRequest, origin("b", `{"id":2}`, "/name", "word23fern"))
	assert.Equal(t, requirement.SameResource, origin("d", `{"id":2}`, "/name", "word45rose"), "the same number, spelled in another way")
	assert.Equal(t, requirement.OtherRequest, origin("d", "", "/name", "word45rose"))
	assert.Equal(t, requirement.NoOrigin, origin("d", `{"id":9}`, "/name", "rose"), "a word that anybody may have")
	assert.Equal(t, requirement.NoOrigin, origin("b", `{"id":9}`, "/tag", "word23fern"), "another member")

	note("a", `{"id":1,"name":"word23fern"}`)
	assert.Equal(t, requirement.OwnRequest, origin("a", `{"id":1}`, "/name", "word23fern"), "sent twice by one request")
	note("b", `{"id":2,"name":"word23fern"}`)
	for _, sender := range []string{"a", "b", "c"} {
		assert.Equal(t, requirement.NoOrigin, origin(sender, `{"id":8}`, "/name", "word23fern"), "two requests sent it: it proves nothing")
	}

	assert.False(t, j.Origins.Unknown(op, jsontree.M("name", jsontree.NewString("word45rose"))))
	assert.True(t, j.Origins.Unknown(op, jsontree.M("name", jsontree.NewString("word67lily"))))
	assert.True(t, j.Origins.Unknown(op, jsontree.M("tag", jsontree.NewString("word45rose"))))
}

func TestEveryShortValueThatWasSentIsKnown(t *testing.T) {
	j := plants(t)
	op := j.Bound[0].Op
	d, err := jsontree.Parse([]byte(`{"id":8,"name":"rose"}`))
	require.NoError(t, err)
	j.Origins.Note(&message.Message{Op: op, Tree: d.Root}, "a")
	assert.True(t, j.Origins.Used(op, jsontree.M("id", jsontree.NewNumber("8.0"))))
	assert.False(t, j.Origins.Used(op, jsontree.M("id", jsontree.NewNumber("9"))))
	assert.True(t, j.Origins.Used(op, jsontree.M("name", jsontree.NewString("rose"))))
	assert.False(t, j.Origins.Used(op, jsontree.M("tag", jsontree.NewString("rose"))), "another member")
}
