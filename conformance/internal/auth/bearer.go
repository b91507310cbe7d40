package auth

import (
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

var bearer = message.Scheme{
	Name:   "bearer",
	Doc:    "HTTP authentication with a bearer token (RFC 6750, 2.1).",
	Serves: func(s *openapi.Scheme) bool { return s.Type == "http" && s.HTTP == "bearer" },
	Valid: func(*openapi.Scheme) []message.Presented {
		return []message.Presented{{Field: authorization, Value: bearerOf, Show: bearerOf(shownToken)}}
	},
	Attempts: func(*openapi.Scheme) []message.Attempt {
		out := append(absences(bearerWord), wrongs(authorization, bearerOf, bearerOf)...)
		out = append(out, schemeAttempts(bearerWord, same, shownToken)...)
		out = append(out, elsewhere(shownToken)...)
		out = append(out, asBasic()...)
		return append(out, spellings(bearerWord, same, shownToken)...)
	},
	Classify: func(_ *openapi.Scheme, in message.Carried, token string) (message.Credential, bool) {
		return classifyHTTP(bearerWord, in.Fields, token)
	},
}

// asBasic carries the valid token as user or password of basic authentication,
// which other interfaces take.
func asBasic() []message.Attempt {
	var out []message.Attempt
	for _, f := range []struct{ name, before, behind string }{
		{"as-basic-user", "", ":"}, {"as-basic-password", "user:", ""}, {"as-basic-password-alone", ":", ""},
	} {
		out = append(out, attempt(f.name, shownBasic(f.before+shownToken+f.behind), func(t string) string {
			return basicOf(f.before + t + f.behind)
		}))
	}
	return out
}
