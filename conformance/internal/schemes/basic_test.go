package schemes

import (
	"encoding/base64"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/request"
)

// passwordAttempts returns the attempts of basic authentication with letters of the password
// in another case, by name.
func passwordAttempts() map[string]request.Attempt {
	out := map[string]request.Attempt{}
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
		assert.Equal(t, request.CredentialToken, c, name)
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
		for value, want := range map[string]request.Credential{
			right + ", Basic wrong":      request.CredentialUnclear,
			right + "!":                  request.CredentialUnclear,
			right[:4] + "\"" + right[4:]: request.CredentialUnclear,
			"wrong, Basic " + right:      request.CredentialToken,
			encoded(token + "x"):         request.CredentialToken,
			encoded("x" + token):         request.CredentialToken,
			right[:len(right)-4]:         request.CredentialToken,
		} {
			c, _ := basic.Classify(kinds["basic"], request.Carried{Fields: []exchange.Field{{Name: "Authorization", Value: "Basic " + value}}}, token)
			assert.Equal(t, want, c, value)
		}
	}
}

func TestOnlyTheHalfThatTheUserGaveMakesABasicCredentialWrong(t *testing.T) {
	read := func(token, sends string) request.Credential {
		c, _ := basic.Classify(&contract.Scheme{Type: "http", HTTP: "basic"}, sent([]request.Presented{{Field: authorization, Value: func(string) string { return basicOf(sends) }}}, token), token)
		return c
	}
	assert.Equal(t, request.CredentialToken, read("any:s3cret-Key", "other:s3cret-Key"))
	assert.Equal(t, request.CredentialUnclear, read(":s3cret-Key", "other:s3cret-Key"))
	assert.Equal(t, request.CredentialToken, read(":s3cret-Key", ":other-Key"))
	assert.Equal(t, request.CredentialUnclear, read("s3cret-Key:", "s3cret-Key:any"))
	assert.Equal(t, request.CredentialToken, read("s3cret-Key:", "other-Key:"))
}
