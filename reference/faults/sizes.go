package faults

import (
	"bytes"
	"io"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// How much of a refused value, or of a body, a message quotes, and what it has room for.
const (
	quotedValue   = 200
	quotedBody    = 64
	messageBuffer = 512
	columnBytes   = 2000
	tableRows     = 32
)

// sizes stumbles over sizes at which a buffer, a table or a count is just full.
func sizes() []Fault {
	fails := func(name, doc string, which func(pairs []alter.Pair) bool) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true, alter: alter.Looked(func(b []byte) error {
			if pairs, _ := alter.Object(b); which(pairs) {
				return alter.Crash()
			}
			return nil
		})}
	}
	unknown := func(which func(alter.Pair) bool) func([]alter.Pair) bool {
		return func(pairs []alter.Pair) bool {
			for _, p := range pairs {
				if p.Name != "id" && p.Name != "name" && p.Name != "tag" && which(p) {
					return true
				}
			}
			return false
		}
	}
	head := func(name, doc string, which func(*http.Request) bool) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true,
			alter: alter.When(func(r *http.Request, _ []byte) bool { return which(r) }, alter.Give(alter.Page(http.StatusInternalServerError)))}
	}
	return []Fault{
		fails("member-name-256-500", "answers 500 to a member name of exactly 256 bytes, because its buffer has no room for the closing zero",
			unknown(func(p alter.Pair) bool { return len(p.Name) == 256 })),
		fails("full-table-500", "answers 500 to an object of exactly 128 members, because its table is full and has no free place to end a search at",
			func(pairs []alter.Pair) bool { return len(pairs) == 128 }),
		fails("items-256-500", "answers 500 to a list of exactly 256 items, because it counts them in one byte",
			unknown(func(p alter.Pair) bool { return p.Value[0] == '[' && strings.Count(p.Value, ",") == 255 })),
		fails("unknown-wide-text-500", "answers 500 to more than 2000 bytes beyond ASCII in a member that it does not know, because the log counts bytes for characters",
			unknown(func(p alter.Pair) bool {
				return p.Value[0] == '"' && len(p.Value)-utf8.RuneCountInString(p.Value) > columnBytes
			})),

		refusesWith("message-half-character", badJSON, "quotes the first 200 bytes of a refused value in its message, with half a character at the end", reference.Type,
			func(b []byte, why *reference.Refusal) string { return errorOf(cutBytes(found(b, why.At), quotedValue)) }),
		refusesWith("message-beyond-buffer", badJSON, "writes an Error that quotes a text into 512 bytes and sends what fits", reference.Type,
			func(b []byte, why *reference.Refusal) string {
				if v := found(b, why.At); strings.HasPrefix(v, `"`) {
					return cutBytes(errorOf(v), messageBuffer)
				}
				return ""
			}),
		refusesWith("excerpt-half-character", badJSON, "quotes the first 64 bytes of a body that is not JSON, with half a character at the end", reference.Syntax,
			func(b []byte, _ *reference.Refusal) string {
				if !utf8.Valid(b) {
					return ""
				}
				return errorOf(cutBytes(string(b), quotedBody))
			}),
		{Name: "long-wrong-value-500", Breaks: answered, Rare: true, Doc: "answers 500 to a text above 4000 bytes where another type belongs, because the table of errors cannot hold it",
			alter: alter.Undecoded(func(b []byte, why *reference.Refusal) (plant, error) {
				if v := found(b, why.At); why.Kind == reference.Type && len(v) > 2*columnBytes && strings.Contains(v, `"`) {
					return plant{}, alter.Crash()
				}
				return plant{}, why
			})},

		head("user-agent-500", "answers 500 to a User-Agent above 255 bytes, as a log in VARCHAR(255) does", func(r *http.Request) bool { return len(r.UserAgent()) > 255 }),
		head("referer-500", "answers 500 to a Referer above 1024 bytes, as a log with such a column does", func(r *http.Request) bool { return len(r.Referer()) > 1024 }),
		head("languages-500", "answers 500 to a list of more than 64 languages", func(r *http.Request) bool { return strings.Count(r.Header.Get("Accept-Language"), ",") > 64 }),
		{Name: "line-of-1024-dropped", Breaks: answered, Rare: true, Doc: "closes the connection on a header line of exactly 1024 bytes, because it waits for its end in the next block",
			alter: alter.When(func(r *http.Request, _ []byte) bool {
				for name, values := range r.Header {
					if name != "Authorization" && len(name)+len(": ")+len(values[0]) == 1024 {
						return true
					}
				}
				return false
			}, alter.Leave)},
		head("query-cut-500", "answers 500 where the 512 bytes of a query that it logs end inside an escape", func(r *http.Request) bool {
			_, all := url.QueryUnescape(r.URL.RawQuery)
			_, cut := url.QueryUnescape(cutBytes(r.URL.RawQuery, 512))
			return all == nil && cut != nil
		}),
		{Name: "token-length-in-a-byte", Breaks: bearerToken, Rare: true, Doc: "takes a token of 256 bytes, because it keeps the length in one byte and compares none",
			alter: alter.Credentials(func(headers []string, _ string) bool {
				return len(headers) == 1 && strings.HasPrefix(headers[0], "Bearer ") && len(headers[0])-len("Bearer ") == 256
			})},
		{Name: "members-first-32", Breaks: echoTag, Rare: true, Doc: "reads the first 32 members of an object, because its table has no more rows",
			alter: alter.Members(func(pairs []alter.Pair) []alter.Pair { return pairs[:min(len(pairs), tableRows)] })},
	}
}

