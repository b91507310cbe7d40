package schemes

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

// tokens that near misses are tried on: with and without letters, padded, short.
var tokens = []string{"s3cr3t-T0ken.abcXYZ", "1234567890", "abc", "x", "YWxhZGRpbjpvcGVu==", "user:pass-W0rd", "ZZZZ", "Bearer", "deadbeefdeadbeefdeadbeefdeadbeef"}

var kinds = map[string]*contract.Scheme{
	"bearer":  {Type: "http", HTTP: "bearer"},
	"basic":   {Type: "http", HTTP: "basic"},
	"api-key": {Type: "apiKey", Header: "X-Api-Key"},
}

func sent(list []plan.Presented, token string) []exchange.Field {
	var out []exchange.Field
	for _, p := range list {
		out = append(out, exchange.Field{Name: p.Field, Value: strings.Trim(p.Value(token), " \t")})
	}
	return out
}

func TestEverySchemeServesItsKindAlone(t *testing.T) {
	require.NoError(t, plan.ValidateSchemes(List()))
	for _, s := range List() {
		for name, kind := range kinds {
			assert.Equal(t, name == s.Name, s.Serves(kind), "%s %s", s.Name, name)
		}
	}
}

func TestTheValidCredentialIsValid(t *testing.T) {
	for _, s := range List() {
		for _, token := range tokens {
			c, below := s.Classify(kinds[s.Name], sent([]plan.Presented{s.Valid(kinds[s.Name])}, token), token)
			assert.Equal(t, requirement.CredentialValid, c, "%s %s", s.Name, token)
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
				assert.NotEqual(t, requirement.CredentialValid, c, "%s %s %s", s.Name, a.Name, token)
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
				show += p.Field + ": " + p.Show + "\n"
			}
			assert.Empty(t, shows[show], "%s %s %q", s.Name, a.Name, show)
			shows[show] = a.Name
		}
	}
}

func TestNoTextShowsTheToken(t *testing.T) {
	const token = "s3cr3t-T0ken.abcXYZ"
	for _, s := range List() {
		for _, a := range append(s.Attempts(kinds[s.Name]), plan.Attempt{Presented: []plan.Presented{s.Valid(kinds[s.Name])}}) {
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
	for value, want := range map[string]requirement.Credential{
		"Bearer abc.DEF":                 requirement.CredentialValid,
		"bearer abc.DEF":                 requirement.CredentialCase,
		"BEARER abc.DEF":                 requirement.CredentialCase,
		"Bearer   abc.DEF":               requirement.CredentialBlanks,
		"Bearer\tabc.DEF":                requirement.CredentialUnclear,
		"Bearer abc.DEF\xA0":             requirement.CredentialUnclear,
		"Bearer \x85abc.DEF":             requirement.CredentialUnclear,
		"Bearer abc.DEF\u00A0":           requirement.CredentialUnclear,
		"Bearer\u00A0abc.DEF":            requirement.CredentialUnclear,
		"Bearer abc.DEF\xA0x":            requirement.CredentialToken,
		"Bearer abc.DE\xA0":              requirement.CredentialToken,
		"Bearer abc.DEF\xFF":             requirement.CredentialToken,
		"Bearerabc.DEF":                  requirement.CredentialScheme,
		"Bearer":                         requirement.CredentialToken,
		"":                               requirement.CredentialScheme,
		"abc.DEF":                        requirement.CredentialScheme,
		"Basic abc.DEF":                  requirement.CredentialScheme,
		"Bearer abc.DEf":                 requirement.CredentialToken,
		"bearer abc.DEf":                 requirement.CredentialToken,
		"Bearer abc.DEF, Bearer x":       requirement.CredentialToken,
		"Bearer " + token + "x":          requirement.CredentialToken,
		"Bearer Bearer abc.DEF":          requirement.CredentialToken,
		"Bearer " + strings.ToUpper("x"): requirement.CredentialToken,
	} {
		got, _ := bearer.Classify(kinds["bearer"], []exchange.Field{{Name: "authorization", Value: value}}, token)
		assert.Equal(t, want, got, "%q", value)
	}
}

func TestTwoFieldsAreUnclearOnlyWhereOneIsRight(t *testing.T) {
	two := func(a, b string) requirement.Credential {
		c, _ := bearer.Classify(kinds["bearer"], []exchange.Field{{Name: "Authorization", Value: a}, {Name: "Authorization", Value: b}}, "t0ken")
		return c
	}
	assert.Equal(t, requirement.CredentialUnclear, two("Bearer t0ken", "Bearer x"))
	assert.Equal(t, requirement.CredentialUnclear, two("Bearer x", "Bearer t0ken"))
	assert.Equal(t, requirement.CredentialToken, two("Bearer x", "Bearer y"))
}

func TestLongAndForeignCredentialsMayBeRefusedBelow(t *testing.T) {
	for value, want := range map[string]bool{"Bearer " + strings.Repeat("x", 5000): true, "Bearer é": true, "Bearer x\x7F": true, "Bearer xyz": false} {
		_, below := bearer.Classify(kinds["bearer"], []exchange.Field{{Name: "Authorization", Value: value}}, "t0ken")
		assert.Equal(t, want, below, "%.20q", value)
	}
}
