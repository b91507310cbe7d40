package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// severalMedia is a document whose operation takes JSON twice, and a form, beside a
// parameter.
func severalMedia() string {
	return strings.Replace(fake.SeveralMedia, "operationId: createPet", "parameters: [{name: limit, in: query, schema: {type: integer}}]", 1)
}

// requestsOf counts the cases of each media type of the operation.
func requestsOf(t *testing.T, document, effort string) (map[string]int, *plan.Plan) {
	t.Helper()
	c, err := openapi.Load("d.yaml", []byte(document))
	require.NoError(t, err)
	require.NoError(t, plan.LeaveOut(c, 1))
	e, err := plan.EffortFor(effort, 1, 1)
	require.NoError(t, err)
	p := fake.Plan(t, c, 1, 1, e, append(mutate.List(), mutate.Sequences()...)...)
	out := map[string]int{}
	for _, k := range p.Cases {
		out[k.Op.Body.Media]++
	}
	return out, p
}

func TestFurtherMediaTypesShareTheBudgetOfTheirOperation(t *testing.T) {
	t.Parallel()
	several, p := requestsOf(t, severalMedia(), "gate")
	one, _ := requestsOf(t, strings.Replace(strings.Replace(severalMedia(), "          text/json", "          #", 1), "          application/x-www", "          #", 1), "gate")
	assert.Len(t, one, 1)
	assert.Equal(t, 2, several["text/json"], "the same schema as bytes of the same form")
	assert.Greater(t, several["application/x-www-form-urlencoded"], 50)
	assert.Greater(t, several["application/json"], 100)
	all := several["application/json"] + several["application/x-www-form-urlencoded"]
	assert.LessOrEqual(t, all, 1000)
	assert.LessOrEqual(t, all, one["application/json"]+10)
	for _, k := range p.Cases {
		if !k.Op.IsFurther() {
			continue
		}
		assert.NotEqual(t, plan.FamilyCredential, k.Class.Family, k.ID)
		assert.Equal(t, plan.Single, k.Class.Phase, k.ID)
		assert.False(t, strings.HasPrefix(k.Class.Place.Path, "query"), k.ID)
	}
	assert.NotNil(t, p.Find("post-pets-text-json/valid/baseline/body/baseline/0"))
	assert.NotNil(t, p.Find("post-pets-application-x-www-form-urlencoded/invalid/missing-members/name/missing/0"))
}

// A server that reads objects in forms in its own way is right, whatever it answers.
func TestAFurtherMediaTypeThatServersReadDifferentlyIsLeftOut(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(strings.Replace(severalMedia(), "required: [name], properties: {", "required: [name, home], properties: {home: {type: object, required: [a], properties: {a: {type: string}}}, ", 1)))
	require.NoError(t, err)
	require.NoError(t, plan.LeaveOut(c, 1))
	require.Len(t, c.Operations, 1)
	require.Len(t, c.Operations[0].Further, 1)
	assert.Equal(t, "text/json", c.Operations[0].Further[0].Body.Media)
	require.Len(t, c.LeftOut, 1)
	assert.Contains(t, c.LeftOut[0], "POST /pets (application/x-www-form-urlencoded) is never sent: no valid request can be made: servers read /home differently: ")
}

func TestAFurtherMediaTypeThatCannotHoldItsSchemaIsLeftOut(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(strings.Replace(severalMedia(), "text/json", "text/plain", 1)))
	require.NoError(t, err)
	require.NoError(t, plan.LeaveOut(c, 1))
	require.Len(t, c.Operations, 1)
	require.Len(t, c.Operations[0].Further, 1)
	assert.Equal(t, "application/x-www-form-urlencoded", c.Operations[0].Further[0].Body.Media)
	require.Len(t, c.LeftOut, 1)
	assert.Contains(t, c.LeftOut[0], "POST /pets (text/plain) is never sent: no valid request can be made: ")
}

// Whether a server knows a key that was made up, the pre-flight finds out.
func TestAnAlternativeThatNeedsTheKeyOfSomethingIsTried(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/events: {post: {requestBody: {required: true, content: {application/json: {schema: {oneOf: [
  {type: object, required: [kind], properties: {kind: {const: a}}},
  {title: Deleted, type: object, required: [kind, userId], properties: {kind: {const: b}, userId: {type: string, minLength: 1, maxLength: 24}, gdpr: {type: boolean}}}]}}}},
  responses: {"201": {description: stored}, "400": {description: refused}}}}}}`))
	require.NoError(t, err)
	require.NoError(t, plan.LeaveOut(c, 1))
	assert.Empty(t, c.LeftOut)
	require.Len(t, c.Operations[0].Further, 1)
	broken := map[string]bool{}
	for _, k := range fake.Plan(t, c, 1, 1, plan.Effort{}, mutate.List()...).Cases {
		if k.Op.IsFurther() && k.Class.Expected == plan.ExpectInvalid {
			broken[k.Class.Place.Path] = true
		}
	}
	assert.True(t, broken["/userId"] && broken["/gdpr"], "%v", broken)
}