// found is the value of the member that a refusal is about, or the body.
func found(b []byte, at string) string {
	if pairs, ok := alter.Object(b, jsontext.AllowDuplicateNames(true)); ok && at != "" {
		return find(pairs, strings.TrimPrefix(at, "/"))
	}
	return string(b)
}

// errorOf is an Error with a message that quotes a text byte by byte.
func errorOf(text string) string {
	plain := []byte(text)
	for i, c := range plain {
		if c < ' ' || c == '"' || c == '\\' {
			plain[i] = '?'
		}
	}
	return `{"error":400,"message":"got ` + string(plain) + `"}`
}

func cutBytes(text string, n int) string { return text[:min(n, len(text))] }

// refusesWith answers some refusals with a body of its own, if it is not empty.
func refusesWith(name, breaks, doc string, kind reference.Kind, body func([]byte, *reference.Refusal) string) Fault {
	return Fault{Name: name, Breaks: breaks, Doc: doc, Rare: true, alter: alter.Undecoded(func(b []byte, why *reference.Refusal) (plant, error) {
		if why.Kind == kind {
			if text := body(b, why); text != "" {
				return plant{}, &alter.Instead{Status: http.StatusBadRequest, Type: reference.JSON, Body: []byte(text)}
			}
		}
		return plant{}, why
	})}
}

// longQuery is how much of a query a careless server has room for.
const longQuery = 1 << 10

