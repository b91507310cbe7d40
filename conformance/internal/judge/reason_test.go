package judge

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/rule"
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
	s := &subject{op: op, class: "post-plants/valid/baseline/body/baseline", sender: "case", sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: rule.Read(op, ex)}
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
		got := j.check(&subject{op: op, class: "post-plants/valid/baseline/body/baseline", sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: rule.Read(op, ex)}, Set{})
		if assert.NotNil(t, got.Reason) {
			signatures[got.Reason.Outcome.Signature] = true
		}
	}
	assert.Len(t, signatures, 1)
}

func TestOfAnOperationThatIsNotReachedOnlyWhatNeedsNoSuccessIsProven(t *testing.T) {
	failed := rule.Failed("x", "x", "x")
	for name, c := range map[string]struct {
		rank    rule.Rank
		role    rule.Role
		outcome rule.Outcome
		want    bool
	}{
		"another spelling of a credential is refused":  {rule.Advice, rule.RoleCredentialAcceptance, failed, true},
		"another spelling of a credential is accepted": {rule.Advice, rule.RoleCredentialAcceptance, rule.Passed, false},
		"a wrong credential is accepted":               {rule.Class, rule.RoleCredentialRefusal, failed, false},
		"a wrong credential is refused":                {rule.Class, rule.RoleCredentialRefusal, rule.Passed, false},
		"an invalid request is accepted":               {rule.Class, rule.RoleRefusal, failed, false},
		"an invalid request is refused":                {rule.Class, rule.RoleRefusal, rule.Passed, true},
		"a valid request is refused":                   {rule.Class, rule.RoleAcceptance, failed, true},
		"an error has no documented form":              {rule.Schema, rule.NoRole, failed, false},
	} {
		assert.Equal(t, c.want, unproven(&rule.Rule{Rank: c.rank, Role: c.role}, c.outcome), name)
	}
}
