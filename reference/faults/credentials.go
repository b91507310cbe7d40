package faults

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

const (
	bearerRequired = "bearer-required"
	bearerScheme   = "bearer-scheme"
	bearerToken    = "bearer-token"
	bearerRefusal  = "bearer-refusal"
	answered       = "post-plants-answered"
)

// scheme lets a request in by its one Authorization header.
func scheme(f func(header, token string) bool) alter.Change {
	return alter.Credentials(func(headers []string, token string) bool {
		return len(headers) == 1 && f(headers[0], token)
	})
}

// credentials lets in what is not the right bearer token, whatever came before.
func credentials() []Fault {
	return slices.Concat(schemes(), tokens(), unasked())
}

// schemes lets the right token in under another scheme, or anything at all.
func schemes() []Fault {
	return []Fault{
		{Name: "no-authentication", Breaks: bearerRequired, Also: []string{bearerScheme, bearerToken},
			Doc:   "never looks at the credential, as a server whose middleware was not mounted",
			alter: alter.Credentials(func([]string, string) bool { return true })},
		{Name: "credential-optional", Breaks: bearerRequired,
			Doc:   "checks a credential only where there is one, as frameworks with optional authentication do",
			alter: alter.Credentials(func(headers []string, _ string) bool { return len(headers) == 0 })},
		{Name: "scheme-any", Breaks: bearerScheme,
			Doc: "takes the token under any scheme, because it drops the first word of the header",
			alter: scheme(func(h, token string) bool {
				_, given, found := strings.Cut(h, " ")
				return found && given == token
			})},
		{Name: "scheme-basic", Breaks: bearerScheme, Rare: true,
			Doc:   "takes the token under Basic as well as under Bearer",
			alter: scheme(func(h, token string) bool { return h == "Basic "+token })},
		{Name: "scheme-token", Breaks: bearerScheme, Rare: true,
			Doc:   "takes the token under the scheme Token as well, as Django REST framework spells it",
			alter: scheme(func(h, token string) bool { return strings.EqualFold(h, "Token "+token) })},
		{Name: "scheme-missing", Breaks: bearerScheme,
			Doc:   "takes the bare token, because it only strips a prefix that may be there",
			alter: scheme(func(h, token string) bool { return h == token })},
		{Name: "scheme-run-together", Breaks: bearerScheme,
			Doc:   "takes BearerTOKEN, because it cuts six characters off and trims",
			alter: scheme(func(h, token string) bool { return h == "Bearer"+token })},
		{Name: "scheme-seven-characters", Breaks: bearerScheme, Rare: true,
			Doc:   "cuts seven characters off without looking at them",
			alter: scheme(func(h, token string) bool { return len(h) > 7 && h[7:] == token })},
		{Name: "scheme-prefix", Breaks: bearerScheme, Rare: true,
			Doc: "takes any scheme that starts with Bearer, as a test with startsWith does",
			alter: scheme(func(h, token string) bool {
				name, given, _ := strings.Cut(h, " ")
				return strings.HasPrefix(strings.ToLower(name), "bearer") && given == token
			})},
		{Name: "scheme-suffix", Breaks: bearerScheme, Rare: true,
			Doc: "takes any scheme that ends in Bearer, because it splits the header at \"Bearer \"",
			alter: scheme(func(h, token string) bool {
				_, given, found := strings.Cut(h, "Bearer ")
				return found && given == token
			})},
	}
}

