package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

func TestFactsAreUsualWhereTheTargetTakesWhatTheDocumentDescribes(t *testing.T) {
	op := &openapi.Operation{}
	facts := func(change func(*Facts, *OpFacts)) *Facts {
		o := &OpFacts{Accepted: true}
		f := &Facts{Seed: 1, Generation: 2, EarlierRuns: 3, Connections: 4, ops: map[*openapi.Operation]*OpFacts{op: o}}
		change(f, o)
		return f.Usual()
	}
	usual := facts(func(*Facts, *OpFacts) {})
	assert.Equal(t, (&Facts{Seed: 1, Generation: 2, EarlierRuns: 3}).Identity(0), usual.Identity(0))
	assert.Equal(t, &OpFacts{}, usual.Of(op))
	for name, change := range map[string]func(*Facts, *OpFacts){
		"a member is needed":      func(_ *Facts, o *OpFacts) { o.Needs = map[string]bool{"/tag": true} },
		"a value is had":          func(_ *Facts, o *OpFacts) { o.Reached = &Reached{} },
		"a value cannot be had":   func(_ *Facts, o *OpFacts) { o.Unreached = "nothing makes one" },
		"the request was refused": func(_ *Facts, o *OpFacts) { o.RefusedWith = 409 },
		"small numbers":           func(f *Facts, _ *OpFacts) { f.small.Set(op, true) },
		"dates in the past":       func(f *Facts, _ *OpFacts) { f.past.Set(op, true) },
		"dates soon":              func(f *Facts, _ *OpFacts) { f.soon.Set(op, true) },
		"other values of enums":   func(f *Facts, _ *OpFacts) { f.choices.Set(op, 1) },
		"values of examples": func(f *Facts, _ *OpFacts) {
			f.given.Set(op, map[string]*jsontree.Value{"/tag": jsontree.NewString("rose")})
		},
	} {
		assert.Nil(t, facts(change), name)
	}
}
