package faults

import (
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// framings fails on versions of HTTP and on how the bytes of requests are cut into
// messages.
func framings() []Fault {
	old := func(r *http.Request) bool { return r.ProtoMajor == 1 && r.ProtoMinor == 0 }
	return []Fault{
		{Name: "http-10-dropped", Breaks: answered, Rare: true, Doc: "closes the connection on a request of HTTP/1.0 that asks to keep it",
			alter: alter.When(func(r *http.Request, _ []byte) bool { return old(r) && !r.Close }, alter.Leave)},
		{Name: "http-10-unchecked", Breaks: bearerRequired, Rare: true, Doc: "asks for no credential in HTTP/1.0, which the health checks of load balancers speak",
			alter: letIn(func(r *http.Request) bool { return old(r) && len(r.Header.Values("Authorization")) == 0 }, every(1))},

		{Name: "negative-length-dies", Breaks: answered, Rare: true, Doc: "never answers again after a negative Content-Length, as a worker that takes so much memory does", alter: diesOf(func(r *alter.Request) bool {
			return slices.ContainsFunc(r.Values("Content-Length"), func(v string) bool { return strings.HasPrefix(v, "-") })
		})},
		{Name: "length-ignored", Breaks: bodyJSON, Also: []string{validAccepted}, Rare: true, Doc: "takes what came for the body where that is more than Content-Length says, as code that reads what is there does", alter: alter.Segments(func(b []byte) []byte {
			r, ok := alter.Whole(b)
			if list := r.Values("Content-Length"); ok && len(list) == 1 {
				if n, err := strconv.Atoi(list[0]); err == nil && n >= 0 && n < len(r.After) {
					r.Set("Content-Length", strconv.Itoa(len(r.After)))
					return r.Bytes()
				}
			}
			return b
		})},

		together("pipelined-swapped", echoName, "answers the first two of more than three requests in one piece in the opposite order, as handlers that run at the same time do",
			func(list []alter.Request) []alter.Request {
				if len(list) > 3 {
					list[0], list[1] = list[1], list[0]
				}
				return list
			}),
		together("pipelined-swallowed", answered, "reads one request and forgets what came in the same piece behind it",
			func(list []alter.Request) []alter.Request { return list[:1] }),
		together("pipelined-unchecked", bearerRequired, "asks for no credential behind a valid one in the same piece", func(list []alter.Request) []alter.Request {
			first := list[0].Values("Authorization")
			for i := range list[1:] {
				if r := &list[i+1]; len(first) > 0 && len(r.Values("Authorization")) == 0 {
					r.Set("Authorization", first[0])
				}
			}
			return list
		}),

		{Name: "patience-short", Breaks: validAccepted, Rare: true, Doc: "waits 50 ms for the rest of a body and then takes what came for all of it", alter: impatient},
		{Name: "body-in-four-parts", Breaks: validAccepted, Rare: true, Doc: "reads four parts of a body and takes them for all of it, as a loop with a bound does", alter: fourParts},
		{Name: "characters-by-piece", Breaks: validAccepted, Rare: true, Doc: "refuses a body whose pieces end inside a character, because each piece is decoded by itself", alter: byPiece},
		{Name: "line-end-apart", Breaks: answered, Rare: true, Doc: "closes the connection where CR and LF do not come together, as parsers that look for both at once do", alter: alter.Segments(func(b []byte) []byte {
			if b[0] == '\n' {
				return nil
			}
			return b
		})},
		{Name: "half-closed-500", Breaks: answered, Rare: true, Doc: "answers 500 where the client has ended its half of the connection, because the request counts as cancelled",
			alter: alter.When(func(r *http.Request, _ []byte) bool { return alter.Left(r) }, alter.Give(alter.Page(http.StatusInternalServerError)))},
	}
}

// impatient reads a body for so long.
func impatient(s *reference.Stages) {
	s.Read = func(w http.ResponseWriter, r *http.Request) ([]byte, error) {
		wait := http.NewResponseController(w)
		_ = wait.SetReadDeadline(time.Now().Add(50 * time.Millisecond)) // fails on a closed connection, which the reading shows
		b, err := io.ReadAll(io.LimitReader(r.Body, reference.MaxBody+1))
		_ = wait.SetReadDeadline(time.Time{})
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = nil
		}
		return b, err
	}
}

// fourParts reads a body as it comes, so often.
func fourParts(s *reference.Stages) {
	s.Read = func(_ http.ResponseWriter, r *http.Request) ([]byte, error) {
		var b []byte
		part := make([]byte, reference.MaxBody+1)
		for range 4 {
			n, err := r.Body.Read(part)
			b = append(b, part[:n]...)
			if err != nil {
				break // the end, or a client that left
			}
		}
		return b, nil
	}
}

// byPiece reads a body as it comes and decodes each piece.
func byPiece(s *reference.Stages) {
	s.Read = func(_ http.ResponseWriter, r *http.Request) ([]byte, error) {
		var b []byte
		part := make([]byte, reference.MaxBody+1)
		for {
			n, err := r.Body.Read(part)
			if b = append(b, part[:n]...); !utf8.Valid(part[:n]) {
				return append(b, 0xff), nil
			}
			if err != nil {
				return b, nil // the end, or a client that left
			}
		}
	}
}

// together changes several requests that came in one piece.
func together(name, breaks, doc string, change func([]alter.Request) []alter.Request) Fault {
	return Fault{Name: name, Breaks: breaks, Doc: doc, Rare: true, alter: alter.Segments(func(b []byte) []byte {
		if list, ok := alter.Split(b); ok && len(list) > 1 {
			return alter.Join(change(list))
		}
		return b
	})}
}

// diesOf closes every connection without an answer from the first such request on.
func diesOf(which func(*alter.Request) bool) alter.Change {
	return func(s *reference.Stages) {
		var dead atomic.Bool
		alter.Segments(func(b []byte) []byte {
			if r, ok := alter.Whole(b); ok && which(&r) {
				dead.Store(true)
			}
			if dead.Load() {
				return nil
			}
			return b
		})(s)
	}
}
