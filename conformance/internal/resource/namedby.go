package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
)

// NamedBy returns the member of the body of a POST elsewhere that names a thing, as its name
// tells: customerId names what POST /customers makes. It is nil if there is none.
func (r *Resource) NamedBy(op *contract.Operation) *contract.Member {
	if op == nil || op.Method != http.MethodPost || op == r.Make || slices.Contains(r.Parts, op) || op.IsFurther() {
		return nil
	}
	collection, _ := cut(r.Path)
	_, word := cut(collection)
	for _, m := range op.Members() {
		if strings.HasPrefix(m.Path, "/") && slices.Contains(op.Bind, m.Path) && contract.One(contract.Refers(m.Name)) == contract.One(word) {
			return &m
		}
	}
	return nil
}
