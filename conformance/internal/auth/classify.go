package auth

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
)

const (
	authorization = "Authorization"
	// longCredential is the size above which a refusal may come from below the
	// application.
	longCredential = 1 << 10
)

// values gives the values of a field, and whether a refusal of one may come
// from below the application.
func values(fields []exchange.Field, name string) (list []string, below bool) {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			list = append(list, f.Value)
			below = below || len(f.Value) > longCredential || !visible(f.Value)
		}
	}
	return list, below
}

// visible reports whether a field value holds VCHAR and blanks alone (RFC 5234,
// appendix B.1).
func visible(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// classifyHTTP sorts the Authorization fields of a request for one HTTP scheme
// (RFC 9110, 11.4) and its valid credential.
func classifyHTTP(scheme string, fields []exchange.Field, credential string) (message.Credential, bool) {
	list, below := values(fields, authorization)
	if len(list) == 0 {
		return message.CredentialAbsent, below
	}
	if len(list) == 1 {
		return classifyValue(scheme, list[0], credential), below
	}
	below = true // several fields are malformed HTTP (RFC 9110, 5.3): anybody may refuse them
	for _, v := range list {
		if rightly(classifyValue(scheme, v, credential)) {
			return message.CredentialUnclear, below
		}
	}
	return classifyValue(scheme, list[0], credential), below
}

func rightly(c message.Credential) bool {
	return c == message.CredentialValid || c == message.CredentialCase ||
		c == message.CredentialBlanks || c == message.CredentialUnclear
}

// classifyValue sorts one value. What is right but for white space of other
// kinds is unclear: readers take fields for Latin-1 or for UTF-8, and the trim
// and split functions of most languages know more blanks than HTTP does. So is a
// UUID in another case, which is the same UUID (RFC 9562, 4), and what is right once its
// percent-encoding is decoded: cpp-httplib does that to every field.
func classifyValue(scheme, value, credential string) message.Credential {
	c := classifyExactly(scheme, value, credential)
	if !rightly(c) && uuid.MatchString(credential) && strings.EqualFold(value, scheme+" "+credential) {
		return message.CredentialUnclear
	}
	for _, plain := range []string{usualBlanks(value), decoded(value)} {
		if !rightly(c) && plain != value && rightly(classifyExactly(scheme, plain, credential)) {
			return message.CredentialUnclear
		}
	}
	return c
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// usualBlanks writes a blank for everything that some reader takes for one.
func usualBlanks(value string) string {
	var out []byte
	for i, r := range value {
		switch {
		case unicode.IsSpace(r), r == utf8.RuneError && (value[i] == 0x85 || value[i] == 0xA0):
			out = append(out, ' ')
		case r == utf8.RuneError:
			out = append(out, value[i])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return strings.TrimSpace(string(out))
}

func classifyExactly(scheme, value, credential string) message.Credential {
	end := strings.IndexAny(value, " \t")
	if strings.EqualFold(value, scheme) {
		return message.CredentialToken // the scheme with an empty token
	}
	if end < 0 || !strings.EqualFold(value[:end], scheme) {
		return message.CredentialScheme
	}
	space := value[end:]
	rest := strings.TrimLeft(space, " \t")
	space = space[:len(space)-len(rest)]
	switch {
	case rest != credential:
		return message.CredentialToken
	case strings.Contains(space, "\t"):
		return message.CredentialUnclear
	case value[:end] != scheme:
		return message.CredentialCase
	case len(space) > 1:
		return message.CredentialBlanks
	}
	return message.CredentialValid
}
