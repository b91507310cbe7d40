package openapi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestADocumentMaySayThatTheAnswerCanBe304(t *testing.T) {
	const document = `{openapi: 3.1.0, info: {title: t, version: "1", description: %q}, paths: {/a: {get: {
		description: %q, parameters: [{name: If-None-Match, in: header, description: %q, schema: {type: string}}],
		responses: {"200": {description: d}, "304": {description: %q}}}}}}`
	for _, x := range []struct {
		info, operation, field, response string
		want                             bool
	}{
		{"GET takes `If-None-Match` and may answer `304 Not Modified`.", "", "", "The one that you have.", true},
		{"", "Reads. With If-None-Match the answer can be empty.", "", "d", true},
		{"", "", "A tag. If it is the current one, the server may return 304.", "d", true},
		{"", "", "", "Not modified. Optional: a server may also answer with the whole.", true},
		{"", "", "", "Optional: 304 saves the body.", true},
		{"Names may be empty.", "Clients can send If-None-Match; the answer is 304 if the tag is the current one.", "", "Not modified.", false},
	} {
		c, err := openapi.Load("d.yaml", fmt.Appendf(nil, document, x.info, x.operation, x.field, x.response))
		require.NoError(t, err)
		assert.Equal(t, x.want, c.Operations[0].MayCompare != nil, "%+v", x)
	}
}
