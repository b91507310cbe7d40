package faults

import (
	"net/http"
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
