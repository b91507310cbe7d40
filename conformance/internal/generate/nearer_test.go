package generate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
)

func TestNoValueSpellsAnotherPathOfTheDocument(t *testing.T) {
	op := fake.Of(t, `openapi: 3.0.3
info: {title: Orders, version: "1"}
paths:
  /orders/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string, enum: [latest, o1]}}]
      responses: {"200": {description: ok}}
  /orders/latest: {get: {responses: {"200": {description: ok}}}}
`).Op()
	m := generate.Probe(op).Baseline()
	assert.Equal(t, "/orders/o1", m.Path())
	assert.True(t, m.Fits("/orders/o2"))
	assert.False(t, m.Fits("/orders/latest"))
	m.Set("path/id", jsontree.NewString("latest"))
	assert.Nil(t, m.Reading(), "no class has it")
}
