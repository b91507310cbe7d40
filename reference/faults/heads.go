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

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

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
