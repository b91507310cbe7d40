package explore_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/openapi"
)

// boxes are made with one credential, and read with that one or with two.
const boxes = `
openapi: 3.1.0
info: {title: t, version: '1'}
components: {securitySchemes: {key: {type: apiKey, in: header, name: K}, badge: {type: apiKey, in: header, name: B}}}
paths:
  /boxes:
    post:
      operationId: addBox
      security: [{badge: []}]
      responses: {'201': {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: integer}}}}}}, '401': {description: d}}
  /boxes/{boxId}:
    parameters: [{name: boxId, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getBox
      security: [{key: [], badge: []}]
      responses: {'200': {description: d}, '403': {description: d}}
`

// met learns about a target whose answers to the other principal are given, and to any
// wrong key, and returns why getBox does not accept the other one.
func met(t *testing.T, others []string, make, read, wrong int) string {
	t.Helper()
	d := fake.Of(t, boxes)
	d.Endpoint.Other = map[string]string{}
	for _, name := range others {
		d.Endpoint.Other[name] = "other-9Kw2"
	}
	d.Contract.ChooseOther(func(s *openapi.Scheme) bool { return d.Endpoint.Other[s.Name] != "" })
	to := d.Target(func(r *exchange.Request) *exchange.Exchange {
		head, other := string(r.Head), false
		known := func(field string) bool {
			_, value, _ := strings.Cut(head, "\r\n"+field+": ")
			value, _, _ = strings.Cut(value, "\r\n")
			other = other || value == "other-9Kw2"
			return value == fake.Token || value == "other-9Kw2"
		}
		adds := strings.HasPrefix(head, "POST")
		switch badge, key := known("B"), known("K"); {
		case !badge || !adds && !key:
			return fake.Answer(wrong, "", "")
		case other && adds && make != 201:
			return fake.Answer(make, "", "")
		case other && !adds:
			return fake.Answer(read, "", "")
		case adds:
			return fake.Answer(201, "application/json", `{"id":7}`)
		}
		return fake.Answer(200, "", "")
	})
	assert.True(t, to.Learn(t.Context()), "%v", to.Reasons)
	why := to.Facts.Stranger(d.Contract.Find("getBox"))
	assert.Equal(t, why != "", len(to.Reasons) > 0)
	return why
}

func TestTheTargetIsAskedWhetherItKnowsTheOtherPrincipal(t *testing.T) {
	both, badge, key := []string{"key", "badge"}, []string{"badge"}, []string{"key"}
	assert.Empty(t, met(t, badge, 201, 403, 401), "another operation takes the badge")
	assert.Empty(t, met(t, both, 201, 403, 401), "the box is somebody else's: a wrong key gets 401")
	assert.Empty(t, met(t, key, 201, 404, 401))
	assert.Contains(t, met(t, key, 201, 401, 401), "getBox returns 401 for it")
	assert.Contains(t, met(t, key, 201, 403, 403), "getBox returns 403 for it", "a wrong key gets 403 too")
	assert.Contains(t, met(t, badge, 401, 401, 401), "addBox returns 401 for it")
}
