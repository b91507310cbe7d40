package openapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestADocumentMayStateThatWhatAPatchLeavesOutStays(t *testing.T) {
	for says, want := range map[string]bool{
		"Members left out keep their value.":                                        true,
		"Only the members that are sent are changed, all others keep their values.": true,
		"Changes a note. Members that are not sent keep their values.":              true,
		"Updates only the fields provided in the body.":                             true,
		"Fields which are omitted remain unchanged.":                                true,
		"Changes a note.": false,
		"Invoices that exist already are not touched by the change.": false,
		"A member that is not given is set to null.":                 false,
	} {
		c, err := openapi.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/t/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}], patch: {
  description: "`+says+`", requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}, responses: {"200": {description: d}}}}}}`))
		require.NoError(t, err)
		assert.Equal(t, want, c.Operations[0].Keeps != nil && strings.HasSuffix(c.Operations[0].Keeps.Place, "/patch/description"), says)
	}
}

func TestADocumentMayStateThatWhatIsDeletedIsListedNoMore(t *testing.T) {
	for says, want := range map[string]bool{
		"From then on the product is neither found nor listed.": true,
		"The course disappears from all lists at once.":         true,
		"It is no longer listed.":                               true,
		"The vehicle was removed.":                              false,
		"Its trips stay in the list.":                           false,
	} {
		c, err := openapi.Load("t", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {"/t/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: string}}], delete: {
  description: "`+says+`", responses: {"204": {description: d}}}}}}`))
		require.NoError(t, err)
		assert.Equal(t, want, c.Operations[0].Unlists != nil, says)
	}
}
