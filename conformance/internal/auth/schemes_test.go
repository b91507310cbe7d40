package auth

import (
	"encoding/base64"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// passwordAttempts returns the attempts of basic authentication with letters of the password
// in another case, by name.
func passwordAttempts() map[string]message.Attempt {
	out := map[string]message.Attempt{}
	for _, a := range basic.Attempts(kinds["basic"]) {
		if strings.HasPrefix(a.Name, "password-") && strings.HasSuffix(a.Name, "-case") {
			out[a.Name] = a
		}
	}
	return out
}

func TestAPasswordInAnotherCaseIsAWrongCredentialOfTheSameUser(t *testing.T) {
	const token = "Fleet:s3cret-Pass:Word"
	for name, want := range map[string]string{
		"password-swapped-case": "Fleet:S3CRET-pASS:wORD", "password-upper-case": "Fleet:S3CRET-PASS:WORD", "password-lower-case": "Fleet:s3cret-pass:word",
	} {
		a := passwordAttempts()[name]
		require.NotEmpty(t, a.Presented, name)
		assert.True(t, a.Useful(token), name)
		got, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(a.Presented[0].Value(token), "Basic "))
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
		c, _ := basic.Classify(kinds["basic"], sent(a.Presented, token), token)
		assert.Equal(t, message.CredentialToken, c, name)
	}
}

func TestTheCaseOfAPasswordIsLeftAloneWhereItMeansNothing(t *testing.T) {
	for name, a := range passwordAttempts() {
		for _, token := range []string{"Fleet:12345", "Fleet:", "dXNlcjpwYXNz", "Fleet:123e4567-e89b-12d3-a456-426614174000"} {
			assert.False(t, a.Useful(token), "%s %s", name, token)
		}
	}
}

func TestAShellMakesTheShownPassword(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the commands of a report are for bash")
	const token = "Fleet:s3cret-Pass:Word"
	for name, a := range passwordAttempts() {
		c := exec.Command(bash, "-c", `printf %s "`+a.Presented[0].Show+`"`)
		c.Env = append(os.Environ(), "CONFORMANCE_TOKEN="+token)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		assert.Equal(t, a.Presented[0].Value(token), string(out), name)
	}
}

// TestNoOtherCharacterIsTriedForTheSpaceAfterBasic: Echo, for one, ignores which it is.
func TestNoOtherCharacterIsTriedForTheSpaceAfterBasic(t *testing.T) {
	names := map[string]bool{}
	for _, a := range basic.Attempts(kinds["basic"]) {
		names[a.Name] = true
	}
	assert.True(t, names["scheme-run-together"] && names["other-scheme-bearer"])
	for _, name := range []string{"scheme-colon", "scheme-equals", "scheme-comma", "scheme-slash", "scheme-underscore", "scheme-plus"} {
		assert.False(t, names[name], name)
	}
}

// Rack reads the base64 before the comma, and Node and Python pass over what is none.
func TestACredentialThatACommonDecoderReadsAsTheRightOneIsUnclear(t *testing.T) {
	for _, token := range []string{"mia:n3st-pass", "fleet:s3cret", "fleet:s3crets"} {
		right := encoded(token)
		for value, want := range map[string]message.Credential{
			right + ", Basic wrong":      message.CredentialUnclear,
			right + "!":                  message.CredentialUnclear,
			right[:4] + "\"" + right[4:]: message.CredentialUnclear,
			"wrong, Basic " + right:      message.CredentialToken,
			encoded(token + "x"):         message.CredentialToken,
			encoded("x" + token):         message.CredentialToken,
			right[:len(right)-4]:         message.CredentialToken,
		} {
			c, _ := basic.Classify(kinds["basic"], message.Carried{Fields: []exchange.Field{{Name: "Authorization", Value: "Basic " + value}}}, token)
			assert.Equal(t, want, c, value)
		}
	}
}

