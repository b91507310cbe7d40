package openapi

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
)

// SignsIn reports whether an operation signs a user in: it needs no credential, its body has
// one, and it makes nothing. Whom the server knows, no document says.
func (o *Operation) SignsIn() bool {
	if o.Demands() || o.Body == nil || o.Lists(http.StatusCreated) != nil {
		return false
	}
	return slices.ContainsFunc(o.Members(), func(m Member) bool {
		return strings.HasPrefix(m.Path, "/") && m.Required && (m.Schema.Format == "password" || hints.Called(m.Name, hints.Password))
	})
}
