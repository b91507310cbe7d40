package auth

import (
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

var cookieKey = message.Scheme{
	Name:   "cookie-key",
	Doc:    "A key in a cookie (OpenAPI 3.1, 4.8.27).",
	Serves: func(s *openapi.Scheme) bool { return s.Type == "apiKey" && s.In == "cookie" },
	Valid: func(s *openapi.Scheme) []message.Presented {
		return []message.Presented{{In: "cookie", Field: s.Field, Value: same, Show: shownToken}}
	},
	Attempts: func(s *openapi.Scheme) []message.Attempt {
		var out []message.Attempt
		for _, a := range placed(s, []message.Presented{
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
	Classify: func(s *openapi.Scheme, in message.Carried, token string) (message.Credential, bool) {
		return classifyKey(in.Cookies, s.Field, token, func(v string) []string {
			return []string{usualBlanks(v), decoded(v), usualBlanks(decoded(strings.ReplaceAll(v, "+", " "))), strings.Trim(v, `"`)}
		})
	},
}

// fitsCookie reports whether a cookie can hold what an attempt presents (RFC 6265,
// 4.1.1).
func fitsCookie(a message.Attempt) bool {
	for _, p := range a.Presented {
		if v := p.Value("aB3dE5fG7hJ9kM1nP"); p.In == "cookie" && (!visible(v) || strings.ContainsAny(v, " \",;\\")) {
			return false
		}
	}
	return true
}
