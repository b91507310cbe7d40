package reference

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// Authenticator checks the bearer token of a request (RFC 6750, section 2.1)
// against tokens; empty ones are ignored, so no tokens means no access. Its
// errors are *[Refusal] of kind [Credential].
func Authenticator(tokens []string) func(*http.Request) error {
	var known [][sha256.Size]byte
	for _, token := range tokens {
		if token != "" {
			known = append(known, sha256.Sum256([]byte(token)))
		}
	}
	return func(r *http.Request) error {
		token, reason := bearer(r.Header.Values("Authorization"))
		if reason != "" {
			return &Refusal{Kind: Credential, Reason: reason}
		}
		// Digests have one length, and every known token is compared, so the
		// time taken tells nothing about any of them.
		given, match := sha256.Sum256([]byte(token)), 0
		for _, k := range known {
			match |= subtle.ConstantTimeCompare(given[:], k[:])
		}
		if match != 1 {
			return &Refusal{Kind: Credential, Reason: "the bearer token is not valid"}
		}
		return nil
	}
}

// bearer gives the token of the Authorization headers, or why there is none.
// The scheme has no case and one or more blanks behind it (RFC 9110, 11.4).
func bearer(headers []string) (token, reason string) {
	if len(headers) == 0 {
		return "", "a bearer token is required"
	}
	if len(headers) > 1 {
		return "", "more than one Authorization header"
	}
	scheme, rest, _ := strings.Cut(headers[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", "the Authorization scheme must be Bearer"
	}
	token = strings.Trim(rest, " ")
	if token == "" {
		return "", "the bearer token is empty"
	}
	return token, ""
}
