// Package auth is the list of security schemes: how each is sent, got
// wrong, and recognised in the bytes of a request. Each has a file named
// after it, which list.go lists.
package auth

import (
	"net/url"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
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

// The names of attempts with the right key under its name in another place, where code
// that looks everywhere finds it.
const (
	elsewhereQuery  = "elsewhere-query"
	elsewhereHeader = "elsewhere-header"
)

// inPlace presents the right key under its name in another place.
func inPlace(name, place, field string) message.Attempt {
	return message.Attempt{Name: name, Presented: []message.Presented{{In: place, Field: field, Value: same, Show: shownToken}}}
}

// placed makes the attempts for a key in the query or in a cookie; elsewhere are
// other places that the valid key is sent in.
func placed(s *openapi.Scheme, elsewhere []message.Presented) []message.Attempt {
	in := func(p message.Presented) message.Presented {
		p.In, p.Field = s.In, s.Field
		return p
	}
	key := func(name, show string, value func(string) string) message.Attempt {
		return message.Attempt{Name: name, Presented: []message.Presented{in(message.Presented{Value: value, Show: show})}}
	}
	out := []message.Attempt{{Name: "absent", Presented: []message.Presented{}},
		key("empty", "", func(string) string { return "" })}
	for _, a := range wrongs(s.Field, same, same) {
		a.Presented[0] = in(a.Presented[0])
		out = append(out, a)
	}
	for i, p := range elsewhere {
		if s.In == "query" && p.In == "" && strings.EqualFold(p.Field, s.Field) {
			continue
		}
		name := [...]string{"elsewhere-authorization", "elsewhere-api-key", "elsewhere-other-name", "elsewhere-longer-name"}[i]
		out = append(out, message.Attempt{Name: name, Presented: []message.Presented{p}})
	}
	if s.In != "query" {
		out = append(out, inPlace(elsewhereQuery, "query", s.Field))
	}
	if exchange.IsToken(s.Field) {
		out = append(out, inPlace(elsewhereHeader, "", s.Field))
	}
	right := in(message.Presented{Value: same, Show: shownToken})
	wrong := in(message.Presented{Value: func(string) string { return "wrong" }, Show: "wrong"})
	return append(out,
		message.Attempt{Name: "twice-wrong-first", Presented: []message.Presented{wrong, right}},
		message.Attempt{Name: "twice-right-first", Presented: []message.Presented{right, wrong}})
}

// classifyKey sorts the values that a request has under a name. A value that a
// reader takes for the right one, because it decodes or trims it, is unclear.
func classifyKey(list []exchange.Field, name, token string, readings func(value string) []string) (c message.Credential, below bool) {
	n := 0
	c = message.CredentialAbsent
	for _, f := range list {
		if f.Name != name {
			continue
		}
		n++
		below = below || len(f.Value) > longCredential || !visible(f.Value)
		one := classifyKeyValue(f.Value, token, readings)
		if n == 1 || one == message.CredentialValid || one == message.CredentialUnclear && c != message.CredentialValid {
			c = one
		}
	}
	if n > 1 {
		below = true
		if rightly(c) {
			c = message.CredentialUnclear
		}
	}
	return c, below
}

func classifyKeyValue(value, token string, readings func(value string) []string) message.Credential {
	switch {
	case value == token:
		return message.CredentialValid
	case uuid.MatchString(token) && strings.EqualFold(value, token), slices.Contains(readings(value), token):
		return message.CredentialUnclear
	}
	return message.CredentialToken
}

// decoded is a value without percent-encoding, or the value itself if it has none.
func decoded(v string) string {
	if plain, err := url.PathUnescape(v); err == nil {
		return plain
	}
	return v
}

// List gives every scheme. The first one serves all that every request has.
func List() []message.Scheme {
	return []message.Scheme{onConnection, bearer, basic, apiKey, oauth2, openIDConnect, queryKey, cookieKey}
}
