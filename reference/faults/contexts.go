package faults

import (
	"bytes"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// contexts shows only under another head, beside another member, or behind
// another request than the usual one.
func contexts() []Fault {
	return []Fault{
		{Name: "unchecked-with-charset", Breaks: nameString, Rare: true,
			Doc: "checks the type of the name only where the content type is application/json to the letter",
			alter: where(func(r *http.Request) bool { return strings.Contains(r.Header.Get("Content-Type"), ";") }, func(b []byte) []byte {
				return named(b, func([]alter.Pair, string) string { return `"x"` })
			})},
		{Name: "errors-as-accept-says", Breaks: badMediaType, Rare: true,
			Doc: "writes errors as a page where Accept does not name JSON, as many frameworks do for curl", alter: pages},
		{Name: "id-from-query", Breaks: idRequired, Rare: true,
			Doc: "takes the id from the query where the body has none, as frameworks that merge parameters do",
			alter: alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
				if pairs, ok := alter.Object(body); ok && find(pairs, "id") == "" && r.URL.Query().Get("id") != "" {
					body = alter.Text(append(pairs, alter.Pair{Name: "id", Value: r.URL.Query().Get("id")}))
					r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
				}
				next.ServeHTTP(w, r)
			})},
		{Name: "open-with-query", Breaks: bearerRequired, Rare: true,
			Doc:   "asks for no credential where the path has a query, because the filter compares the whole address",
			alter: letIn(func(r *http.Request) bool { return r.URL.RawQuery != "" }, each)},
		{Name: "open-with-long-body", Breaks: bearerRequired, Also: []string{bearerToken}, Rare: true,
			Doc:   "asks for no credential where the body is longer than 2,000 bytes, because such requests go to another handler",
			alter: letIn(func(r *http.Request) bool { return r.ContentLength > 2000 }, each)},
		{Name: "gateway-user-trusted", Breaks: bearerRequired, Rare: true,
			Doc:   "takes X-Remote-User for somebody whom a gateway let in",
			alter: letIn(func(r *http.Request) bool { return r.Header.Get("X-Remote-User") != "" }, each)},
		{Name: "token-in-query-unchecked", Breaks: bearerRequired, Rare: true,
			Doc:   "takes any access_token in the query for a session of the web page",
			alter: letIn(func(r *http.Request) bool { return r.URL.Query().Has("access_token") }, each)},
		{Name: "probe-without-credential", Breaks: bearerRequired, Also: []string{bearerScheme}, Rare: true,
			Doc: "answers 200 to a request without credential and body, for health checks",
			alter: alter.When(func(r *http.Request, b []byte) bool { return len(b) == 0 && r.Header.Get("Authorization") == "" },
				alter.Give(&alter.Instead{Status: http.StatusOK, Type: "application/json", Body: []byte(`{"name":"up"}`)}))},
		{Name: "unchecked-beside-proto", Breaks: nameString, Rare: true,
			Doc: "checks nothing about the name where __proto__ or constructor stands beside it, as validators of classes do",
			alter: alter.Body(func(b []byte) []byte {
				return named(b, func(all []alter.Pair, _ string) string {
					if find(all, "__proto__")+find(all, "constructor") != "" {
						return `"x"`
					}
					return ""
				})
			})},
		{Name: "null-in-long-body", Breaks: nameString, Rare: true,
			Doc: "takes null for a name in a body above 200 bytes, which a streaming parser reads",
			alter: alter.Body(func(b []byte) []byte {
				return named(b, func(_ []alter.Pair, value string) string {
					if value == "null" && len(b) > 200 {
						return `"x"`
					}
					return ""
				})
			})},
		{Name: "name-long-number", Breaks: nameString, Rare: true,
			Doc: "takes a number of 20 digits for a name, because the parser keeps big numbers as text",
			alter: alter.Body(func(b []byte) []byte {
				return named(b, func(_ []alter.Pair, value string) string {
					if len(value) > 19 && strings.Trim(value, "0123456789") == "" {
						return alter.Quote(value)
					}
					return ""
				})
			})},
		{Name: "name-list-of-characters", Breaks: nameString, Rare: true,
			Doc: "takes a list of character codes for a name, as languages in which text is such a list do",
			alter: alter.Body(func(b []byte) []byte {
				return named(b, func(_ []alter.Pair, value string) string {
					if inner, ok := strings.CutPrefix(value, "["); ok && len(inner) > 1 && strings.Trim(inner, "0123456789, ]") == "" {
						return `"Rose"`
					}
					return ""
				})
			})},
		{Name: "inner-name-wins", Breaks: echoName, Rare: true,
			Doc: "takes the last name at any depth, as event parsers that forget where they are do", alter: innerName},
		{Name: "name-above-255-bytes", Breaks: nameAccepted, Rare: true,
			Doc: "refuses names of more than 255 bytes, however few characters they have",
			alter: alter.Decoded(func(p plant) error {
				if len(p.Name) > 255 {
					return alter.Bad("/name", "is too long")
				}
				return nil
			})},
		{Name: "id-sum-wraps", Breaks: idInt64, Rare: true,
			Doc: "looks for an overflow by comparing each sum with the one before, which misses some", alter: alter.Value("id", wrapped)},
		{Name: "id-exponent-through-double", Breaks: idInt64, Rare: true,
			Doc: "reads ids with an exponent as doubles and takes 2^63 for the largest integer",
			alter: alter.Value("id", func(v string) string {
				if f, err := strconv.ParseFloat(v, 64); err == nil && strings.ContainsAny(v, "eE") && f == math.MaxInt64 {
					return strconv.Itoa(math.MaxInt64)
				}
				return v
			})},
		{Name: "id-within-epsilon", Breaks: idInteger, Rare: true,
			Doc: "takes a number that is whole but for less than the machine's epsilon",
			alter: alter.Value("id", func(v string) string {
				f, err := strconv.ParseFloat(v, 64)
				if near := math.Round(f); err == nil && f != near && math.Abs(f-near) < 0x1p-52 {
					return strconv.FormatFloat(near, 'f', -1, 64)
				}
				return v
			})},
		{Name: "id-reserved-before-check", Breaks: validAccepted, Rare: true,
			Doc: "reserves the id before it checks the rest, so that a corrected request is refused", alter: reserved},
		{Name: "range-error-kept", Breaks: validAccepted, Rare: true,
			Doc: "refuses the request behind an id out of range on the same connection, because errno is not reset", alter: errorsKept(beyondInt64)},
	}
}

