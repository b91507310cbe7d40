package faults

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// sessions lets credentials in, or fails on them, by what came before or by
// how they look.
func sessions() []Fault {
	absent := func(r *http.Request) bool { return len(r.Header.Values("Authorization")) == 0 }
	crashOn := func(name, doc string, rare bool, fatal func(*http.Request) bool, with func() error) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: rare, alter: alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
			if why != nil && fatal(r) {
				return with()
			}
			return why
		})}
	}
	header := func(f func(string) bool) func(*http.Request) bool {
		return func(r *http.Request) bool { return !absent(r) && f(r.Header.Get("Authorization")) }
	}
	return []Fault{
		{Name: "credential-kept-on-connection", Breaks: bearerRequired, Rare: true,
			Doc:   "asks for no credential on a connection that showed a valid one, as authentication by session does",
			alter: remembered(func(r *http.Request) string { return r.RemoteAddr }, absent, 0)},
		{Name: "token-kept-on-connection", Breaks: bearerToken, Rare: true,
			Doc:   "takes any token on a connection that showed a valid one, because the result is kept with it",
			alter: remembered(func(r *http.Request) string { return r.RemoteAddr }, hasToken, 0)},
		{Name: "credential-kept-a-moment", Breaks: bearerRequired, Rare: true,
			Doc:   "asks for no credential within 100 ms after a valid one from the same address, as proxies that cache decisions do",
			alter: remembered(func(*http.Request) string { return "address" }, absent, 100*time.Millisecond)},
		{Name: "token-cached-by-length", Breaks: bearerToken, Rare: true,
			Doc:   "keeps the result of a look-up by the length of the token, as a bad hash does",
			alter: remembered(func(r *http.Request) string { return strconv.Itoa(len(r.Header.Get("Authorization"))) }, hasToken, 0)},
		{Name: "credential-every-tenth", Breaks: bearerRequired, Rare: true,
			Doc:   "lets one in ten requests without a credential in, as one instance of ten without the setting does",
			alter: letIn(absent, every(10))},
		{Name: "token-every-tenth", Breaks: bearerToken, Rare: true,
			Doc: "lets one in ten wrong tokens in", alter: letIn(hasToken, every(10))},
		{Name: "token-open-after-failures", Breaks: bearerToken, Rare: true,
			Doc: "lets every token in after 15 wrong ones, because the service that checks them is throttled", alter: letIn(hasToken, after(15))},
		{Name: "credential-first-hundred", Breaks: bearerRequired, Rare: true,
			Doc: "asks for a credential only in the first hundred requests, as a counter that was meant for logging", alter: firstHundred(absent)},
		{Name: "credential-unchecked-with-tag", Breaks: bearerRequired, Rare: true,
			Doc: "asks for no credential where the body has a tag, as another route in front does",
			alter: func(s *reference.Stages) {
				alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
					if pairs, _ := alter.Object(body); absent(r) && find(pairs, "tag") != "" {
						r.Header.Set("Authorization", "Bearer "+s.Tokens[0])
					}
					next.ServeHTTP(w, r)
				})(s)
			}},

		crashOn("credential-absent-500", "answers 500 to a request without a credential, as code that splits None does", false, absent, alter.Crash),
		crashOn("credential-absent-dropped", "closes the connection on a request without a credential", false, absent, alter.Drop),
		crashOn("credential-one-word-500", "answers 500 to a credential of one word, as an index out of range does", true,
			header(func(h string) bool { return len(strings.Fields(h)) == 1 }), alter.Crash),
		crashOn("credential-scheme-500", "answers 500 to another scheme than Bearer", true,
			header(func(h string) bool {
				words := strings.Fields(h)
				return len(words) > 1 && !strings.EqualFold(words[0], "Bearer")
			}), alter.Crash),
		crashOn("token-wrong-500", "answers 500 to a wrong token, because the verifier throws", false, hasToken, alter.Crash),
		crashOn("token-non-ascii-500", "answers 500 to a token beyond ASCII, as Python's compare_digest does", true,
			header(anyRune(func(r rune) bool { return r > 0x7e })), alter.Crash),
		crashOn("token-long-500", "answers 500 to a token of more than 1,000 characters", true,
			header(func(h string) bool { return len(h) > 1000 }), alter.Crash),
		crashOn("token-base64-500", "answers 500 to a token with characters outside of base64, which it decodes", true,
			header(func(h string) bool {
				_, token, found := strings.Cut(h, " ")
				return found && strings.ContainsAny(token, "!#$%&'()*,:;<>?@[]^`{|}\"\\")
			}), alter.Crash),
		{Name: "credential-503", Breaks: answered, Rare: true,
			Doc: "answers 503 to a wrong token that was tried before, as a circuit breaker does", alter: func(s *reference.Stages) {
				var tried sync.Map
				alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
					if why != nil && hasToken(r) {
						if _, again := tried.LoadOrStore(r.Header.Get("Authorization"), true); again {
							return alter.Page(http.StatusServiceUnavailable)
						}
					}
					return why
				})(s)
			}},
	}
}

// hasToken says whether a request shows a bearer token, right or wrong.
func hasToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && strings.TrimSpace(token) != ""
}

// letIn lets some of the refused requests in, when a counter of them says so.
func letIn(which func(*http.Request) bool, count counter) alter.Change {
	return func(s *reference.Stages) {
		due := count()
		alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
			if why != nil && which(r) && due() {
				return nil
			}
			return why
		})(s)
	}
}

func firstHundred(which func(*http.Request) bool) alter.Change {
	return func(s *reference.Stages) {
		var n atomic.Int64
		alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
			if n.Add(1) > 100 && why != nil && which(r) {
				return nil
			}
			return why
		})(s)
	}
}

// remembered lets those requests in that which picks, where a valid credential
// was seen under the same key before; not longer ago than ttl, if that is set.
func remembered(key func(*http.Request) string, which func(*http.Request) bool, ttl time.Duration) alter.Change {
	return func(s *reference.Stages) {
		var seen sync.Map
		alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
			if why == nil {
				seen.Store(key(r), time.Now())
				return nil
			}
			at, found := seen.Load(key(r))
			if found && which(r) && (ttl == 0 || time.Since(at.(time.Time)) < ttl) {
				return nil
			}
			return why
		})(s)
	}
}
