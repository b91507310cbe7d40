package openapi_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/openapi"
)

func TestASentenceSaysWhereWhatIsMadeIsListed(t *testing.T) {
	const document = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/x: {
  post: {operationId: add, description: %q, responses: {"201": {description: d}}},
  get: {operationId: list, description: %q, responses: {"200": {description: d}}}}}}`
	load := func(add, list string) *openapi.Contract {
		c, err := openapi.Load("d.yaml", fmt.Appendf(nil, document, add, list))
		require.NoError(t, err)
		return c
	}
	for text, stated := range map[string]bool{
		"Stores a sighting. It is in the list from then on.": true,
		"Adds a chore. It is in the list at once.":           true,
		"The entry is added to the list.":                    true,
		"The entry appears in every list.":                   true,
		"It is in the list once it is approved.":             false,
		"It appears in the list only if it is public.":       false,
		"It is in the list when published.":                  false,
		"Stores an entry.":                                   false,
		"The values that are allowed are listed below.":      false,
	} {
		assert.Equal(t, stated, load(text, "d").Find("add").Enlists != nil, text)
		assert.Empty(t, load("d", text).Find("list").Enlists, "of what a POST makes alone")
	}
	for text, stated := range map[string]bool{
		"Lists the entries, newest first.":                      true,
		"All entries. The most recently added ones come first.": true,
		"The latest entries are first.":                         true,
		"Newest first if sort is left out.":                     false,
		"Newest first, unless sort says otherwise.":             false,
		"Lists the entries.":                                    false,
		"Pinned threads first, then the newest first.":          false,
		"Pinned threads come before others. Newest first.":      false,
		"The newest come first within each group.":              false,
		"The newest entry is sent first class.":                 false,
	} {
		assert.Equal(t, stated, load("d", text).Find("list").NewestFirst != nil, text)
		assert.Empty(t, load(text, "d").Find("add").NewestFirst, "of a list alone")
	}
}
