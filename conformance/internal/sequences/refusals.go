package sequences

import (
	"strings"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// wrongNames are attempts that are wrong whatever the token is.
var wrongNames = []string{"absent", "longer-by-one", "longer-in-front"}

// refusals picks those attempts from the scheme of an operation.
func refusals(s *plan.Space) []request.Attempt {
	if !s.Auth.Required() {
		return nil
	}
	var out []request.Attempt
	for _, a := range s.Auth.Attempts() {
		for _, name := range wrongNames {
			if a.Name == name {
				out = append(out, a)
			}
		}
	}
	return out
}

func kindOf(a request.Attempt) string {
	if a.Name == "absent" {
		return a.Slug()
	}
	return "wrong-" + a.Prefix + strings.TrimPrefix(a.Name, "longer-")
}

// as returns a copy of a message with other credentials.
func as(m *request.Message, a request.Attempt) *request.Message {
	out := m.Clone()
	out.Credentials = a.All()
	return out
}
