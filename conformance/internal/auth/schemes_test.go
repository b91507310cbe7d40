package auth

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// tokens that near misses are tried on: with and without letters, padded, short.
var tokens = []string{"s3cr3t-T0ken.abcXYZ", "1234567890", "abc", "x", "YWxhZGRpbjpvcGVu==", "user:pass-W0rd", "ZZZZ", "Bearer", "deadbeefdeadbeefdeadbeefdeadbeef"}

var kinds = map[string]*openapi.Scheme{
	"bearer":          {Type: "http", HTTP: "bearer"},
	"basic":           {Type: "http", HTTP: "basic"},
	"api-key":         {Type: "apiKey", In: "header", Field: "X-Api-Key"},
	"query-key":       {Type: "apiKey", In: "query", Field: "api_key"},
	"cookie-key":      {Type: "apiKey", In: "cookie", Field: "session"},
	"oauth2":          {Type: "oauth2"},
	"open-id-connect": {Type: "openIdConnect"},
	"mutual-tls":      {Type: "mutualTLS"},
}

func sent(list []message.Presented, token string) message.Carried {
	out := message.Carry(list, func(string) string { return token })
	for i := range out.Fields {
		out.Fields[i].Value = strings.Trim(out.Fields[i].Value, " \t")
	}
	return out
}

func carrying(fields ...exchange.Field) message.Carried { return message.Carried{Fields: fields} }

func TestEverySchemeServesItsKindAlone(t *testing.T) {
	require.NoError(t, message.ValidateSchemes(List()))
	for _, s := range List() {
		for name, kind := range kinds {
			assert.Equal(t, name == s.Name, s.Serves(kind), "%s %s", s.Name, name)
		}
	}
}

func TestASchemeWithABadNameIsRefused(t *testing.T) {
	s := List()[0]
	for _, name := range []string{"", "Bearer", "api key", "a/b", "-a"} {
		s.Name = name
		assert.ErrorContains(t, message.ValidateSchemes([]message.Scheme{s}), "the name is not")
	}
}

func TestTheValidCredentialIsValid(t *testing.T) {
	for _, s := range List() {
		for _, token := range tokens {
			c, below := s.Classify(kinds[s.Name], sent(s.Valid(kinds[s.Name]), token), token)
			assert.Equal(t, message.CredentialValid, c, "%s %s", s.Name, token)
			assert.False(t, below)
		}
	}
}

func TestAUsefulAttemptIsNeverTheValidCredential(t *testing.T) {
	for _, s := range List() {
		for _, a := range s.Attempts(kinds[s.Name]) {
			for _, token := range tokens {
				if a.Useful != nil && !a.Useful(token) {
					continue
				}
				c, _ := s.Classify(kinds[s.Name], sent(a.Presented, token), token)
				assert.NotEqual(t, message.CredentialValid, c, "%s %s %s", s.Name, a.Name, token)
			}
		}
	}
}

func TestAttemptsHaveNamesAndTextsOfTheirOwn(t *testing.T) {
	for _, s := range List() {
		names, shows := map[string]bool{}, map[string]string{}
		for _, a := range s.Attempts(kinds[s.Name]) {
			assert.False(t, names[a.Name], "%s %s", s.Name, a.Name)
			assert.Regexp(t, `^[a-z0-9-]+$`, a.Name)
			names[a.Name] = true
			show := ""
			for _, p := range a.Presented {
				show += p.In + " " + p.Field + ": " + p.Show + "\n"
			}
			assert.Empty(t, shows[show], "%s %s %q", s.Name, a.Name, show)
			shows[show] = a.Name
		}
	}
}

func TestNoTextShowsTheToken(t *testing.T) {
	const token = "s3cr3t-T0ken.abcXYZ"
	for _, s := range List() {
		for _, a := range append(s.Attempts(kinds[s.Name]), message.Attempt{Presented: s.Valid(kinds[s.Name])}) {
			for _, p := range a.Presented {
				assert.NotContains(t, p.Show, token)
				if strings.Contains(p.Value(token), token) {
					assert.Contains(t, p.Show, "CONFORMANCE_TOKEN", a.Name)
				}
			}
		}
	}
}

