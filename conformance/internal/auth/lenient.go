package auth

import (
	"encoding/base64"
	"strings"

	"plantstore/conformance/internal/exchange"
)

// lenient reports whether a common decoder reads the right user and password from the only
// value of Authorization, although it is not their base64: some decoders skip other
// characters, others stop at the first of them or at the padding (RFC 4648, 3.2 and 3.3). The
// server then checks the right credential.
func lenient(fields []exchange.Field, right string) bool {
	text, found := basicText(fields)
	want, err := base64.StdEncoding.DecodeString(right)
	if !found || err != nil {
		return false
	}
	other := strings.IndexFunc(text+"=", func(c rune) bool { return digit(c) < 0 })
	padding := strings.IndexByte(text+"=", '=')
	return decodesTo(text[:other], want) || decodesTo(text[:padding], want)
}

// basicText returns what stands behind the scheme in the only value of Authorization.
func basicText(fields []exchange.Field) (text string, found bool) {
	list, _ := values(fields, authorization)
	if len(list) != 1 {
		return "", false
	}
	word, text, found := strings.Cut(list[0], " ")
	return text, found && strings.EqualFold(word, basicWord)
}

// decodesTo reports whether the characters of base64 in a text decode to these bytes. A last
// character that does not complete a byte is ignored.
func decodesTo(text string, want []byte) bool {
	text = strings.Map(digit, text)
	if len(text)%4 == 1 {
		text = text[:len(text)-1]
	}
	got, err := base64.RawStdEncoding.DecodeString(text)
	return err == nil && string(got) == string(want)
}

// digit returns a character of base64, and -1 for any other.
func digit(c rune) rune {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '+', c == '/':
		return c
	}
	return -1
}
