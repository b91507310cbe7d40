package faults

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// token accepts a request by what follows "Bearer ".
func token(f func(given, token string) bool) alter.Change {
	return scheme(func(header, want string) bool {
		name, given, found := strings.Cut(header, " ")
		return found && strings.EqualFold(name, "Bearer") && f(given, want)
	})
}

// tokens lets in another token than the right one, or looks for it elsewhere.
func tokens() []Fault {
	return []Fault{
		{Name: "token-last-word", Breaks: bearerToken, Rare: true,
			Doc: "takes the last word of what stands behind the scheme for the token",
			alter: token(func(given, token string) bool {
				words := strings.Fields(given)
				return len(words) > 1 && words[len(words)-1] == token
			})},
		{Name: "token-any", Breaks: bearerToken,
			Doc:   "takes any token that is not empty, as a stub that was never replaced",
			alter: token(func(given, _ string) bool { return strings.Trim(given, " ") != "" })},
		{Name: "token-empty", Breaks: bearerToken, Rare: true,
			Doc:   "takes an empty token, because it equals an unset setting",
			alter: scheme(func(h, _ string) bool { return strings.EqualFold(strings.TrimSpace(h), "Bearer") })},
		{Name: "token-null", Breaks: bearerToken, Rare: true,
			Doc:   "takes the words null and undefined for a token, which clients send when they have none",
			alter: token(func(given, _ string) bool { return given == "null" || given == "undefined" })},
		{Name: "token-object-member", Breaks: bearerToken, Rare: true,
			Doc: "looks the token up in a plain JavaScript object, which has members of its own",
			alter: token(func(given, _ string) bool {
				return slices.Contains([]string{"constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"}, given)
			})},
		{Name: "token-shorter", Breaks: bearerToken,
			Doc: "takes a token that the right one starts with, as strncmp with the wrong length does",
			alter: token(func(given, token string) bool {
				return given != "" && strings.HasPrefix(token, given)
			})},
		{Name: "token-longer", Breaks: bearerToken,
			Doc:   "takes a token that starts with the right one, as a test with startsWith does",
			alter: token(func(given, token string) bool { return strings.HasPrefix(given, token) })},
		{Name: "token-ends-with", Breaks: bearerToken,
			Doc:   "takes a token that ends in the right one, as a test with endsWith does",
			alter: token(func(given, token string) bool { return strings.HasSuffix(given, token) })},
		{Name: "token-within", Breaks: bearerToken,
			Doc:   "takes a part of the right token, because it looks for the given one inside it",
			alter: token(func(given, token string) bool { return len(given) > 1 && strings.Contains(token, given) })},
		{Name: "token-any-case", Breaks: bearerToken,
			Doc:   "compares the token without case, as MySQL's default collation does",
			alter: token(strings.EqualFold)},
		{Name: "token-first-eight", Breaks: bearerToken,
			Doc: "compares eight characters of the token, as old crypt did",
			alter: token(func(given, token string) bool {
				return len(given) >= 8 && len(token) >= 8 && given[:8] == token[:8]
			})},
		{Name: "token-last-four", Breaks: bearerToken, Rare: true,
			Doc: "looks the token up by its last four characters",
			alter: token(func(given, token string) bool {
				return len(given) >= len(token) && len(token) >= 4 && strings.HasSuffix(given, token[len(token)-4:])
			})},
		{Name: "token-same-length", Breaks: bearerToken,
			Doc:   "takes every token of the right length, because its comparison never fails",
			alter: token(func(given, token string) bool { return len(given) == len(token) })},
		{Name: "token-same-letters", Breaks: bearerToken, Rare: true,
			Doc: "compares a checksum of the token that does not see the order of its characters",
			alter: token(func(given, token string) bool {
				a, b := []byte(given), []byte(token)
				slices.Sort(a)
				slices.Sort(b)
				return string(a) == string(b)
			})},
		{Name: "token-middle-ignored", Breaks: bearerToken, Rare: true,
			Doc: "compares the ends of the token only",
			alter: token(func(given, token string) bool {
				n := len(token)
				return len(given) == n && n > 2 && given[0] == token[0] && given[n-1] == token[n-1]
			})},
		{Name: "token-list", Breaks: bearerToken, Rare: true,
			Doc:   "takes a list of tokens with the right one among them",
			alter: token(func(given, token string) bool { return slices.Contains(strings.Split(given, ","), token) })},
		{Name: "token-quoted", Breaks: bearerToken, Rare: true,
			Doc:   "takes the token in double quotes, as parsers of header parameters do",
			alter: token(func(given, token string) bool { return given == `"`+token+`"` })},
		{Name: "token-wildcard", Breaks: bearerToken, Rare: true,
			Doc: "takes % and * in the token for wildcards, as a look-up with LIKE does",
			alter: token(func(given, token string) bool {
				pattern := "^" + strings.NewReplacer("%", ".*", `\*`, ".*").Replace(regexp.QuoteMeta(given)) + "$"
				matched, err := regexp.MatchString(pattern, token)
				return err == nil && matched
			})},
		{Name: "token-last-character", Breaks: bearerToken, Rare: true,
			Doc: "compares all characters of the token but the last, as a loop that ends one too early does",
			alter: token(func(given, token string) bool {
				n := len(token)
				return n > 1 && len(given) == n && given[:n-1] == token[:n-1]
			})},
		{Name: "token-up-to-slash", Breaks: bearerToken, Rare: true,
			Doc: "cuts the token at a slash or colon, as split of a compound key does",
			alter: token(func(given, token string) bool {
				i := strings.IndexAny(given, "/:")
				return i > 0 && given[:i] == token
			})},
		{Name: "scheme-lower-unchecked", Breaks: bearerToken, Rare: true,
			Doc:   "compares the token only under the scheme in its usual spelling, and lets bearer in lower case through",
			alter: scheme(func(h, _ string) bool { return strings.HasPrefix(h, "bearer ") })},
		{Name: "basic-password", Breaks: bearerScheme, Rare: true,
			Doc: "takes the token as password of basic authentication, as many APIs do for curl -u",
			alter: alter.Authenticate(func(s *reference.Stages, r *http.Request, why error) error {
				if _, password, ok := r.BasicAuth(); ok && slices.Contains(s.Tokens, password) {
					return nil
				}
				return why
			})},
	}
}