// where changes the bodies of some requests.
func where(which func(*http.Request) bool, change func([]byte) []byte) alter.Change {
	return alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
		if which(r) {
			body = change(body)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
		next.ServeHTTP(w, r)
	})
}

// named replaces a name that is no string; "" leaves it.
func named(b []byte, by func(all []alter.Pair, value string) string) []byte {
	pairs, ok := alter.Object(b)
	for i, p := range pairs {
		if _, text := alter.String(p.Value); !ok || text || p.Name != "name" {
			continue
		}
		if v := by(pairs, p.Value); v != "" {
			pairs[i].Value = v
			return alter.Text(pairs)
		}
	}
	return b
}

func pages(s *reference.Stages) {
	alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
		_, err := reference.Decode(body)
		if err == nil || strings.Contains(r.Header.Get("Accept"), "json") || s.Authenticate(r) != nil {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, "<h1>Bad Request</h1>")
	})(s)
}

func innerName(s *reference.Stages) {
	alter.Decode(func(next func([]byte) (plant, error), b []byte) (plant, error) {
		p, err := next(b)
		pairs, _ := alter.Object(b)
		for _, q := range pairs {
			inner, _ := alter.Object([]byte(q.Value))
			if text, ok := alter.String(find(inner, "name")); ok {
				p.Name = text
			}
		}
		return p, err
	})(s)
}

// wrapped is a number of 20 digits as a sum of 64 bits has it.
func wrapped(v string) string {
	var sum uint64
	for _, c := range v {
		next := sum*10 + uint64(c-'0')
		if c < '0' || c > '9' || next < sum {
			return v
		}
		sum = next
	}
	if len(v) < 20 || sum > math.MaxInt64 {
		return v
	}
	return strconv.FormatUint(sum, 10)
}

