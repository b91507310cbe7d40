package proof_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/reference"
)

// FuzzCredentialAgreesWithTheGrammar holds the parser against one expression:
// RFC 9110, 11.4 (scheme in any case, one or more blanks) and RFC 6750, 2.1.
func FuzzCredentialAgreesWithTheGrammar(f *testing.F) {
	tokens := []string{"first-Token.1~+/==", "second"}
	right := regexp.MustCompile(`^[bB][eE][aA][rR][eE][rR] +(?:` + regexp.QuoteMeta(tokens[0]) + `|` + regexp.QuoteMeta(tokens[1]) + `) *$`)
	for _, value := range []string{
		"Bearer second", "bearer   " + tokens[0] + " ", "Bearer", "Bearer ", "Bearersecond", "Basic second", "Bearer Second", "Bearer second,second", "Bearer second second",
		"Bearer\tsecond", " Bearer second", "Bearer \"second\"", "Bearer sec", "", "\x00", "ſearer second", "Bearer second\x00",
	} {
		f.Add(value, "", uint8(1))
	}
	f.Add("Bearer second", "Bearer second", uint8(2))
	f.Add("", "", uint8(0))
	authenticate := reference.Authenticator(append(tokens, ""))
	f.Fuzz(func(t *testing.T, one, two string, count uint8) {
		headers := []string{one, two}[:min(int(count), 2)]
		err := authenticate(&http.Request{Header: http.Header{"Authorization": headers}})
		assert.Equal(t, len(headers) == 1 && right.MatchString(one), err == nil, "%q: %v", headers, err)
		if err == nil {
			return
		}
		why := reference.AsRefusal(err)
		assert.Equal(t, reference.Credential, why.Kind)
		for _, secret := range append(tokens, "Second") {
			assert.False(t, strings.Contains(why.Error(), secret), "a refusal never quotes a credential")
		}
	})
}
