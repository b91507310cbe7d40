package message_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

func TestTheOrderOfTheFieldsChangesNothingElseAndHostStaysFirst(t *testing.T) {
	doc := fake.Plants(t)
	m := doc.Plan.Preflight(doc.Op(), plan.Identity{Seed: 1}, 0).Baseline()
	usual := doc.Endpoint.Wire(m, "")
	for order, want := range map[message.Order]string{
		message.UsualOrder:      "Host User-Agent Accept Content-Type Authorization Content-Length",
		message.CredentialFirst: "Host Authorization User-Agent Accept Content-Type Content-Length",
		message.CredentialLast:  "Host User-Agent Accept Content-Type Content-Length Authorization",
		message.ContentTypeLast: "Host User-Agent Accept Authorization Content-Length Content-Type",
		message.ReverseOrder:    "Host Content-Length Authorization Content-Type Accept User-Agent",
	} {
		m.Order = order
		wire := doc.Endpoint.Wire(m, "")
		var names []string
		for _, line := range strings.Split(strings.TrimSuffix(string(wire.Head), "\r\n\r\n"), "\r\n")[1:] {
			name, _, _ := strings.Cut(line, ":")
			names = append(names, name)
		}
		assert.Equal(t, want, strings.Join(names, " "), order)
		assert.Len(t, wire.Head, len(usual.Head), order)
		assert.Equal(t, message.Accept, doc.Endpoint.Classify(m, wire).Expectation(), order)
		assert.Equal(t, order == message.UsualOrder, doc.Endpoint.Curl(m) != "", "curl writes the usual order alone")
	}
}

// A name in the path and in the body stays one name, unless the body may not have it.
func TestABodyRepeatsAPathOnlyAsItMay(t *testing.T) {
	c, err := openapi.Load("a.yaml", []byte(`
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /t/{name}:
    put:
      parameters: [{name: name, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string, pattern: '^[a-z]+$'}}}}}}
      responses: {'200': {description: ok}}
`))
	require.NoError(t, err)
	op := c.Operations[0]
	op.Bind, op.Same = []string{"path/name"}, map[string]string{"/name": "path/name"}
	named := func(name string) *jsontree.Value {
		return jsontree.NewObject(jsontree.Member{Name: "name", Value: jsontree.NewString(name)})
	}
	for sent, want := range map[string]string{"stands": "real", "other": "other", "stands\x00": "real"} {
		m := &message.Message{Op: op, Tree: named("stands"), Params: jsontree.NewObject(jsontree.Member{Name: "path", Value: named("stands")})}
		m.Bind()
		m.Set("path/name", jsontree.NewString(sent))
		assert.Equal(t, want, m.Put(map[string]*jsontree.Value{"path/name": jsontree.NewString("real")}).At("/name").Text, "%q", sent)
	}
}