func reserved(s *reference.Stages) {
	var used sync.Map
	alter.Looked(func(b []byte) error {
		pairs, _ := alter.Object(b)
		if _, taken := used.LoadOrStore(find(pairs, "id"), true); taken && find(pairs, "id") != "" {
			return alter.Bad("/id", "is used by another plant")
		}
		return nil
	})(s)
}

// beyondInt64 tells whether a body has an id of digits that no int64 holds.
func beyondInt64(body []byte, _ error) bool {
	pairs, _ := alter.Object(body)
	id := find(pairs, "id")
	_, err := strconv.ParseInt(id, 10, 64)
	return err != nil && id != "" && strings.Trim(id, "-0123456789") == ""
}

// knowing checks the body of some requests only, and chooses them by something other
// than the body. It passes a suite whose order or values reveal what a request tests.
func knowing() []Fault {
	return []Fault{
		{Name: "name-unchecked-at-first", Breaks: nameString, Rare: true,
			Doc:   "takes a name of any type in the first 250 requests, while the schemas are still being loaded",
			alter: uncheckedWhile(func() func([]byte) bool { due := first(250)(); return func([]byte) bool { return due() } })},
		{Name: "name-unchecked-below-first-id", Breaks: nameString, Rare: true,
			Doc: "takes a name of any type beside an id below the first that came, as plants of the old system have",
			alter: uncheckedWhile(func() func([]byte) bool {
				var minimum atomic.Int64
				return func(b []byte) bool {
					pairs, _ := alter.Object(b)
					id, err := strconv.ParseInt(find(pairs, "id"), 10, 64)
					if err != nil {
						return false
					}
					minimum.CompareAndSwap(0, id)
					return id < minimum.Load()
				}
			})},
	}
}

// uncheckedWhile takes any name in the requests that a counter of each server says.
func uncheckedWhile(count func() func(body []byte) bool) alter.Change {
	return func(s *reference.Stages) {
		due := count()
		alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
			if due(body) {
				body = named(body, func([]alter.Pair, string) string { return `"x"` })
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			}
			next.ServeHTTP(w, r)
		})(s)
	}
}

// orders reads the header fields one by one and decides before all are there.
func orders() []Fault {
	const authorization, contentType, length = "authorization", "content-type", "content-length"
	refused := alter.Give(&alter.Instead{Status: http.StatusBadRequest, Type: "application/json", Body: []byte(`{"error":1,"message":"header fields"}`)})
	return []Fault{
		{Name: "token-any-before-content-type", Breaks: bearerToken, Rare: true,
			Doc: "takes any bearer token where Authorization stands before Content-Type, because the check is chosen by the content type",
			alter: alter.All(alter.KeepOrder, letIn(func(r *http.Request) bool {
				return hasToken(r) && alter.Before(r, authorization, contentType)
			}, each))},
		{Name: "name-unchecked-credential-last", Breaks: nameString, Rare: true,
			Doc: "checks nothing about the name where Authorization stands behind Content-Length, because the body is read before the credential then",
			alter: alter.All(alter.KeepOrder, where(func(r *http.Request) bool { return alter.Before(r, length, authorization) }, func(b []byte) []byte {
				return named(b, func([]alter.Pair, string) string { return `"x"` })
			}))},
		{Name: "length-before-credential-refused", Breaks: validAccepted, Rare: true,
			Doc: "refuses Content-Length before Authorization, as a parser that goes through the head once does",
			alter: alter.All(alter.KeepOrder, alter.When(func(r *http.Request, _ []byte) bool {
				return alter.Before(r, length, authorization)
			}, refused))},
		{Name: "credential-before-length-refused", Breaks: validAccepted,
			Doc: "refuses Authorization before Content-Length, the order in which many clients send them",
			alter: alter.All(alter.KeepOrder, alter.When(func(r *http.Request, _ []byte) bool {
				return alter.Before(r, authorization, length)
			}, refused))},
	}
}
