package faults

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

const validAccepted = "post-plants-valid-accepted"

// unspeakable refuses valid bodies for how they are spelled.
func unspeakable(name, doc string, rare bool, refused func(body []byte) bool) Fault {
	return Fault{Name: name, Breaks: validAccepted, Doc: doc, Rare: rare, alter: alter.Looked(func(b []byte) error {
		if refused(b) {
			return &reference.Refusal{Kind: reference.Syntax, Reason: "the request body is malformed"}
		}
		return nil
	})}
}

// contains says whether a body has one of some texts.
func contains(texts ...string) func([]byte) bool {
	return func(b []byte) bool {
		for _, t := range texts {
			if bytes.Contains(b, []byte(t)) {
				return true
			}
		}
		return false
	}
}

func matches(pattern string) func([]byte) bool { return regexp.MustCompile(pattern).Match }

// before says whether one member stands before another.
func before(first, second string) func([]byte) bool {
	return func(b []byte) bool {
		i, j := bytes.Index(b, []byte(`"`+first+`"`)), bytes.Index(b, []byte(`"`+second+`"`))
		return i >= 0 && j >= 0 && i < j
	}
}

// spelling refuses valid requests for the way they are written.
func spelling() []Fault {
	return []Fault{
		unspeakable("order-id-first", "needs id before name, as streaming readers without look-back do", false, before("name", "id")),
		unspeakable("order-name-first", "needs name before tag, as streaming readers without look-back do", true, before("tag", "name")),
		unspeakable("no-line-breaks", "refuses line breaks in the body, as line-based readers do", false, contains("\n")),
		unspeakable("no-carriage-return", "refuses carriage returns between tokens", true, contains("\r")),
		unspeakable("no-tabs", "refuses tabs between tokens", true, contains("\t")),
		unspeakable("no-leading-space", "refuses white space before the object, because the first byte must be {", true,
			matches(`^[ \t\r\n]+\{`)),
		unspeakable("no-trailing-space", "refuses white space behind the object, because the last byte must be }", true,
			matches(`\}[ \t\r\n]+$`)),
		unspeakable("no-space-before-colon", "refuses white space before a colon", true, matches(`"[ \t\r\n]+:`)),
		unspeakable("no-unicode-escapes", "refuses \\u escapes, as hand-made parsers do", false, matches(`(^|[^\\])(\\\\)*\\u`)),
		unspeakable("no-escaped-slash", "refuses \\/, which is legal and rare", true, matches(`[^\\]\\/`)),
		unspeakable("no-capital-hex", "refuses capital hexadecimal digits in escapes", true, matches(`\\u[0-9a-f]*[A-F]`)),
		unspeakable("no-surrogate-pairs", "refuses characters written as two escapes, because it takes each for a character", true,
			matches(`(?i)\\ud[89ab][0-9a-f]{2}\\ud[c-f]`)),
		unspeakable("no-escaped-member-names", "does not know a member whose name is written with escapes", true,
			matches(`[{,][ \t\r\n]*"[a-z]*\\u[^"]*"[ \t\r\n]*:`)),
	}
}

