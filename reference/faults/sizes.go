package faults

import (
	"net/http"
	"net/url"
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