// heads stumbles over a field of the head, or over the query, that it reads although
// nothing asks it to.
func heads() []Fault {
	page := alter.Give(alter.Page(http.StatusInternalServerError))
	field := func(name, doc, header string, which func(string) bool, with http.HandlerFunc) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true, alter: alter.When(func(r *http.Request, _ []byte) bool {
			v, sent := r.Header[http.CanonicalHeaderKey(header)]
			return sent && which(v[0])
		}, with)}
	}
	query := func(name, doc string, which func(string) bool) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true,
			alter: alter.When(func(r *http.Request, _ []byte) bool { return which(r.URL.RawQuery) }, page)}
	}
	openQuote := func(v string) bool { return strings.Count(v, `"`)%2 != 0 }
	noTime := func(v string) bool { _, err := http.ParseTime(v); return err != nil }
	badEscape := func(v string) bool { _, err := url.PathUnescape(v); return err != nil }
	return []Fault{
		{Name: "blank-behind-colon", Breaks: "post-plants-valid-accepted", Rare: true, Doc: "splits the lines of the head at a colon and a blank, and passes over a line that has no blank there",
			alter: alter.Heads(func(head string) string {
				lines := strings.Split(head, "\r\n")
				return strings.Join(append(lines[:1], slices.DeleteFunc(lines[1:], func(line string) bool {
					return !strings.Contains(line, ": ") && strings.HasPrefix(strings.ToLower(line), "authorization:")
				})...), "\r\n")
			})},
		field("if-match-500", "answers 500 to an entity tag that does not end", "If-Match", openQuote, page),
		field("unmodified-since-dropped", "closes the connection where a condition has a date that is none", "If-Unmodified-Since",
			noTime, alter.Leave),
		field("date-500", "answers 500 to a Date that is none, as code that checks how old a request is does", "Date", noTime, page),
		field("from-500", "answers 500 to a From without an address", "From", func(v string) bool { _, err := mail.ParseAddress(v); return err != nil }, page),
		field("depth-500", "answers 500 to a Depth that is no number", "Depth", func(v string) bool { _, err := strconv.Atoi(v); return err != nil }, page),
		field("forwarded-500", "answers 500 to a Forwarded field with a quote that does not end", "Forwarded", openQuote, page),
		field("max-forwards-hangs", "never answers a request that may not be forwarded, as a proxy that drops it does", "Max-Forwards", func(v string) bool { return v == "0" }, alter.Hang),
		field("cookie-escape-500", "answers 500 to a cookie with a bad escape, as decodeURIComponent does", "Cookie", badEscape, page),
		field("client-hints-500", "answers 500 to client hints with a quote that does not end", "Sec-CH-UA", openQuote, page),
		{Name: "soap-xml", Breaks: "post-plants-200-media-type", Doc: "answers XML to a request with SOAPAction", Rare: true,
			alter: func(s *reference.Stages) {
				next := s.Send
				s.Send = func(w http.ResponseWriter, r *http.Request, resp reference.Response) {
					if _, soap := r.Header["Soapaction"]; soap && resp.Status == http.StatusOK {
						resp.Type, resp.Body = "text/xml", []byte("<plant/>")
					}
					next(w, r, resp)
				}
			}},
		{Name: "partial-content", Breaks: okStatus, Doc: "answers 206 to a request with Range, although only GET has ranges (RFC 9110, 14.2)", Rare: true,
			alter: func(s *reference.Stages) {
				next := s.Send
				s.Send = func(w http.ResponseWriter, r *http.Request, resp reference.Response) {
					if r.Header.Get("Range") != "" && resp.Status == http.StatusOK {
						resp.Status = http.StatusPartialContent
					}
					next(w, r, resp)
				}
			}},
		field("language-weight-500", "answers 500 to a language whose weight is no number", "Accept-Language", func(v string) bool {
			_, weight, weighed := strings.Cut(v, ";q=")
			_, err := strconv.ParseFloat(weight, 64)
			return weighed && err != nil
		}, page),
		{Name: "charset-as-asked", Breaks: "post-plants-200-json", Doc: "answers in ISO 8859-1 if Accept-Charset asks for it, with question marks for all other characters", Rare: true,
			alter: func(s *reference.Stages) {
				next := s.Send
				s.Send = func(w http.ResponseWriter, r *http.Request, resp reference.Response) {
					if strings.Contains(r.Header.Get("Accept-Charset"), "8859-1") && resp.Status == http.StatusOK {
						resp.Body = latin(resp.Body)
					}
					next(w, r, resp)
				}
			}},
		{Name: "query-over-body", Breaks: "echo-name", Doc: "takes the name from the query if it has one, as code that binds query and body at once does", Rare: true,
			alter: alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
				if name := r.URL.Query().Get("name"); name != "" {
					if pairs, ok := alter.Object(body); ok {
						for i := range pairs {
							if pairs[i].Name == "name" {
								pairs[i].Value = alter.Quote(name)
							}
						}
						body = alter.Text(pairs)
						r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
					}
				}
				next.ServeHTTP(w, r)
			})},
		query("long-query-500", "answers 500 to a query above 1 KiB", func(q string) bool { return len(q) > longQuery }),
		query("query-utf8-500", "answers 500 to an escaped byte that is no UTF-8, as strict decoders do", func(q string) bool { return strings.Contains(strings.ToUpper(q), "%FF") }),
		query("bare-query-500", "answers 500 to a part of a query without =, as code that splits there does", func(q string) bool {
			for _, part := range strings.Split(q, "&") {
				if q != "" && part != "" && !strings.Contains(part, "=") {
					return true
				}
			}
			return false
		}),
		query("many-parameters-500", "answers 500 to more than 255 parameters", func(q string) bool { return strings.Count(q, "&") >= 255 && strings.Contains(q, "=") }),
	}
}

// latin writes a text in ISO 8859-1.
func latin(text []byte) []byte {
	var out []byte
	for _, r := range string(text) {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}
