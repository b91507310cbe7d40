package diagnose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

func TestWhenRequestsFailedIsNoCauseWhereTheyDifferInThemselves(t *testing.T) {
	for at, distinguished := range map[string]bool{"\U00010000": true, "": false} {
		doc := fakerun.Plants(t, "baseline", "string-values")
		n := 0
		x := explain(t, doc, refusing(doc, "name", func(v *jsontree.Value) bool {
			n++
			if at == "" {
				return n%7 == 0
			}
			return strings.ContainsFunc(v.Text, func(c rune) bool { return c > 0xffff })
		}))
		for i := range x.found {
			f := &x.found[i]
			if x.run.Judge.Bound[f.At].ID != "newplant-name-accepted" {
				continue
			}
			f.Cause = &causes.Cause{Sentence: "since then", Past: true}
			assert.Equal(t, distinguished, x.explain.Failure(f).Cause == "", "%q", at)
			f.Cause = &causes.Cause{Sentence: "behind another"}
			assert.Equal(t, "behind another", x.explain.Failure(f).Cause, "it was seen in experiments")
		}
	}
}

func TestARenamedMemberIsShownBesideTheMissingOneWhereverItStands(t *testing.T) {
	doc := fake.Of(t, `openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /things:
    post:
      parameters: [{name: limit, in: query, required: true, schema: {type: integer}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
        owner: {type: object, required: [name], properties: {name: {type: string}}}, parts: {type: array, items: {type: object, required: [size], properties: {size: {type: integer}}}}}}}}}
      responses: {"200": {description: ok}}
`)
	for body, want := range map[string]string{
		`{"owner":{"Name":"ann"}}`:               `no /owner/name, but /Name = "ann"`,
		`{"parts":[{"size":1},{"sizes":2}]}`:     `no /parts/1/size, but /sizes = 2`,
		`{"owner":{}}`:                           `no /owner/name`,
		`{"other":{"name":1},"owner":{"x/y":3}}`: `no /owner/name, but /x~1y = 3`,
	} {
		tree, err := jsontree.Parse([]byte(body))
		require.NoError(t, err)
		m := &message.Message{Op: doc.Op(), Tree: tree.Root, Params: jsontree.NewObject(jsontree.M("query", jsontree.NewObject(jsontree.M("limit", jsontree.NewNumber("1")))))}
		s := doc.Endpoint.Classify(m, doc.Endpoint.Wire(m, "a"))
		assert.Equal(t, want, bodyDifference(m, s)[0], body)
	}
	m := &message.Message{Op: doc.Op(), Tree: jsontree.NewObject(), Params: jsontree.NewObject(jsontree.M("query", jsontree.NewObject(jsontree.M("Limit", jsontree.NewNumber("1")))))}
	s := doc.Endpoint.Classify(m, doc.Endpoint.Wire(m, "a"))
	assert.Equal(t, []string{"no query/limit, but /Limit = 1"}, bodyDifference(m, s))
}
