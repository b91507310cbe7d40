package message_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
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

func TestACurlCommandHasTheQuery(t *testing.T) {
	doc := fake.Plants(t)
	m := doc.Plan.Preflight(doc.Op(), plan.Identity{Seed: 1}, 0).Baseline()
	m.Query = "x=1&y=[]"
	assert.Equal(t, "curl -g -i ", doc.Endpoint.Curl(m)[:11], "brackets stand for themselves")
	assert.Contains(t, doc.Endpoint.Curl(m), " 'http://target/plants?x=1&y=[]' ")
}

// In a shell, curl is given the fields that the suite sends.
func TestAShellMakesTheCredentialOfACommand(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the commands of a report are for bash")
	doc := fake.Plants(t)
	many := "$(printf 'x%.0s' {1..40})"
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "curl"), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\"\n"), 0o700))
	for show, value := range map[string]func(string) string{
		"Bearer $CONFORMANCE_TOKEN":        func(t string) string { return "Bearer " + t },
		"Bearer invalid" + many:            func(string) string { return "Bearer invalid" + strings.Repeat("x", 40) },
		"Bearer " + many:                   func(string) string { return "Bearer " + strings.Repeat("x", 40) },
		"Bearer $CONFORMANCE_TOKEN" + many: func(t string) string { return "Bearer " + t + strings.Repeat("x", 40) },
		"Bearer ${TOKEN}":                  func(string) string { return "Bearer ${TOKEN}" },
		"Bearer ' OR '1'='1":               func(string) string { return "Bearer ' OR '1'='1" },
	} {
		m := &message.Message{Op: doc.Op(), Raw: []byte("{}"), Credentials: []message.Presented{{Field: "Authorization", Value: value, Show: show}}}
		c := exec.Command(bash, "-c", doc.Endpoint.Curl(m))
		c.Env = []string{"PATH=" + dir + ":/usr/bin:/bin", "CONFORMANCE_TOKEN=" + fake.Token}
		out, err := c.Output()
		require.NoError(t, err, show)
		assert.Contains(t, strings.Split(string(out), "\n"), "Authorization: "+value(fake.Token), show)
	}
}

// of is a document with one operation whose body is of a media type.
func of(t *testing.T, required, media string) *fake.Document {
	t.Helper()
	return fake.Of(t, `openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /a:
    post:
      requestBody: {required: `+required+`, content: {`+media+`: {schema: {type: object, properties: {n: {type: integer}}}}}}
      responses: {"204": {description: ok}}
`)
}

func TestACommandForAnEmptyBodyHasTheLengthThatWasSent(t *testing.T) {
	may, must := of(t, "false", "application/json"), of(t, "true", "application/json")
	for name, row := range map[string]struct {
		doc  *fake.Document
		raw  []byte
		drop []string
	}{
		"no body": {may, nil, nil}, "no bytes": {may, []byte{}, nil}, "no type": {may, []byte{}, []string{"Content-Type"}},
		"required": {must, []byte{}, nil}, "no length": {must, []byte{}, []string{"Content-Length"}},
	} {
		m := &message.Message{Op: row.doc.Op(), Raw: row.raw, Drop: row.drop}
		sent := strings.Contains(string(row.doc.Endpoint.Wire(m, "").Head), "Content-Length: 0\r\n")
		assert.Equal(t, sent, strings.Contains(row.doc.Endpoint.Curl(m), "--data-binary ''"), name)
	}
}

// Some servers take a length of zero for a body that is no JSON.
func TestFieldsOfABodyThatIsNotThereMayBeRefused(t *testing.T) {
	doc := of(t, "false", "application/json")
	for raw, want := range map[string]message.Expectation{"none": message.Accept, "": message.Anything} {
		m := &message.Message{Op: doc.Op()}
		if raw == "" {
			m.Raw = []byte{}
		}
		assert.Equal(t, want, doc.Endpoint.Classify(m, doc.Endpoint.Wire(m, "")).Expectation(), raw)
	}
}

func TestAFormIsNeverEmptyWhereItMustBeAccepted(t *testing.T) {
	for _, media := range []string{"application/x-www-form-urlencoded", "multipart/form-data"} {
		op := of(t, "true", media).Op()
		m := plan.Probe(op).Baseline()
		assert.Len(t, m.Tree.Members, 1, media)
		assert.Equal(t, schema.MustAccept, m.Reading().Kind, media)
		m.Tree = jsontree.NewObject()
		assert.Equal(t, schema.MayRefuse, m.Reading().Kind, media)
	}
}

func TestAnEmptyBodyIsInvalidOnlyWhereItHasToBeRefusedHoweverItIsRead(t *testing.T) {
	for _, c := range []struct {
		required string
		schema   string
		want     schema.Kind
	}{
		{"true", `{"type": "string", "minLength": 1}`, schema.Invalid},
		{"true", `{"type": "string"}`, schema.MayRefuse},
		{"false", `{"type": "string", "minLength": 1}`, schema.MustAccept},
	} {
		doc := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"put": {
			"requestBody": {"required": %s, "content": {"text/plain": {"schema": %s}}}, "responses": {"204": {"description": "ok"}}}}}}`, c.required, c.schema)
		loaded, err := openapi.Load("a.json", []byte(doc))
		require.NoError(t, err)
		m := &message.Message{Op: loaded.Operations[0], Raw: []byte{}}
		assert.Equal(t, c.want, m.Reading().Kind, "%v", c)
	}
}

func TestWhiteSpaceMayBeTakenForNoBodyWhereNoneIsNeeded(t *testing.T) {
	for required, want := range map[string]schema.Kind{"true": schema.NotJSON, "false": schema.MayRefuse} {
		doc := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"put": {
			"requestBody": {"required": %s, "content": {"application/json": {"schema": {"type": "object"}}}}, "responses": {"204": {"description": "ok"}}}}}}`, required)
		loaded, err := openapi.Load("a.json", []byte(doc))
		require.NoError(t, err)
		assert.Equal(t, want, (&message.Message{Op: loaded.Operations[0], Raw: []byte(" \n")}).Reading().Kind, required)
		assert.Equal(t, schema.NotJSON, (&message.Message{Op: loaded.Operations[0], Raw: []byte(" {")}).Reading().Kind, required)
	}
}
