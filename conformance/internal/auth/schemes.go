package auth

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// basic takes a token of the form user:password and encodes it; one without a
// colon is taken to be encoded already.
var basic = message.Scheme{
	Name:   "basic",
	Doc:    "HTTP authentication with user and password (RFC 7617). The token is user:password, or that in base64.",
	Serves: func(s *openapi.Scheme) bool { return s.Type == "http" && s.HTTP == "basic" },
	Valid: func(*openapi.Scheme) []message.Presented {
		return []message.Presented{{Field: authorization, Value: basicOf, Show: shownBasic(shownToken)}}
	},
	Attempts: func(*openapi.Scheme) []message.Attempt {
		out := append(absences(basicWord), literal("colon-encoded", "Basic Og=="), literal("not-base64", "Basic %%%"),
			literal("without-colon", "Basic dXNlcg=="), literal("empty-password", "Basic dXNlcjo="), literal("empty-user", "Basic OnBhc3M="))
		out = append(out, message.Attempt{Name: "password-left-out",
			Presented: []message.Presented{{Field: authorization, Value: func(t string) string { return basicOf(userOnly(t)) }, Show: shownBasic("${CONFORMANCE_TOKEN%%:*}:")}},
			Useful:    useful(basicOf, userOnly)})
		out = append(out, passwordCases()...)
		for _, a := range wrongs(authorization, basicOf, shownBasic) {
			// Names of users may be compared without case and width (RFC 8265, 3.3), and many
			// decoders take both alphabets of base64.
			if !strings.HasSuffix(a.Name, "-case") && !strings.HasSuffix(a.Name, "-fold") && a.Name != "in-base64url" {
				out = append(out, a)
			}
		}
		for _, a := range schemeAttempts(basicWord, encoded, shownEncoded(shownToken)) {
			// Some libraries, such as Echo's, skip the character after the scheme unread. The
			// password is right all the same.
			if !slices.Contains([]string{"scheme-colon", "scheme-equals", "scheme-comma", "scheme-slash", "scheme-underscore", "scheme-plus"}, a.Name) {
				out = append(out, a)
			}
		}
		out = append(out, elsewhere(shownEncoded(shownToken))...)
		return append(out, spellings(basicWord, encoded, shownEncoded(shownToken))...)
	},
	Classify: func(_ *openapi.Scheme, in message.Carried, token string) (message.Credential, bool) {
		c, below := classifyHTTP(basicWord, in.Fields, encoded(token))
		if c == message.CredentialToken && (lenient(in.Fields, encoded(token)) || halfRight(in.Fields, encoded(token))) {
			c = message.CredentialUnclear
		}
		return c, below
	},
}

// userOnly is the right user with an empty password: directories take that for a request
// without a name, and accept it (RFC 4513, 5.1.2). A token that is encoded already has none.
func userOnly(token string) string {
	user, _, found := strings.Cut(token, ":")
	return part(found, user+":")
}

// passwordCases keep the user and change the case of the password, which is significant (RFC
// 8265, 4.2.2). A UUID in another case is the same UUID (RFC 9562, 4).
func passwordCases() []message.Attempt {
	var out []message.Attempt
	for _, c := range []struct {
		name, sign string
		change     func(string) string
	}{
		{"password-swapped-case", "~~", swapCase}, {"password-upper-case", "^^", strings.ToUpper}, {"password-lower-case", ",,", strings.ToLower},
	} {
		change := func(token string) string {
			user, password, found := strings.Cut(token, ":")
			return part(found && !uuid.MatchString(password), user+":"+c.change(password))
		}
		out = append(out, message.Attempt{Name: c.name,
			Presented: []message.Presented{{Field: authorization, Value: func(t string) string { return basicOf(change(t)) },
				Show: shownBasic("${CONFORMANCE_TOKEN%%:*}:$(password=${CONFORMANCE_TOKEN#*:}; printf %s \"${password" + c.sign + "}\")")}},
			Useful: useful(basicOf, change)})
	}
	return out
}

var bearer = message.Scheme{
	Name:   "bearer",
	Doc:    "HTTP authentication with a bearer token (RFC 6750, 2.1).",
	Serves: func(s *openapi.Scheme) bool { return s.Type == "http" && s.HTTP == "bearer" },
	Valid: func(*openapi.Scheme) []message.Presented {
		return []message.Presented{{Field: authorization, Value: bearerOf, Show: bearerOf(shownToken)}}
	},
	Attempts: func(*openapi.Scheme) []message.Attempt {
		out := append(absences(bearerWord), wrongs(authorization, bearerOf, bearerOf)...)
		out = append(out, schemeAttempts(bearerWord, same, shownToken)...)
		out = append(out, elsewhere(shownToken)...)
		out = append(out, asBasic()...)
		return append(out, spellings(bearerWord, same, shownToken)...)
	},
	Classify: func(_ *openapi.Scheme, in message.Carried, token string) (message.Credential, bool) {
		return classifyHTTP(bearerWord, in.Fields, token)
	},
}

// asBasic carries the valid token as user or password of basic authentication,
// which other interfaces take.
func asBasic() []message.Attempt {
	var out []message.Attempt
	for _, f := range []struct{ name, before, behind string }{
		{"as-basic-user", "", ":"}, {"as-basic-password", "user:", ""}, {"as-basic-password-alone", ":", ""},
	} {
		out = append(out, attempt(f.name, shownBasic(f.before+shownToken+f.behind), func(t string) string {
			return basicOf(f.before + t + f.behind)
		}))
	}
	return out
}

// onConnection has nothing to try: every connection has the client certificate, or every
// request the header of the user.
var onConnection = message.Scheme{
	Name:     "mutual-tls",
	Doc:      "A client certificate, which belongs to the connection (RFC 8446, 4.4.2), or a credential in a header that the user gives.",
	Serves:   (*openapi.Scheme).OnConnection,
	Valid:    func(*openapi.Scheme) []message.Presented { return nil },
	Attempts: func(*openapi.Scheme) []message.Attempt { return nil },
	Classify: func(*openapi.Scheme, message.Carried, string) (message.Credential, bool) {
		return message.CredentialValid, false
	},
}

var oauth2 = message.Scheme{
	Name:     "oauth2",
	Doc:      "An access token of OAuth 2.0, sent as a bearer token (RFC 6750, 2.1).",
	Serves:   func(s *openapi.Scheme) bool { return s.Type == "oauth2" },
	Valid:    bearer.Valid,
	Attempts: bearer.Attempts,
	Classify: bearer.Classify,
}

var openIDConnect = message.Scheme{
	Name:     "open-id-connect",
	Doc:      "A token of OpenID Connect, sent as a bearer token (RFC 6750, 2.1).",
	Serves:   func(s *openapi.Scheme) bool { return s.Type == "openIdConnect" },
	Valid:    bearer.Valid,
	Attempts: bearer.Attempts,
	Classify: bearer.Classify,
}

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
