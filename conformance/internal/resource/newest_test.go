package resource_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

func TestTheNewestItemIsTheOneMadeLastUnlessRequestsGiveATime(t *testing.T) {
	const document = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/x: {
  post: {operationId: add, requestBody: {content: {application/json: {schema: {type: object, properties: {MEMBER}}}}}, responses: {"201": {description: d}}},
  get: {operationId: list, description: "All, newest first.", responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}}}}}`
	for member, counts := range map[string]bool{
		`name: {type: string}`:                  true,
		`format: {type: string}`:                true,
		`latitude: {type: number}`:              true,
		`seen: {type: string, format: date}`:    false,
		`on: {type: string, format: date-time}`: false,
		`modelYear: {type: integer}`:            false,
		`seenAt: {type: string}`:                false,
		`seen_at: {type: integer}`:              false,
		`releaseDate: {type: string}`:           false,
	} {
		c, err := openapi.Load("d.yaml", []byte(strings.Replace(document, "MEMBER", member, 1)))
		require.NoError(t, err)
		resource.FindPaging(c)
		assert.Equal(t, counts, c.Find("list").HasFirst(c.Find("add")), member)
		assert.False(t, c.Find("add").HasFirst(c.Find("add")), member+": no list")
	}
}
