package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// MatchesAny returns the parameter If-Match of the PUT of a thing, if it may be an asterisk and
// the document lists how a PUT is refused where no such thing is. It is nil otherwise, and if
// the thing cannot be made, read and deleted.
func (r *Resource) MatchesAny() *openapi.Parameter {
	put := r.Replace
	if put == nil || r.Read == nil || r.Delete == nil || r.Chosen() || put.Params == nil || put.Lists(http.StatusPreconditionFailed) == nil && put.Lists(http.StatusNotFound) == nil {
		return nil
	}
	return asterisk(put, "If-Match")
}

// CreatesOnly returns the parameter If-None-Match of the PUT of a thing, if it may be an
// asterisk and the document lists 412. It is nil otherwise, and if the thing cannot be made
// and read.
func (r *Resource) CreatesOnly() *openapi.Parameter {
	put := r.Replace
	if put == nil || r.Read == nil || r.Make == nil || put.Params == nil || put.Lists(http.StatusPreconditionFailed) == nil {
		return nil
	}
	return asterisk(put, "If-None-Match")
}

// asterisk returns the parameter of an operation for a header field that may be an asterisk.
func asterisk(op *openapi.Operation, field string) *openapi.Parameter {
	i := slices.IndexFunc(op.Parameters, func(p *openapi.Parameter) bool {
		return p.In == "header" && strings.EqualFold(p.Name, field) && p.Schema != nil && op.Params.Matches(p.Schema, jsontree.NewString("*"))
	})
	if i < 0 {
		return nil
	}
	return op.Parameters[i]
}