// unasked never asks some clients for a credential, or refuses one in its own way.
func unasked() []Fault {
	return []Fault{
		{Name: "absent-from-localhost", Breaks: bearerRequired, Rare: true,
			Doc:   "lets requests in that X-Forwarded-For says to be local",
			alter: letIn(func(r *http.Request) bool { return r.Header.Get("X-Forwarded-For") == "127.0.0.1" }, each)},
		{Name: "absent-for-browsers", Breaks: bearerRequired, Rare: true,
			Doc:   "looks for credentials only where JSON is asked for, because pages have a session",
			alter: letIn(func(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }, each)},
		{Name: "absent-chunked", Breaks: bearerRequired, Rare: true,
			Doc:   "lets chunked requests past the filter that checks credentials",
			alter: letIn(func(r *http.Request) bool { return len(r.TransferEncoding) > 0 }, each)},
		{Name: "absent-encoded-path", Breaks: bearerRequired, Rare: true,
			Doc:   "lets a path with a percent-encoded letter past the filter that checks credentials, and its router decodes the path",
			alter: letIn(func(r *http.Request) bool { return strings.Contains(r.RequestURI, "%") }, each)},
		{Name: "absent-slash-behind", Breaks: bearerRequired, Rare: true,
			Doc:   "lets /plants/ past the filter that checks the credentials of /plants, and its router ignores the slash",
			alter: otherPath(func(path string) bool { return path == "/plants/" })},
		{Name: "absent-slashes-before", Breaks: bearerRequired, Rare: true,
			Doc:   "lets //plants past the filter that checks the credentials of /plants, and its router cleans the path",
			alter: otherPath(func(path string) bool { return path == "//plants" || path == "/./plants" })},
		{Name: "absent-upper-case-path", Breaks: bearerRequired, Rare: true,
			Doc:   "lets /PLANTS past the filter that checks the credentials of /plants, and its router ignores case",
			alter: otherPath(func(path string) bool { return path != "/plants" && strings.EqualFold(path, "/plants") })},
		{Name: "absent-semicolon-path", Breaks: bearerRequired, Rare: true,
			Doc:   "lets a path with a parameter past the filter that checks credentials, and its router drops what follows the semicolon",
			alter: otherPath(func(path string) bool { return strings.HasPrefix(path, "/plants;") })},
		{Name: "credential-redirect", Breaks: bearerRefusal,
			Doc:   "redirects a request without a valid credential to a login page, as web frameworks do",
			alter: refusedCredential(login)},
		{Name: "browser-redirect", Breaks: bearerRefusal, Rare: true,
			Doc: "redirects to a login page only where HTML is asked for, as Spring Security, Laravel and Django do",
			alter: alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
				if why != nil && strings.Contains(r.Header.Get("Accept"), "text/html") {
					return login()
				}
				return why
			})},
		{Name: "absent-redirect", Breaks: bearerRefusal, Rare: true,
			Doc: "redirects to a login page only where there is no credential at all",
			alter: alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
				if why != nil && len(r.Header.Values("Authorization")) == 0 {
					return login()
				}
				return why
			})},
	}
}

// refusedCredential answers refused credentials in another way.
func refusedCredential(with func() error) alter.Change {
	return alter.Authenticate(func(_ *reference.Stages, _ *http.Request, why error) error {
		if why != nil {
			return with()
		}
		return nil
	})
}

func login() error {
	page := alter.Page(http.StatusFound)
	page.Header = http.Header{"Location": {"/login?next=%2Fplants"}}
	return page
}

// otherPath takes some paths for /plants, and lets in who uses them.
func otherPath(which func(path string) bool) alter.Change {
	sent := func(r *http.Request) bool {
		path, _, _ := strings.Cut(r.RequestURI, "?")
		return which(path)
	}
	return alter.All(letIn(sent, each), alter.Handler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if sent(r) {
				r.URL.Path = "/plants"
			}
			next.ServeHTTP(w, r)
		})
	}))
}

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

// comparisons lets in a token that only looks like the right one to a careless
// comparison.
func comparisons() []Fault {
	alike := func(of func(string) uint32) func(given, token string) bool {
		return func(given, token string) bool { return of(given) == of(token) }
	}
	hash := func(by uint32) func(string) uint32 {
		return func(s string) (h uint32) {
			for i := range len(s) {
				h = h*by + uint32(s[i])
			}
			return h
		}
	}
	xor := func(s string) (x uint32) {
		for i := range len(s) {
			x ^= uint32(s[i])
		}
		return x + uint32(len(s))<<8
	}
	return []Fault{
		{Name: "token-same-hash", Breaks: bearerToken, Rare: true,
			Doc: "compares the hash that Java makes of the token", alter: token(alike(hash(31)))},
		{Name: "token-same-djb-hash", Breaks: bearerToken, Rare: true,
			Doc: "compares the hash of Bernstein of the token", alter: token(alike(hash(33)))},
		{Name: "token-same-sum", Breaks: bearerToken, Rare: true,
			Doc: "compares the sum of the bytes of the token", alter: token(alike(hash(1)))},
		{Name: "token-same-xor", Breaks: bearerToken, Rare: true,
			Doc: "compares length and xor of the bytes of the token, as a constant-time loop with a mistake does", alter: token(alike(xor))},
		{Name: "token-as-pattern", Breaks: bearerToken, Rare: true,
			Doc: "takes the given token for a regular expression that the right one matches",
			alter: token(func(given, token string) bool {
				re, err := regexp.Compile("^(?:" + given + ")$")
				return err == nil && given != "" && re.MatchString(token)
			})},
		{Name: "token-as-wildcard", Breaks: bearerToken, Rare: true,
			Doc: "takes the given token for a pattern with wildcards, as LIKE does",
			alter: token(func(given, token string) bool {
				matched, err := path.Match(given, token)
				return err == nil && matched
			})},
		{Name: "token-digest", Breaks: bearerToken, Rare: true,
			Doc: "takes the stored digest of the token for the token",
			alter: token(func(given, token string) bool {
				sum := sha256.Sum256([]byte(token))
				return given == token || strings.EqualFold(given, hex.EncodeToString(sum[:]))
			})},
		{Name: "token-second-half", Breaks: bearerToken, Rare: true,
			Doc: "compares the length and the second half of the token",
			alter: token(func(given, token string) bool {
				return len(given) == len(token) && given[len(given)/2:] == token[len(token)/2:]
			})},
	}
}
