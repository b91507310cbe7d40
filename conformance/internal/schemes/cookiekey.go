package schemes

import (
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/request"
)

var cookieKey = request.Scheme{
	Name:   "cookie-key",
	Doc:    "A key in a cookie (OpenAPI 3.1, 4.8.27).",
	Serves: func(s *contract.Scheme) bool { return s.Type == "apiKey" && s.In == "cookie" },
	Valid: func(s *contract.Scheme) []request.Presented {
		return []request.Presented{{In: "cookie", Field: s.Field, Value: same, Show: shownToken}}
	},
	Attempts: func(s *contract.Scheme) []request.Attempt {
		var out []request.Attempt
		for _, a := range placed(s, []request.Presented{
			{Field: authorization, Value: bearerOf, Show: bearerOf(shownToken)},
			{Field: "X-API-Key", Value: same, Show: shownToken},
			{Field: "X-" + s.Field, Value: same, Show: shownToken},
			{In: "cookie", Field: s.Field + "2", Value: same, Show: shownToken},
		}) {
			if fitsCookie(a) {
				out = append(out, a)
			}
		}
		return out
	},
	Classify: func(s *contract.Scheme, in request.Carried, token string) (request.Credential, bool) {
		return classifyKey(in.Cookies, s.Field, token, func(v string) []string {
			return []string{usualBlanks(v), decoded(v), usualBlanks(decoded(strings.ReplaceAll(v, "+", " "))), strings.Trim(v, `"`)}
		})
	},
}

// fitsCookie reports whether a cookie can hold what an attempt presents (RFC 6265,
// 4.1.1).
func fitsCookie(a request.Attempt) bool {
	for _, p := range a.Presented {
		if v := p.Value("aB3dE5fG7hJ9kM1nP"); p.In == "cookie" && (!visible(v) || strings.ContainsAny(v, " \",;\\")) {
			return false
		}
	}
	return true
}
