package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/reach"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
	"plantstore/conformance/internal/target"
)

func TestARefusalBecauseOfTheStateOfAThingSaysNothingOfTheRequest(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}}}}}},
		responses: {"201": {description: d}, "400": {description: d}, "409": {description: taken}}}}}}`)
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	op := d.Contract.Find("post-stays")
	judges(t, j, op, map[int]bool{409: true, 400: false, 201: false, 422: false})
}

func TestTheResponseDefaultIsEnoughForAConflict(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {requestBody: {content: {application/json: {schema: {type: object, required: [room], properties: {room: {type: string}}}}}},
		responses: {"201": {description: d}, default: {description: d}}}}}}`)
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	judges(t, j, d.Contract.Find("post-stays"), map[int]bool{409: true, 423: true, 400: false, 422: false, 428: false})
}

// judges asks whether answers with a status may be due to a rule that no schema states.
func judges(t *testing.T, j *Judge, op *contract.Operation, want map[int]bool) {
	t.Helper()
	for status, taken := range want {
		ex := answered(status, "", "")
		m := &request.Message{Op: op, Raw: []byte(`{"room":"r1"}`)}
		ex.Request = j.Endpoint.Wire(m, "case")
		s := &subject{op: op, sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: rule.Read(op, ex)}
		for role, may := range map[rule.Role]bool{rule.RoleAcceptance: true, rule.RoleOmission: true, rule.RoleCredentialAcceptance: true, rule.RoleRefusal: false, rule.RoleEcho: false} {
			assert.Equal(t, taken && may, j.ruled(s, &rule.Rule{Role: role}), "%d %v", status, role)
		}
	}
}

func TestAThingMayBeMissingForATenantThatAHeaderNames(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/rooms/{id}": {get: {parameters: [{name: id, in: path, required: true, schema: {type: string}},
		{name: X-Tenant, in: header, schema: {type: string}}, {name: view, in: query, schema: {type: string}}], responses: {"200": {description: d}, "404": {description: d}}}}}}`)
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	op := d.Contract.Find("get-rooms-id")
	for given, may := range map[string]bool{"header/X-Tenant": true, "query/view": false, "": false} {
		s := &subject{op: op, sent: &request.Sent{Body: &contract.Reading{Unusual: []string{given}}}, Exchange: answered(404, "", "")}
		s.Answer = rule.Read(op, s.Exchange)
		assert.Equal(t, may, j.ruled(s, &rule.Rule{Role: rule.RoleAcceptance}), given)
		s.Exchange = answered(400, "", "")
		s.Answer = rule.Read(op, s.Exchange)
		assert.False(t, j.ruled(s, &rule.Rule{Role: rule.RoleAcceptance}), given)
	}
}

func TestAThingThatTheRunCannotMakeMayHaveChangedSinceItsTagWasRead(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/rooms/{id}": {put: {parameters: [{name: id, in: path, required: true, schema: {type: string}},
		{name: If-Match, in: header, schema: {type: string}}], responses: {"200": {description: d}, "412": {description: d}}}}}}`)
	op := d.Contract.Find("put-rooms-id")
	s := &subject{op: op, sent: &request.Sent{}, Exchange: answered(412, "", "")}
	s.Exchange.Request = &exchange.Request{Head: []byte("PUT /rooms/1 HTTP/1.1\r\nIf-Match: \"1\"\r\n\r\n")}
	s.Answer = rule.Read(op, s.Exchange)
	for kind, taken := range map[reach.Kind]bool{reach.List: true, reach.Example: true, reach.Any: false} {
		assert.Equal(t, taken, s.overtaken(&target.Reached{Own: true, Ways: map[string]reach.Way{"path/id": {Kind: kind}}}), kind.String())
	}
}

func TestARefusalWithAStatusThatTheDocumentNamesForAMemberSaysNothingOfIt(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {description: "A late arrival needs a phone (422).", requestBody: {content: {application/json: {schema: {type: object,
		properties: {late: {type: boolean}, note: {type: string}}}}}}, responses: {"201": {description: d}, "400": {description: d}, "422": {description: d}}}}}}`)
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	op := d.Contract.Find("post-stays")
	for _, row := range []struct {
		place, unusual string
		status         int
		may            bool
	}{{"/late", "", 422, true}, {"", "/late", 422, true}, {"/note", "/note", 422, false}, {"/late", "", 400, false}} {
		s := &subject{op: op, place: row.place, sent: &request.Sent{Body: &contract.Reading{Unusual: []string{row.unusual}}}, Exchange: answered(row.status, "", "")}
		s.Answer = rule.Read(op, s.Exchange)
		assert.Equal(t, row.may, j.ruled(s, &rule.Rule{Role: rule.RoleAcceptance}), "%v", row)
		assert.False(t, j.ruled(s, &rule.Rule{Role: rule.RoleRefusal}), "%v", row)
	}
}

func TestATargetMayNotHaveWhatACodeStandsFor(t *testing.T) {
	d := fake.Of(t, `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/texts: {get: {parameters: [{name: lang, in: query, required: true, description: A BCP 47 tag., schema: {type: string}}],
		responses: {"200": {description: d}, "404": {description: d}}}}}}`)
	j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
	op := d.Contract.Find("get-texts")
	for status, may := range map[int]bool{404: true, 400: false} {
		s := &subject{op: op, sent: &request.Sent{Body: &contract.Reading{}}, Exchange: answered(status, "", "")}
		s.Answer = rule.Read(op, s.Exchange)
		assert.Equal(t, may, j.ruled(s, &rule.Rule{Role: rule.RoleAcceptance}), status)
	}
}
