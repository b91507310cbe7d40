package auth

import (
	"slices"
	"strings"

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
