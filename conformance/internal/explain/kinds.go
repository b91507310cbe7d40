package explain

import (
	"slices"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
)

// valueAt returns a value of a body, or nil if there is none or it cannot be read.
func valueAt(s *request.Sent, at string) *jsontree.Value {
	if s.Body == nil || s.Body.Root() == nil && s.Body.Values == nil {
		return nil
	}
	return s.Body.At(at)
}

// kindTraits lists what requests as a whole can have in common: their credential, their
// body, and how they travel.
func kindTraits(failed []*request.Sent) []trait {
	kind := func(k contract.Kind) func(s *request.Sent) bool {
		return func(s *request.Sent) bool { return s.Body != nil && !s.Body.Empty && s.Body.Kind == k }
	}
	credential := func(c request.Credential) func(s *request.Sent) bool {
		return func(s *request.Sent) bool { return s.Credential == c }
	}
	out := []trait{
		{"no credential", credential(request.CredentialAbsent)},
		{"a credential of another scheme", credential(request.CredentialScheme)},
		{"a wrong credential", credential(request.CredentialToken)},
		{"a credential that must be refused", func(s *request.Sent) bool { return s.Credential != request.CredentialValid }},
		{"an empty body", func(s *request.Sent) bool { return s.Body != nil && s.Body.Empty }},
		{"a body that is not JSON", kind(contract.NotJSON)},
		{"a body that the schema refuses", kind(contract.Invalid)},
		{"a body that must be refused", func(s *request.Sent) bool { return s.Body != nil && s.Body.Kind >= contract.Invalid }},
		{"other white space, escapes or order of members", func(s *request.Sent) bool { return s.Body != nil && s.Body.Respelled }},
	}
	for _, way := range failed[0].Transport {
		out = append(out, trait{way, func(s *request.Sent) bool {
			return slices.Contains(s.Transport, way)
		}})
	}
	return out
}
