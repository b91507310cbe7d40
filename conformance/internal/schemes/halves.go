package schemes

import (
	"encoding/base64"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
)

// halfRight reports whether a request has the half of the right credential that a server looks at,
// where the document says that it does not look at the other half.
func halfRight(s *contract.Scheme, fields []exchange.Field, right string) bool {
	list, _ := values(fields, authorization)
	if len(list) != 1 || !s.AnyUser && !s.AnyPassword {
		return false
	}
	word, text, _ := strings.Cut(list[0], " ")
	sent, err := base64.StdEncoding.DecodeString(text)
	want, bad := base64.StdEncoding.DecodeString(right)
	if err != nil || bad != nil || !strings.EqualFold(word, basicWord) {
		return false
	}
	user, password, _ := strings.Cut(string(sent), ":")
	rightUser, rightPassword, _ := strings.Cut(string(want), ":")
	return s.AnyUser && password == rightPassword || s.AnyPassword && user == rightUser
}
