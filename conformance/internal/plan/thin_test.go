package plan_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

func TestAJSONPatchChangesAMemberThatTheThingHas(t *testing.T) {
	for name, c := range map[string]struct{ members, operations, want string }{
		"required before optional":    {"required: [slug, title], properties: {reward: {type: number}, slug: {type: string}, title: {type: string}}", "enum: [add, replace]", `[{"op":"replace","path":"/title","value":`},
		"a number before a text":      {"required: [title, n], properties: {title: {type: string}, n: {type: integer}}", "enum: [add, replace]", `[{"op":"replace","path":"/n","value":`},
		"add where replace is not":    {"required: [title], properties: {title: {type: string}}", "enum: [add, remove]", `[{"op":"add","path":"/title","value":`},
		"what is optional is added":   {"properties: {id: {type: string}, made: {type: string, readOnly: true}, \"a/b\": {type: boolean}}", "enum: [add, replace]", `[{"op":"add","path":"/a~1b","value":`},
		"nothing that can be patched": {"properties: {id: {type: string}, made: {type: string, readOnly: true}, parts: {type: array}}", "enum: [add, replace]", ""},
		"no operation that fits":      {"required: [title], properties: {title: {type: string}}", "enum: [remove]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
				/things: {post: {requestBody: {content: {application/json: {schema: {type: object, `+c.members+`}}}}, responses: {"201": {description: d}}}},
				"/things/{slug}": {parameters: [{name: slug, in: path, required: true, schema: {type: string}}], get: {responses: {"200": {description: d}}},
					patch: {requestBody: {content: {application/json-patch+json: {schema: {type: array, items: {type: object, required: [op, path], properties: {op: {`+c.operations+`}, path: {type: string}, value: {}}}}}}}, responses: {"200": {description: d}}}}}}`))
			require.NoError(t, err)
			op := plan.NamePatches(d).Find("patch-things-slug")
			v := op.Body.Shape.Domains[""].Value
			if c.want == "" {
				assert.Nil(t, v)
				return
			}
			require.NotNil(t, v)
			assert.Contains(t, v.String(), c.want)
			m := plan.Probe(op).Baseline()
			assert.Equal(t, v.String(), m.Tree.String())
			assert.Equal(t, schema.MustAccept, op.Body.Shape.Read(m.Tree.Emit()).Kind)
		})
	}
}
