package mutate

import (
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// wrongNames are attempts that are wrong whatever the token is.
var wrongNames = []string{"absent", "longer-by-one", "longer-in-front"}

// refusals picks those attempts from the scheme of an operation.
func refusals(s *plan.Space) []message.Attempt {
	if !s.Auth.Required() {
		return nil
	}
	var out []message.Attempt
	for _, a := range s.Auth.Attempts() {
		for _, name := range wrongNames {
			if a.Name == name {
				out = append(out, a)
			}
		}
	}
	return out
}

func kindOf(a message.Attempt) string {
	if a.Name == "absent" {
		return a.Slug()
	}
	return "wrong-" + a.Prefix + strings.TrimPrefix(a.Name, "longer-")
}

// as returns a copy of a message with other credentials.
func as(m *message.Message, a message.Attempt) *message.Message {
	out := m.Clone()
	out.Credentials = a.All()
	return out
}
