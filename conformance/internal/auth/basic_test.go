package auth

import (
	"encoding/base64"
	"os"
	"os/exec"
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
