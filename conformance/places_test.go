package conformance_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

const placed = `openapi: 3.1.0
info: {title: Things, version: "1"}
paths:
  /things:
    get:
      responses:
        "200":
          description: A thing.
          content:
            application/json:
              schema: {$ref: schemas/thing.yaml}
`

const placedThing = `type: object
required: [size]
properties:
  size:
    minimum: 1
    type: integer
`

// places are the places of the clauses that a server breaks which says {"size": 0}.
func places(t *testing.T, spec, location string) map[string]report.Place {
	t.Helper()
	r := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"size":0}`))
	}), conformance.Config{Spec: []byte(spec), SpecName: location, Location: location, Draws: -1,
		Files: fstest.MapFS{"schemas/thing.yaml": {Data: []byte(placedThing)}}})
	out := map[string]report.Place{}
	for _, x := range r.Results {
		assert.True(t, x.Verdict == report.Fail || x.Place == nil, "%s did not fail", x.Requirement)
		if x.Place != nil {
			out[x.Clause] = *x.Place
		}
	}
	return out
}

func TestAFailureNamesTheLineOfItsClause(t *testing.T) {
	assert.Equal(t, map[string]report.Place{"schemas/thing.yaml#/properties/size/minimum": {File: "api/schemas/thing.yaml", Line: 5}},
		places(t, placed, "./api/things.yaml"))
	whole := strings.ReplaceAll(placed, "$ref: schemas/thing.yaml", "properties: {size: {minimum: 1}}")
	pointer := "#/paths/~1things/get/responses/200/content/application~1json/schema/properties/size/minimum"
	assert.Equal(t, map[string]report.Place{pointer: {File: "/api/things.yaml", Line: 11}}, places(t, whole, "/api/things.yaml"))
}

func TestADocumentThatIsNoFileHasNoLines(t *testing.T) {
	assert.Empty(t, places(t, strings.ReplaceAll(placed, "$ref: schemas/thing.yaml", "type: array"), ""))
	assert.Empty(t, places(t, strings.ReplaceAll(placed, "$ref: schemas/thing.yaml", "type: array"), "https://example.com/things.yaml"))
}
