package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
)

// NamedBy returns the member with which the body of a POST elsewhere refers to a thing, going
// by its name: customerId refers to what POST /customers makes. It is nil if there is none.
func (r *Resource) NamedBy(op *openapi.Operation) *openapi.Member {
	if op == nil || op.Method != http.MethodPost || op == r.Make || slices.Contains(r.Parts, op) || op.IsFurther() {
		return nil
	}
	collection, _ := cut(r.Path)
	_, word := cut(collection)
	for _, m := range op.Members() {
		if strings.HasPrefix(m.Path, "/") && slices.Contains(op.Bind, m.Path) && openapi.One(m.Refers("")) == openapi.One(word) {
			return &m
		}
	}
	return nil
}
