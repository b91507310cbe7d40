package resource

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// Takes reports whether a request of an operation may have a header field with a value. What
// the document says nothing of may have any.
func Takes(op *openapi.Operation, field, value string) bool {
	return !slices.ContainsFunc(op.Parameters, func(p *openapi.Parameter) bool {
		return p.In == "header" && strings.EqualFold(p.Name, field) && (p.Schema == nil || op.Params == nil || !op.Params.Matches(p.Schema, jsontree.NewString(value)))
	})
}
