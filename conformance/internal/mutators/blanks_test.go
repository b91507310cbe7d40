package mutators_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

const titled = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/books: {post: {requestBody: {required: true, content: {application/json: {schema: {
  type: object, required: [title, code, note], properties: {title: {type: string, minLength: 2, maxLength: 60, pattern: '\S'}, code: {type: string, pattern: '^[A-Z]{3,9}$'}, note: {type: string, pattern: '^.{1,80}$'}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

func TestBlanksAloneAreSentWhereAPatternTakesThemBesideOthers(t *testing.T) {
	c, err := contract.Load("books.yaml", []byte(titled))
	require.NoError(t, err)
	for effort, want := range map[string]string{"gate": "  ", "full": "  \t\t"} {
		e, err := plan.EffortFor(effort, 100, 0)
		require.NoError(t, err)
		p := fake.Plan(t, c, 1, defaultDraws, e, catalogue()...)
		sent := map[string]string{}
		for _, one := range p.Cases {
			if one.Class.Kind != "blank" {
				continue
			}
			steps := p.Build(one, generate.Identity{Seed: 1})
			r := steps[len(steps)-1].Message.Reading()
			require.Len(t, r.Violations, 1)
			sent[r.Violations[0].Path+" "+r.Violations[0].Keyword] += steps[len(steps)-1].Message.Tree.Get("title").Text
		}
		assert.Equal(t, map[string]string{"/title pattern": want}, sent, effort)
	}
}
