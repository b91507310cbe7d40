package auth

import (
	"encoding/base64"
	"strings"

	"plantstore/conformance/internal/exchange"
)

// halfRight reports whether a request has one half of the right credential, where the user gave no
// other half: an API key is a user name or a password by itself, and any text may stand beside it.
func halfRight(fields []exchange.Field, right string) bool {
	text, found := basicText(fields)
	sent, err := base64.StdEncoding.DecodeString(text)
	want, bad := base64.StdEncoding.DecodeString(right)
	if !found || err != nil || bad != nil {
		return false
	}
	user, password, _ := strings.Cut(string(sent), ":")
	rightUser, rightPassword, _ := strings.Cut(string(want), ":")
	return rightUser == "" && password == rightPassword || rightPassword == "" && user == rightUser
}
