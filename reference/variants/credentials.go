package variants

import (
	"math/big"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// challenge is what a 401 carries (RFC 9110, 15.5.2).
func challenge() http.Header { return http.Header{"Www-Authenticate": {`Bearer realm="plants"`}} }

// refusedWith answers refused credentials with a status and an Error.
func refusedWith(status func(*http.Request) int, header http.Header) alter.Change {
	return alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
		if why == nil {
			return nil
		}
		resp := reference.RefuseWith(status(r), why)
		resp.Header = header
		return (*alter.Instead)(&resp)
	})
}

func always(status int) func(*http.Request) int { return func(*http.Request) int { return status } }

// refusedAs answers refused credentials with a response that is no Error.
func refusedAs(resp reference.Response) alter.Change {
	return alter.Authenticate(func(_ *reference.Stages, _ *http.Request, why error) error {
		if why == nil {
			return nil
		}
		return (*alter.Instead)(&resp)
	})
}

// stricter refuses some of the credentials that the reference takes.
func stricter(refused func(header, token string) bool) alter.Change {
	return alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if why == nil && refused(scheme, token) {
			return &reference.Refusal{Kind: reference.Credential, Reason: "the Authorization header is malformed"}
		}
		return why
	})
}

// lockOut answers 429 to wrong credentials behind the first few, and never to the
// valid one.
func lockOut(s *reference.Stages) {
	var wrong atomic.Int64
	resp := reference.Response{Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"60"}}}
	alter.Authenticate(func(_ *reference.Stages, _ *http.Request, why error) error {
		if why != nil && wrong.Add(1) > 10 {
			return (*alter.Instead)(&resp)
		}
		return why
	})(s)
}

// credentials refuse in another way, or at another time.
func credentials() []Variant {
	return []Variant{
		{Name: "wrong-tokens-throttled", Doc: "answers 429 and a minute of Retry-After to wrong credentials behind the first ten, as login throttles do", alter: lockOut},
		{Name: "unauthorized-challenge", Doc: "refuses credentials with 401, WWW-Authenticate and an Error",
			alter: refusedWith(always(http.StatusUnauthorized), challenge())},
		{Name: "unauthorized-empty", Doc: "refuses credentials with 401, WWW-Authenticate and no body",
			alter: refusedAs(reference.Response{Status: http.StatusUnauthorized, Header: challenge()})},
		{Name: "unauthorized-text", Doc: "refuses credentials with 401, WWW-Authenticate and plain text",
			alter: refusedAs(reference.Response{Status: http.StatusUnauthorized, Header: challenge(), Type: "text/plain", Body: []byte("no\n")})},
		{Name: "unauthorized-bare", Doc: "refuses credentials with 401 and without a challenge, as many frameworks do",
			Warns: []string{"bearer-challenge"}, alter: refusedWith(always(http.StatusUnauthorized), nil)},
		{Name: "unauthorized-then-forbidden", Doc: "answers 401 with a challenge where no credential came and 403 where it is wrong",
			alter: refusedWith(func(r *http.Request) int {
				if r.Header.Get("Authorization") == "" {
					return http.StatusUnauthorized
				}
				return http.StatusForbidden
			}, challenge())},
		{Name: "forbidden", Doc: "refuses every credential with 403, an absent one too, as Spring and FastAPI did",
			Warns: []string{"bearer-challenge"}, alter: refusedWith(always(http.StatusForbidden), nil)},
		{Name: "hidden", Doc: "answers 404 in HTML to those without a valid credential, as GitHub does",
			Warns: []string{"bearer-challenge"}, alter: refusedAs(reference.Response(*alter.Page(http.StatusNotFound)))},
		{Name: "scheme-case-sensitive", Doc: "takes the scheme only as Bearer, as a test with startsWith does",
			Warns: []string{"bearer-scheme-case"}, alter: stricter(func(scheme, _ string) bool { return scheme != "Bearer" })},
		{Name: "one-blank", Doc: "takes exactly one blank behind the scheme",
			Warns: []string{"bearer-scheme-blanks"}, alter: stricter(func(_, token string) bool { return strings.HasPrefix(token, " ") })},
		{Name: "fields-decoded", Doc: "decodes percent escapes in every header field, as cpp-httplib does", alter: alter.Requests(fieldsDecoded)},
		{Name: "validation-first", Doc: "checks the body before the credential, as frameworks that bind arguments first do",
			alter: validationFirst},
	}
}

// fieldsDecoded serves a request whose fields have no percent escapes left.
func fieldsDecoded(w http.ResponseWriter, r *http.Request, _ []byte, next http.Handler) {
	for _, values := range r.Header {
		for i, v := range values {
			if plain, err := url.PathUnescape(v); err == nil {
				values[i] = plain
			}
		}
	}
	next.ServeHTTP(w, r)
}

// validationFirst moves the check of the credential behind the decoding: the
// request is let through, and an accepted body meets the refusal then.
func validationFirst(s *reference.Stages) {
	s.Wrap = func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.Send(w, r, lateCredential(s, w, r))
		})
	}
}

func lateCredential(s *reference.Stages, w http.ResponseWriter, r *http.Request) reference.Response {
	body, err := s.Read(w, r)
	if err != nil {
		return s.Refuse(err)
	}
	plant, err := s.Decode(body)
	if err != nil {
		return s.Refuse(err)
	}
	if err := s.Authenticate(r); err != nil {
		return s.Refuse(err)
	}
	if err := s.Append(r.Context(), plant); err != nil {
		return s.Refuse(err)
	}
	return s.Answer(plant)
}

// repeated drops all but the last, or all but the first, of the members of one
// name.
func repeated(last bool) func([]byte) []byte {
	return func(b []byte) []byte {
		if jsontext.Value(b).IsValid() || !jsontext.Value(b).IsValid(jsontext.AllowDuplicateNames(true)) {
			return b
		}
		pairs, ok := alter.Object(b, jsontext.AllowDuplicateNames(true))
		if !ok {
			return b
		}
		var kept []alter.Pair
		at := map[string]int{}
		for _, p := range pairs {
			// A nested object with repeated names is taken for any value.
			if !jsontext.Value(p.Value).IsValid() {
				p.Value = "{}"
			}
			i, again := at[p.Name]
			switch {
			case !again:
				at[p.Name] = len(kept)
				kept = append(kept, p)
			case last:
				kept[i] = p
			}
		}
		return alter.Text(kept)
	}
}

var number = regexp.MustCompile(`^-?[0-9]`)

// roundedAway drops a fraction that a double cannot hold.
func roundedAway(v string) string {
	if !number.MatchString(v) || len(v) > 100 {
		return v
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || f > 1e15 || f < -1e15 || f != float64(int64(f)) {
		return v
	}
	if exact, ok := new(big.Rat).SetString(v); !ok || exact.IsInt() {
		return v
	}
	return strconv.FormatInt(int64(f), 10)
}
