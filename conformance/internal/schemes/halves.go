package schemes

import (
	"encoding/base64"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
)

// halfRight reports whether a request has one half of the right credential, where the document says
// that the server ignores the other half.
func halfRight(s *contract.Scheme, fields []exchange.Field, right string) bool {
	if !s.AnyUser && !s.AnyPassword {
		return false
	}
	text, found := basicText(fields)
	sent, err := base64.StdEncoding.DecodeString(text)
	want, bad := base64.StdEncoding.DecodeString(right)
	if !found || err != nil || bad != nil {
		return false
	}
	user, password, _ := strings.Cut(string(sent), ":")
	rightUser, rightPassword, _ := strings.Cut(string(want), ":")
	return s.AnyUser && password == rightPassword || s.AnyPassword && user == rightUser
}