func TestBearerSpellings(t *testing.T) {
	const token = "abc.DEF"
	for value, want := range map[string]message.Credential{
		"Bearer abc.DEF":                 message.CredentialValid,
		"bearer abc.DEF":                 message.CredentialCase,
		"BEARER abc.DEF":                 message.CredentialCase,
		"Bearer   abc.DEF":               message.CredentialBlanks,
		"Bearer\tabc.DEF":                message.CredentialUnclear,
		"Bearer abc.DEF\xA0":             message.CredentialUnclear,
		"Bearer \x85abc.DEF":             message.CredentialUnclear,
		"Bearer abc.DEF\u00A0":           message.CredentialUnclear,
		"Bearer\u00A0abc.DEF":            message.CredentialUnclear,
		"Bearer abc.DEF\xA0x":            message.CredentialToken,
		"Bearer abc.DE\xA0":              message.CredentialToken,
		"Bearer abc.DEF\xFF":             message.CredentialToken,
		"Bearerabc.DEF":                  message.CredentialScheme,
		"Bearer":                         message.CredentialToken,
		"":                               message.CredentialScheme,
		"abc.DEF":                        message.CredentialScheme,
		"Basic abc.DEF":                  message.CredentialScheme,
		"Bearer abc.DEf":                 message.CredentialToken,
		"bearer abc.DEf":                 message.CredentialToken,
		"Bearer abc.DEF, Bearer x":       message.CredentialToken,
		"Bearer " + token + "x":          message.CredentialToken,
		"Bearer Bearer abc.DEF":          message.CredentialToken,
		"Bearer " + strings.ToUpper("x"): message.CredentialToken,
	} {
		got, _ := bearer.Classify(kinds["bearer"], carrying(exchange.Field{Name: "authorization", Value: value}), token)
		assert.Equal(t, want, got, "%q", value)
	}
}

func TestKeySpellings(t *testing.T) {
	for _, row := range []struct {
		field, key, value string
		want              message.Credential
	}{
		{"X-Api-Key", "abc", "abc", message.CredentialValid},
		{"X-Api-Key", "abc", "abc\xA0", message.CredentialUnclear},
		{"X-Api-Key", "abc", "\u00A0abc", message.CredentialUnclear},
		{"X-Api-Key", "abc", "ABC", message.CredentialToken},
		{"X-Api-Key", "abc", "abc\xA0x", message.CredentialToken},
		{"Authorization", "Token abc", "Token abc", message.CredentialValid},
		{"Authorization", "Token abc", "TOKEN abc", message.CredentialUnclear},
		{"Authorization", "Token abc", "Token   abc", message.CredentialUnclear},
		{"Authorization", "Token abc", "Token ABC", message.CredentialToken},
		{"Authorization", "Token abc", "abc", message.CredentialToken},
		{"X-Api-Key", "Token abc", "TOKEN abc", message.CredentialToken},
	} {
		kind := &openapi.Scheme{Type: "apiKey", In: "header", Field: row.field}
		got, _ := apiKey.Classify(kind, carrying(exchange.Field{Name: row.field, Value: row.value}), row.key)
		assert.Equal(t, row.want, got, "%s: %q for %q", row.field, row.value, row.key)
	}
}

func TestTwoFieldsAreUnclearOnlyWhereOneIsRight(t *testing.T) {
	two := func(a, b string) message.Credential {
		c, _ := bearer.Classify(kinds["bearer"], carrying(exchange.Field{Name: "Authorization", Value: a}, exchange.Field{Name: "Authorization", Value: b}), "t0ken")
		return c
	}
	assert.Equal(t, message.CredentialUnclear, two("Bearer t0ken", "Bearer x"))
	assert.Equal(t, message.CredentialUnclear, two("Bearer x", "Bearer t0ken"))
	assert.Equal(t, message.CredentialToken, two("Bearer x", "Bearer y"))
}

func TestLongAndForeignCredentialsMayBeRefusedBelow(t *testing.T) {
	for value, want := range map[string]bool{"Bearer " + strings.Repeat("x", 5000): true, "Bearer é": true, "Bearer x\x7F": true, "Bearer xyz": false} {
		_, below := bearer.Classify(kinds["bearer"], carrying(exchange.Field{Name: "Authorization", Value: value}), "t0ken")
		assert.Equal(t, want, below, "%.20q", value)
	}
}
