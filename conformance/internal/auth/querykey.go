package auth

import (
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

var queryKey = message.Scheme{
	Name:   "query-key",
	Doc:    "A key in a query parameter (OpenAPI 3.1, 4.8.27).",
	Serves: func(s *openapi.Scheme) bool { return s.Type == "apiKey" && s.In == "query" },
	Valid: func(s *openapi.Scheme) []message.Presented {
		return []message.Presented{{In: "query", Field: s.Field, Value: same, Show: shownToken}}
	},
	Attempts: func(s *openapi.Scheme) []message.Attempt {
		return placed(s, []message.Presented{
			{Field: authorization, Value: bearerOf, Show: bearerOf(shownToken)},
			{Field: "X-API-Key", Value: same, Show: shownToken},
			{In: "cookie", Field: cookieName(s.Field), Value: same, Show: shownToken},
		})
	},
	Classify: func(s *openapi.Scheme, in message.Carried, token string) (message.Credential, bool) {
		return classifyKey(in.Query, s.Field, token, func(v string) []string { return []string{usualBlanks(v), decoded(v)} })
	},
}

// cookieName replaces every character but letters, digits and "_" by a dash.
func cookieName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
			return c
		}
		return '-'
	}, name)
}
