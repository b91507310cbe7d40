package openapi_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestAClientChoosesAmongTheFormsOfOneSuccess(t *testing.T) {
	for responses, want := range map[string][]string{
		`"200": {description: d, content: {application/json: {}, text/csv: {}}}`:                                                    {"text/csv"},
		`"200": {description: d, content: {text/csv: {}, application/json: {}, image/png: {}}}`:                                     {"text/csv", "image/png"},
		`"200": {description: d, content: {application/json: {}}}`:                                                                  nil,
		`"200": {description: d, content: {application/json: {}}}, "202": {description: d, content: {text/plain: {}}}`:              nil,
		`"200": {description: d, content: {application/json: {}}}, "400": {description: d, content: {text/csv: {}, text/html: {}}}`: nil,
	} {
		c, err := openapi.Load("d.yaml", []byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/a: {get: {responses: {"+responses+"}}}}\n"))
		require.NoError(t, err)
		assert.Equal(t, want, c.Find("get-a").Choice(), responses)
	}
}
