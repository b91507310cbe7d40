package judge

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/rules"
	"plantstore/conformance/internal/schemes"
	"plantstore/spec"
)

// plants is a judge of the plant store that talks to nobody.
func plants(t testing.TB) *Judge {
	t.Helper()
	c, err := contract.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	set, err := requirement.Overlay(requirement.Derive(c), c, "requirements.yaml", spec.Requirements, rules.Names())
	require.NoError(t, err)
	p, err := plan.New(c, schemes.List(), 1, 1)
	require.NoError(t, err)
	return New(Config{Contract: c, Set: set, Rules: rules.List(), Plan: p, Seed: 1, Endpoint: &request.Endpoint{Token: "user7Zq",
		UserAgent: "test", Target: exchange.Target{Authority: "target"}, Scheme: func(op *contract.Operation) *request.Scheme { return p.Space(op).Scheme }}})
}

// reason says which requirements an exchange breaks: the MUST first, then the
// SHOULDs. An answer is "status media|body", or the kind of a failure.
func (j *Judge) reason(body, credential string, ex *exchange.Exchange) (must string, should []string) {
	op := j.Contract.Operations[0]
	m := &request.Message{Op: op, Raw: []byte(body)}
	if credential != "" {
		m.Credentials = []request.Presented{{Field: "Authorization", Value: func(string) string { return credential }}}
	}
	ex.Request = j.Endpoint.Wire(m, "case")
	s := &subject{op: op, class: "post-plants/valid/baseline/body/baseline", owner: "case", sent: j.Endpoint.Classify(m, ex.Request), ex: ex, got: j.read(op, ex)}
	got := j.check(s, nil)
	for _, w := range got.warnings {
		should = append(should, j.bound[w.at].req.ID)
	}
	if got.reason != nil {
		must = j.bound[got.reason.at].req.ID
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
	mildPlant = `{"id":7,"name":"fern2"}`
	badPlant  = `{"id":"7","name":"fern2"}`
	echoed    = `{"name":"fern2"}`
	refused   = `{"error":400,"message":"no"}`
	jsonType  = "application/json"
)

func TestOneExchangeHasOneReasonTheMostBasicOne(t *testing.T) {
	j := plants(t)
	for name, c := range map[string]struct {
		sent, credential string
		came             *exchange.Exchange
		want             string
	}{
		"a plant":                             {mildPlant, "", answered(200, jsonType, echoed), ""},
		"a plant with more members":           {mildPlant, "", answered(200, jsonType, `{"more":1,"name":"fern2","id":7}`), ""},
		"a charset is free":                   {mildPlant, "", answered(200, "Application/JSON; charset=iso-8859-1", echoed), ""},
		"a plant that is refused":             {mildPlant, "", answered(400, jsonType, refused), "post-plants-valid-accepted"},
		"created":                             {mildPlant, "", answered(201, jsonType, echoed), "post-plants-200-status"},
		"text":                                {mildPlant, "", answered(200, "text/plain", echoed), "post-plants-200-media-type"},
		"text and no json: media type first":  {mildPlant, "", answered(200, "text/plain", "{"), "post-plants-200-media-type"},
		"no json":                             {mildPlant, "", answered(200, jsonType, "{"), "post-plants-200-json"},
		"an array":                            {mildPlant, "", answered(200, jsonType, "[]"), "plant-object"},
		"no name":                             {mildPlant, "", answered(200, jsonType, "{}"), "plant-name-required"},
		"null for a tag":                      {mildPlant, "", answered(200, jsonType, `{"name":"fern2","tag":null}`), "plant-tag-string"},
		"another name":                        {mildPlant, "", answered(200, jsonType, `{"name":"rose3"}`), "echo-name"},
		"a name with a blank behind":          {mildPlant, "", answered(200, jsonType, `{"name":"fern2 "}`), "echo-name"},
		"a name with NUL behind":              {mildPlant, "", answered(200, jsonType, `{"name":"fern2\u0000"}`), "echo-name"},
		"invalid taken":                       {badPlant, "", answered(200, jsonType, echoed), "newplant-id-integer"},
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
		"no json taken":                       {mildPlant + "x", "", answered(200, jsonType, echoed), "post-plants-body-json"},
		"a server error before anything else": {badPlant, "", answered(500, "text/html", "<p>"), "post-plants-answered"},
		"no answer":                           {mildPlant, "", &exchange.Exchange{Failure: &exchange.Failure{Kind: exchange.Dropped}}, "post-plants-answered"},
		"no http":                             {mildPlant, "", &exchange.Exchange{Failure: &exchange.Failure{Kind: exchange.Malformed}}, "post-plants-framing"},
		"bytes behind":                        {mildPlant, "", &exchange.Exchange{Response: &exchange.Response{Status: 200, Surplus: []byte("x")}}, "post-plants-framing"},
		"a wrong token taken":                 {mildPlant, "Bearer other", answered(200, jsonType, echoed), "bearer-token"},
		"another scheme taken":                {mildPlant, "Basic dXNlcjd6cQ==", answered(200, jsonType, echoed), "bearer-scheme"},
		"a wrong token, 401 and any body":     {mildPlant, "Bearer other", answered(401, "text/html", "<p>"), ""},
		"a wrong token redirected":            {mildPlant, "Bearer other", answered(302, "", ""), "bearer-refusal"},
		"a wrong token, 400 without an error": {mildPlant, "Bearer other", answered(400, jsonType, "{}"), "error-error-required"},
	} {
		must, _ := j.reason(c.sent, c.credential, c.came)
		assert.Equal(t, c.want, must, name)
	}
}

func TestANameThatDiffersInNormalisationAloneWarns(t *testing.T) {
	j := plants(t)
	must, should := j.reason(`{"id":7,"name":"caf\u00e92"}`, "", answered(200, jsonType, `{"name":"cafe\u03012"}`))
	assert.Empty(t, must)
	assert.Equal(t, []string{"echo-exact"}, should)
}

func TestA401WithoutChallengeWarns(t *testing.T) {
	must, should := plants(t).reason(mildPlant, "Bearer other", answered(401, "", ""))
	assert.Empty(t, must)
	assert.Equal(t, []string{"bearer-challenge"}, should)
}

func TestShrinkingKeepsWhatARequestIs(t *testing.T) {
	j := plants(t)
	sent := func(body string) *request.Sent {
		m := &request.Message{Op: j.Contract.Operations[0], Raw: []byte(body)}
		return j.Endpoint.Classify(m, j.Endpoint.Wire(m, "case"))
	}
	assert.True(t, alike(sent(badPlant), sent(`{"id":"","name":"a2"}`)))
	for _, other := range []string{mildPlant, "", "{", `{"id":-1,"name":"fern2"}`} {
		assert.False(t, alike(sent(badPlant), sent(other)), other)
	}
	small, large := &request.Message{Raw: []byte(badPlant)}, &request.Message{Raw: []byte(`{"id":"7","name":8}`)}
	assert.Less(t, size(small, sent(badPlant)), size(large, sent(`{"id":"7","name":8}`)), "one defect is smaller than two, whatever the bytes")
}

func TestOnly429And503WithRetryAfterAskForPatience(t *testing.T) {
	for _, c := range []struct {
		status int
		after  string
		want   bool
	}{{429, "", true}, {429, "2", true}, {503, "2", true}, {503, "", false}, {500, "2", false}, {200, "", false}} {
		e := answered(c.status, "", "")
		if c.after != "" {
			e.Response.Fields = []exchange.Field{{Name: "Retry-After", Value: c.after}}
		}
		_, got := new(throttle).patience(e, 0)
		assert.Equal(t, c.want, got, "%d %s", c.status, c.after)
	}
}

func TestARequirementWithoutAJudgedCaseIsNeverGreen(t *testing.T) {
	j := plants(t)
	for name, c := range map[string]tally{
		"masked":      {planned: 3, masked: 3, masks: "post-plants-answered"},
		"not tried":   {planned: 3, untried: 3, why: "the run ended first"},
		"not judged":  {planned: 3},
		"class empty": {planned: 3, judged: 2, hollow: "post-plants/valid/x", why: "time"},
	} {
		r := j.result(0, c, nil)
		assert.Equal(t, "inconclusive", strings.ToLower(string(r.Verdict)), name)
	}
	assert.Equal(t, "pass", strings.ToLower(string(j.result(0, tally{planned: 3, judged: 3}, nil).Verdict)))
	assert.Equal(t, "1 of 3 not tried: time", j.result(0, tally{planned: 3, judged: 2, untried: 1, why: "time"}, nil).Reason)
}
