package execute

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

const nested = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
  "/sites/{site}/pages/{page}": {parameters: [{name: site, in: path, required: true, schema: {type: string}}, {name: page, in: path, required: true, schema: {type: string}}], get: {responses: {"200": {description: d}}}},
  "/sites/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}], get: {responses: {"200": {description: d}}}}}}`

func TestARequestIsPutBelowWhatAnotherOneNamesAndKeepsItsOwnKey(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(nested))
	require.NoError(t, err)
	page := plan.NewGen(c.Operations[0], 1, plan.Identity{Seed: 1}, 0).Baseline()
	site := plan.NewGen(c.Operations[1], 1, plan.Identity{Seed: 1}, 1).Baseline()
	page.Set("path/site", jsontree.NewString("first"))
	page.Set("path/page", jsontree.NewString("mine"))
	site.Set("path/id", jsontree.NewString("second"))
	below(page, site)
	assert.Equal(t, "second", page.At("path/site").Text, "whatever the parameters are called")
	assert.Equal(t, "mine", page.At("path/page").Text)
	site.Set("path/id", jsontree.NewString("third"))
	assert.Equal(t, "second", page.At("path/site").Text, "it has a copy")
}

// TestStepsOnOneConnectionAreNeverSentAtTheSameTime: a session is for one request
// at a time, and shrinking leaves out the step between two parallel groups.
func TestStepsOnOneConnectionAreNeverSentAtTheSameTime(t *testing.T) {
	one, two, alone := plan.Step{Sending: plan.Sending{Connection: 1, Parallel: true}}, plan.Step{Sending: plan.Sending{Connection: 2, Parallel: true}}, plan.Step{Sending: plan.Sending{Connection: 3}}
	assert.Equal(t, 2, atOnce([]plan.Step{one, two, one, two}))
	assert.Equal(t, 2, atOnce([]plan.Step{one, two, two}))
	assert.Equal(t, 2, atOnce([]plan.Step{one, two, alone}))
	assert.Equal(t, 1, atOnce([]plan.Step{one, one}))
	assert.Equal(t, 1, atOnce([]plan.Step{alone, one, two}))
}

// Bytes that cannot be sent are an error in the suite, not a failure of the target.
func TestARequestThatMayNotBeSentIsNeverTheTargetsFault(t *testing.T) {
	d := fake.Plants(t, mutate.List()[:1]...)
	d.Op().Path = "/plants HTTP/1.1\r\nX: y"
	run := New(d.Target(d.Conforming), judge.New(d.Set, d.Rules, d.Plan, d.Endpoint), Settings{Workers: 1}, d.Plan.Cases, true)
	r := run.Try(t.Context(), d.Plan.Cases[0], run.Target.Identity(0), run.Target.Client.Session(), Whole)
	assert.Contains(t, r.OwnFault, "cannot be sent: request target /plants HTTP/1.1<0d><0a>X: y is not a path")
	assert.Empty(t, r.Failures)
}

// A user's resource has a smaller number than those of the run, or a text that no request guesses.
func TestNoWriteNamesAnotherResourceByASmallerNumberInItsQuery(t *testing.T) {
	c, err := openapi.Load("d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/deposits": {
  post: {parameters: [{name: account, in: query, required: true, schema: {type: integer, minimum: 1}}], responses: {"204": {description: d}}},
  get: {parameters: [{name: account, in: query, required: true, schema: {type: integer, minimum: 1}}], responses: {"200": {description: d}}}}}}`))
	require.NoError(t, err)
	for _, row := range []struct {
		method string
		number int64
		other  bool
	}{{"POST", 1, true}, {"POST", 7, false}, {"POST", 8, false}, {"POST", 0, false}, {"GET", 1, false}} {
		op := c.Find(map[string]string{"POST": "post-deposits", "GET": "get-deposits"}[row.method])
		require.NotNil(t, op)
		m := plan.NewGen(op, 1, plan.Identity{Seed: 1}, 0).Baseline()
		m.Bound = map[string]*jsontree.Value{"query/account": jsontree.NewInt(7)}
		m.Set("query/account", jsontree.NewInt(row.number))
		assert.Equal(t, row.other, others(op, []plan.Step{{Message: m}}), "%s %d", row.method, row.number)
	}
}
