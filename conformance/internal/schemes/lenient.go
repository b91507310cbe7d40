package schemes

import (
	"encoding/base64"
	"strings"

	"plantstore/conformance/internal/exchange"
)

// lenient reports whether a common decoder reads the right user and password from the one
// value of Authorization, although it is not their base64: some pass over other characters,
// some stop at the first one or at the padding (RFC 4648, 3.3 and 3.2). The credential that
// the server checks is then the right one.
func lenient(fields []exchange.Field, right string) bool {
	list, _ := values(fields, authorization)
	if len(list) != 1 {
		return false
	}
	word, text, found := strings.Cut(list[0], " ")
	want, err := base64.StdEncoding.DecodeString(right)
	if !found || err != nil || !strings.EqualFold(word, basicWord) {
		return false
	}
	end := strings.IndexFunc(text, func(c rune) bool { return digit(c) < 0 })
	if end < 0 {
		end = len(text)
	}
	padding := strings.IndexByte(text+"=", '=')
	return begins(text[:end], want) || begins(text[:padding], want)
}

// begins reports whether the characters of base64 in a text decode to these bytes. One
// character at the end that gives no whole byte is passed over.
func begins(text string, want []byte) bool {
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