func TestOnlyTheHalfThatTheUserGaveMakesABasicCredentialWrong(t *testing.T) {
	read := func(token, sends string) message.Credential {
		c, _ := basic.Classify(&openapi.Scheme{Type: "http", HTTP: "basic"}, sent([]message.Presented{{Field: authorization, Value: func(string) string { return basicOf(sends) }}}, token), token)
		return c
	}
	assert.Equal(t, message.CredentialToken, read("any:s3cret-Key", "other:s3cret-Key"))
	assert.Equal(t, message.CredentialUnclear, read(":s3cret-Key", "other:s3cret-Key"))
	assert.Equal(t, message.CredentialToken, read(":s3cret-Key", ":other-Key"))
	assert.Equal(t, message.CredentialUnclear, read("s3cret-Key:", "s3cret-Key:any"))
	assert.Equal(t, message.CredentialToken, read("s3cret-Key:", "other-Key:"))
}

func TestTheLastCharacterIsChangedInABitThatIsNoPadding(t *testing.T) {
	for size := 1; size < 40; size++ {
		raw := make([]byte, size)
		for i := range raw {
			raw[i] = byte(37 * (i + size))
		}
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			token := enc.EncodeToString(raw)
			got := lastChanged(token)
			assert.Len(t, got, len(token))
			assert.Equal(t, token[:len(token)-1], got[:len(got)-1])
			other, err := base64.RawStdEncoding.DecodeString(got)
			if err != nil {
				other, _ = base64.RawURLEncoding.DecodeString(got)
			}
			assert.NotEqual(t, raw, other, token)
		}
	}
	assert.Empty(t, lastChanged(""))
	assert.Equal(t, "abc=", lastChanged("abc="), "what is no digit of base64 stays")
}

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

func TestAShellMakesTheShownCredential(t *testing.T) {
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the commands of a report are for bash")
	escape := strings.NewReplacer("\\", `\\`, `"`, `\"`)
	for _, token := range []string{"s3cr3t-T0ken.abcXYZ_Kii", "user:pass-W0rd.0123456789-aBcDeFgHiJkLmNoP", "12345678901234567"} {
		var script strings.Builder
		var list []near
		for _, n := range slices.Concat(partials(), hashes(), rewritten()) {
			if !useful(same, n.make)(token) {
				continue
			}
			list = append(list, n)
			show := n.show
			if !strings.Contains(show, "$(") {
				show = escape.Replace(show)
			}
			script.WriteString("printf '%s\\n' \"" + show + "\"\n")
		}
		c := exec.Command(bash, "-c", script.String())
		c.Env = append(os.Environ(), "CONFORMANCE_TOKEN="+token)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		require.Len(t, lines, len(list), "%s", out)
		for i, n := range list {
			assert.Equal(t, n.make(token), lines[i], n.name)
		}
	}
}

func TestACredentialOfTheSameHashHasThatHash(t *testing.T) {
	hash := func(times uint32) func(string) uint32 {
		return func(s string) (h uint32) {
			for i := range len(s) {
				h = h*times + uint32(s[i])
			}
			return h
		}
	}
	of := map[string]func(string) uint32{"same-hash-31": hash(31), "same-hash-33": hash(33), "same-hash-37": hash(37), "same-sum": hash(1),
		"same-xor": func(s string) (h uint32) {
			for i := range len(s) {
				h ^= uint32(s[i])
			}
			return h
		},
		"same-adler": func(s string) uint32 {
			a, b := uint32(1), uint32(0)
			for i := range len(s) {
				a = (a + uint32(s[i])) % 65521
				b = (b + a) % 65521
			}
			return b<<16 | a
		}}
	for _, n := range hashes() {
		for _, token := range []string{"s3cr3t-T0ken.abcXYZ", "DEADBEEF0123456789", "deadbeefdeadbeef"} {
			if got := n.make(token); of[n.name] != nil && assert.NotEqual(t, token, got, n.name) {
				assert.Equal(t, of[n.name](token), of[n.name](got), "%s %s", n.name, got)
				assert.Len(t, got, len(token))
			}
		}
	}
}
