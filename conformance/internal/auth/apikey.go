package auth

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

var apiKey = message.Scheme{
	Name:   "api-key",
	Doc:    "A key in a header field of its own (OpenAPI 3.1, 4.8.27).",
	Serves: func(s *openapi.Scheme) bool { return s.Type == "apiKey" && s.In == "header" },
	Valid: func(s *openapi.Scheme) []message.Presented {
		return []message.Presented{{Field: s.Field, Value: same, Show: shownToken}}
	},
	Attempts: func(s *openapi.Scheme) []message.Attempt {
		key := func(name, show string, value func(string) string) message.Attempt {
			return message.Attempt{Name: name, Presented: []message.Presented{{Field: s.Field, Value: value, Show: show}}}
		}
		out := []message.Attempt{{Name: "absent", Presented: []message.Presented{}},
			key("empty", "", func(string) string { return "" }),
			key("with-scheme", bearerOf(shownToken), bearerOf),
			key("with-scheme-apikey", "ApiKey "+shownToken, func(t string) string { return "ApiKey " + t })}
		out = append(out, wrongs(s.Field, same, same)...)
		out = append(out, inPlace(elsewhereQuery, "query", s.Field))
		for _, e := range elsewhereKey(s.Field) {
			out = append(out, message.Attempt{Name: e.name, Presented: []message.Presented{{Field: e.field,
				Value: func(t string) string { return e.before + t }, Show: e.before + shownToken}}})
		}
		right := message.Presented{Field: s.Field, Value: same, Show: shownToken}
		wrong := message.Presented{Field: s.Field, Value: func(string) string { return "wrong" }, Show: "wrong"}
		return append(out,
			message.Attempt{Name: "two-fields-wrong-first", Presented: []message.Presented{wrong, right}},
			message.Attempt{Name: "two-fields-right-first", Presented: []message.Presented{right, wrong}},
			key("list-wrong-first", "wrong, "+shownToken, func(t string) string { return "wrong, " + t }))
	},
	Classify: func(s *openapi.Scheme, in message.Carried, token string) (message.Credential, bool) {
		list, below := values(in.Fields, s.Field)
		switch {
		case len(list) == 0:
			return message.CredentialAbsent, below
		case len(list) == 1 && list[0] == token:
			return message.CredentialValid, below
		}
		if slices.Contains(list, token) || len(list) == 1 && sameKey(s.Field, list[0], token) {
			return message.CredentialUnclear, below
		}
		return message.CredentialToken, below
	},
}

// sameKey reports whether some server takes a value for the key: it differs in white space
// or percent-encoding alone, or is the same UUID. In Authorization, the key may be a scheme and a
// token, as in Token abc. The case of the scheme then does not matter (RFC 9110, 11.1).
func sameKey(field, value, key string) bool {
	if usualBlanks(value) == key || decoded(value) == key || uuid.MatchString(key) && strings.EqualFold(value, key) {
		return true
	}
	scheme, token, found := strings.Cut(key, " ")
	return found && strings.EqualFold(field, authorization) && rightly(classifyValue(scheme, value, token))
}

type misplaced struct{ name, field, before string }

// elsewhereKey are fields near the one of the key.
func elsewhereKey(header string) []misplaced {
	var out []misplaced
	for _, m := range []misplaced{{"elsewhere-authorization", authorization, "Bearer "}, {"elsewhere-authorization-bare", authorization, ""},
		{"elsewhere-cookie", "Cookie", header + "="}, {"elsewhere-longer-name", header + "2", ""}, {"elsewhere-x-name", "X-" + header, ""},
		{"elsewhere-auth-token", "X-Auth-Token", ""}} {
		if !strings.EqualFold(m.field, header) {
			out = append(out, m)
		}
	}
	return out
}
