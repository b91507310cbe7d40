package schemes

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
)

var bearer = request.Scheme{
	Name:   "bearer",
	Doc:    "HTTP authentication with a bearer token (RFC 6750, 2.1).",
	Serves: func(s *contract.Scheme) bool { return s.Type == "http" && s.HTTP == "bearer" },
	Valid: func(*contract.Scheme) []request.Presented {
		return []request.Presented{{Field: authorization, Value: bearerOf, Show: bearerOf(shownToken)}}
	},
	Attempts: func(*contract.Scheme) []request.Attempt {
		out := append(absences(bearerWord), wrongs(authorization, bearerOf, bearerOf)...)
		out = append(out, schemeAttempts(bearerWord, same, shownToken)...)
		out = append(out, elsewhere(shownToken)...)
		out = append(out, asBasic()...)
		return append(out, spellings(bearerWord, same, shownToken)...)
	},
	Classify: func(_ *contract.Scheme, in request.Carried, token string) (request.Credential, bool) {
		return classifyHTTP(bearerWord, in.Fields, token)
	},
}

// asBasic carries the valid token as user or password of basic authentication,
// which other interfaces take.
func asBasic() []request.Attempt {
	var out []request.Attempt
	for _, f := range []struct{ name, before, behind string }{
		{"as-basic-user", "", ":"}, {"as-basic-password", "user:", ""}, {"as-basic-password-alone", ":", ""},
	} {
		out = append(out, attempt(f.name, shownBasic(f.before+shownToken+f.behind), func(t string) string {
			return basicOf(f.before + t + f.behind)
		}))
	}
	return out
}