// moods refuses valid requests for when they come.
func moods() []Fault {
	busy := func(s *reference.Stages) {
		var inside atomic.Int32
		next := s.Decode
		alter.Handler(func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				inside.Add(1)
				defer inside.Add(-1)
				h.ServeHTTP(w, r)
			})
		})(s)
		s.Decode = func(b []byte) (plant, error) {
			p, err := next(b)
			if err == nil {
				pause()
				if inside.Load() > 1 {
					return p, &reference.Refusal{Kind: reference.Internal, Reason: "the database is locked"}
				}
			}
			return p, err
		}
	}
	internally := func(reason string) func() error {
		return func() error { return &reference.Refusal{Kind: reference.Internal, Reason: reason} }
	}
	return []Fault{
		{Name: "refused-every-twentieth", Breaks: validAccepted, Rare: true,
			Doc:   "refuses one valid plant in twenty, as a pool with one broken connection does",
			alter: plantsWhen(every(20), internally("connection is closed"))},
		{Name: "full-after-fifty", Breaks: validAccepted, Rare: true,
			Doc:   "refuses every plant after the first fifty, as a store with a fixed table does",
			alter: plantsWhen(after(50), internally("the store is full"))},
		{Name: "errors-kept", Breaks: validAccepted, Rare: true,
			Doc: "refuses the request behind a refused one on the same connection, because the list of errors is not emptied", alter: errorsKept(func(_ []byte, err error) bool { return err != nil })},
		{Name: "busy-is-refused", Breaks: validAccepted, Rare: true,
			Doc: "refuses plants that come while another is stored, as SQLite without a busy time-out does", alter: busy},
		{Name: "second-on-connection", Breaks: validAccepted, Rare: true,
			Doc:   "refuses the second request on a connection, because it reads with the first one's state",
			alter: perConnection(func(nth int) bool { return nth == 2 })},
		{Name: "thirtieth-on-connection", Breaks: validAccepted, Rare: true,
			Doc:   "refuses the 30th request on a connection instead of closing it",
			alter: perConnection(func(nth int) bool { return nth == 30 })},
		{Name: "charset-required", Breaks: validAccepted,
			Doc: "refuses application/json without a charset parameter",
			alter: func(s *reference.Stages) {
				next := s.Media
				s.Media = func(r *http.Request) error {
					if !strings.Contains(r.Header.Get("Content-Type"), "charset") {
						return &reference.Refusal{Kind: reference.Media, Reason: "the charset is missing"}
					}
					return next(r)
				}
			}},
		{Name: "success-redirect", Breaks: validAccepted,
			Doc: "answers an accepted plant with 303, as forms on web pages do",
			alter: alter.Success(func(_ plant, resp *reference.Response) {
				resp.Status, resp.Header = http.StatusSeeOther, http.Header{"Location": {"/plants"}}
			})},
	}
}

// perConnection refuses valid plants by their number on a connection.
func perConnection(refused func(nth int) bool) alter.Change {
	return func(s *reference.Stages) {
		var mu sync.Mutex
		counts := map[string]int{}
		alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
			mu.Lock()
			counts[r.RemoteAddr]++
			nth := counts[r.RemoteAddr]
			mu.Unlock()
			if _, err := reference.Decode(body); err == nil && refused(nth) && s.Authenticate(r) == nil {
				reference.Send(w, r, s.Refuse(&reference.Refusal{Kind: reference.Internal, Reason: "the request is out of step"}))
				return
			}
			next.ServeHTTP(w, r)
		})(s)
	}
}

// errorsKept refuses the request behind one that failed in some way, on the same
// connection.
func errorsKept(which func(body []byte, err error) bool) alter.Change {
	return func(s *reference.Stages) {
		var mu sync.Mutex
		failed := map[string]bool{}
		alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
			_, err := reference.Decode(body)
			mu.Lock()
			kept := failed[r.RemoteAddr]
			failed[r.RemoteAddr] = which(body, err)
			mu.Unlock()
			if kept && err == nil && s.Authenticate(r) == nil {
				reference.Send(w, r, s.Refuse(alter.Bad("/id", "must be an integer")))
				return
			}
			next.ServeHTTP(w, r)
		})(s)
	}
}

// mapRunes writes the runes that which picks with a format.
func mapRunes(text string, which func(rune) bool, format string) string {
	var out strings.Builder
	for _, r := range text {
		if which(r) {
			fmt.Fprintf(&out, format, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// latin1 writes the characters that Latin-1 has as single bytes.
func latin1(text string) string {
	var out []byte
	for _, r := range text {
		if r > 0x7f && r <= 0xff {
			out = append(out, byte(r))
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// cesu8 writes each half of a surrogate pair as three bytes.
func cesu8(text string) string {
	var out []byte
	for _, r := range text {
		if !beyondBMP(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			out = append(out, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0x3f|0x80, 0x80|byte(u)&0x3f)
		}
	}
	return string(out)
}

// mojibake reads UTF-8 as Latin-1.
func mojibake(text string) string {
	var out strings.Builder
	for i := range len(text) {
		out.WriteRune(rune(text[i]))
	}
	return out.String()
}

// pause is the time that a store takes, in which other requests come in.
func pause() {
	runtime.Gosched()
	time.Sleep(2 * time.Millisecond)
}
