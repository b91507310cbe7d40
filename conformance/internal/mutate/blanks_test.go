package mutate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const titled = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/books: {post: {requestBody: {required: true, content: {application/json: {schema: {
  type: object, required: [title, code, note], properties: {title: {type: string, minLength: 2, maxLength: 60, pattern: '\S'}, code: {type: string, pattern: '^[A-Z]{3,9}$'}, note: {type: string, pattern: '^.{1,80}$'}}}}}},
  responses: {"201": {description: d}, "400": {description: d}}}}}}`

func TestBlanksAloneAreSentWhereAPatternTakesThemBesideOthers(t *testing.T) {
	for effort, want := range map[string]string{"gate": "  ", "full": "  \t\t"} {
		sent := map[string]string{}
		for one, m := range lastOf(t, titled, effort, 100) {
			if one.Class.Kind != "blank" {
				continue
			}
			r := m.Reading()
			require.Len(t, r.Violations, 1)
			sent[r.Violations[0].Path+" "+r.Violations[0].Keyword] += m.Tree.Get("title").Text
		}
		assert.Equal(t, map[string]string{"/title pattern": want}, sent, effort)
	}
}
