package diagnose

import (
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// valueAt returns a value of a body, or nil if there is none or it cannot be read.
func valueAt(s *tried, at string) *jsontree.Value {
	if s.Body == nil || s.Body.Root() == nil && s.Body.Values == nil {
		return nil
	}
	return s.Body.At(at)
}

// kindTraits lists what requests as a whole can have in common: their credential, their
// body, and how they travel.
func kindTraits(failed []*tried) []trait {
	kind := func(k openapi.Kind) func(s *tried) bool {
		return func(s *tried) bool { return s.Body != nil && !s.Body.Empty && s.Body.Kind == k }
	}
	credential := func(c message.Credential) func(s *tried) bool {
		return func(s *tried) bool { return s.Credential == c }
	}
	out := []trait{
		{"no credential", credential(message.CredentialAbsent)},
		{"a credential of another scheme", credential(message.CredentialScheme)},
		{"a wrong credential", credential(message.CredentialToken)},
		{"a credential that must be refused", func(s *tried) bool { return s.Credential != message.CredentialValid }},
		{"an empty body", func(s *tried) bool { return s.Body != nil && s.Body.Empty }},
		{"a body that is not JSON", kind(openapi.NotJSON)},
		{"a body that the schema refuses", kind(openapi.Invalid)},
		{"a body that must be refused", func(s *tried) bool { return s.Body != nil && s.Body.Kind >= openapi.Invalid }},
		{"other white space, escapes or order of members", func(s *tried) bool { return s.Body != nil && s.Body.Respelled }},
	}
	for _, way := range failed[0].Transport {
		out = append(out, trait{way, func(s *tried) bool {
			return slices.Contains(s.Transport, way)
		}})
	}
	return out
}

// upperHex matches an escape with a digit from A to F.
var upperHex = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*\\u[0-9a-f]{0,3}[A-F]`)

// spellingTraits lists how bodies can be written.
func spellingTraits(op *openapi.Operation) []trait {
	out := []trait{{"upper-case hex escapes", func(s *tried) bool { return upperHex.Match(s.body) }}}
	for _, p := range op.Members() {
		out = append(out, trait{p.Path + " as the last member", func(s *tried) bool { return isLast(s, p.Path) }})
	}
	return out
}

// isLast reports whether a member of the body is the last one of its object.
func isLast(s *tried, at string) bool {
	if !strings.HasPrefix(at, "/") || s.Body.Root() == nil {
		return false
	}
	cut := strings.LastIndexByte(at, '/')
	name, ok := jsontree.UnescapePointer(at[cut+1:])
	above := valueAt(s, at[:cut])
	return ok && above != nil && len(above.Members) > 0 && above.Members[len(above.Members)-1].Name == name
}
