package formats_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

func TestListIsValid(t *testing.T) {
	assert.NoError(t, formats.Validate(formats.List()))
	assert.NoError(t, formats.Validate(formats.MatrixList()))
}

func TestFindKnowsEveryFormatAndNamesThemOtherwise(t *testing.T) {
	for _, f := range formats.List() {
		got, err := formats.Find(f.Name)
		require.NoError(t, err)
		assert.Equal(t, f.Doc, got.Doc)
	}
	_, err := formats.Find("xml")
	assert.ErrorContains(t, err, `unknown report format "xml": use one of text, json, junit, `)
}

func TestValidateRefusesABadList(t *testing.T) {
	write := func(io.Writer, *report.Report, formats.Options) error { return nil }
	for want, list := range map[string][]formats.Format{
		"not a lower-case word": {{Name: "Text", Doc: "d", Write: write}},
		"is in the list twice":  {{Name: "a", Doc: "d", Write: write}, {Name: "a", Doc: "d", Write: write}},
		"doc is not one line":   {{Name: "a", Doc: "d\n", Write: write}},
		"has no Write":          {{Name: "a", Doc: "d"}},
	} {
		assert.ErrorContains(t, formats.Validate(list), want)
	}
}
