package auth

import (
	"net/url"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

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
