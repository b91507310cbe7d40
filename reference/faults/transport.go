package faults

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// transport fails on how a request is sent.
func transport() []Fault {
	fails := func(name, doc string, which func(*http.Request, []byte) bool, with http.HandlerFunc) Fault {
		return Fault{Name: name, Breaks: answered, Doc: doc, Rare: true, alter: alter.When(which, with)}
	}
	page := alter.Give(alter.Page(http.StatusInternalServerError))
	chunked := func(r *http.Request, _ []byte) bool { return len(r.TransferEncoding) > 0 }
	longerThan := func(n int) func(*http.Request, []byte) bool {
		return func(_ *http.Request, b []byte) bool { return len(b) > n }
	}
	header := func(name string, which func(string) bool) func(*http.Request, []byte) bool {
		return func(r *http.Request, _ []byte) bool { return which(r.Header.Get(name)) }
	}
	return []Fault{
		fails("chunked-500", "answers 500 to chunked requests, because it reads Content-Length without a default", chunked, page),
		fails("chunked-dropped", "closes the connection on chunked requests", chunked, alter.Leave),
		{Name: "body-read-once", Breaks: validAccepted, Also: []string{bodyJSON}, Rare: true, Doc: "reads the body once and takes what came by then for all of it",
			alter: func(s *reference.Stages) {
				s.Read = func(_ http.ResponseWriter, r *http.Request) ([]byte, error) {
					b := make([]byte, reference.MaxBody)
					n, err := r.Body.Read(b)
					if err == io.EOF {
						err = nil
					}
					return b[:n], err
				}
			}},
		{Name: "expect-hangs", Breaks: answered, Rare: true, Doc: "never answers a request with Expect: 100-continue",
			alter: alter.Handler(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("Expect") != "" {
						alter.Hang(w, r)
					}
					next.ServeHTTP(w, r)
				})
			})},
		fails("empty-body-hangs", "waits for ever where the body is empty, as code that reads until it gets something does",
			func(_ *http.Request, b []byte) bool { return len(b) == 0 }, alter.Hang),
		fails("large-body-dropped", "closes the connection on bodies above 32 kB", longerThan(32<<10), alter.Leave),
		fails("large-body-500", "answers 500 to bodies above 100 kB", longerThan(100<<10), page),
		fails("huge-body-500", "answers 500 to bodies above 1 MiB", longerThan(1<<20), page),
		fails("no-content-type-500", "answers 500 to a request without Content-Type", header("Content-Type", func(t string) bool { return t == "" }), page),
		fails("other-media-type-500", "answers 500 to a media type that is not JSON, because no reader takes it",
			header("Content-Type", func(t string) bool { return t != "" && !strings.HasPrefix(strings.ToLower(t), "application/json") }), page),
		fails("unknown-charset-500", "answers 500 to a charset that it does not know, as Python's codecs do",
			header("Content-Type", func(t string) bool {
				_, charset, found := strings.Cut(strings.ToLower(t), "charset=")
				return found && !strings.HasPrefix(strings.Trim(charset, `"`), "utf-8")
			}), page),
		fails("other-accept-500", "answers 500 where Accept does not take JSON, because no writer fits",
			header("Accept", func(t string) bool { return t != "" && !strings.Contains(t, "*/*") && !strings.Contains(t, "json") }), page),
		fails("bare-cookie-500", "answers 500 to a cookie without a value, as code that splits at = does",
			header("Cookie", func(t string) bool { return t != "" && !strings.Contains(t, "=") }), page),
		fails("language-500", "answers 500 to en_US in Accept-Language, as parsers of language tags do", header("Accept-Language", func(t string) bool { return strings.Contains(t, "_") }), page),
		fails("long-header-500", "answers 500 to a header above 2 kB", func(r *http.Request, _ []byte) bool {
			for name, values := range r.Header {
				if name != "Authorization" && len(values[0]) > 2048 {
					return true
				}
			}
			return false
		}, page),
		{Name: "expectation-500", Breaks: answered, Rare: true, Doc: "answers 500 to an expectation that it does not know, because nobody catches the error",
			alter: alter.All(
				// net/http answers such requests itself.
				alter.Heads(func(head string) string {
					if strings.Contains(head, "\r\nExpect: 100-continue") {
						return head
					}
					return strings.Replace(head, "\r\nExpect:", "\r\nX-Expectation:", 1)
				}),
				alter.When(header("X-Expectation", func(v string) bool { return v != "" }), page))},
		fails("upgrade-dropped", "closes the connection where another protocol is offered, as Node servers whose upgrade handler knows only its own path do",
			header("Upgrade", func(v string) bool { return v != "" }), alter.Leave),
		{Name: "unread-body", Breaks: validAccepted, Also: []string{framing, answered, "post-plants-400-media-type"}, Rare: true,
			Doc: "refuses a credential without reading the body, and takes the body for the next request on the connection", alter: unreadBody},
	}
}

// unreadBody serves the rest of a connection itself once a credential was
// refused there: the unread body is what comes next.
func unreadBody(s *reference.Stages) {
	alter.Handler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			why := s.Authenticate(r)
			if why == nil || r.ContentLength <= 0 {
				next.ServeHTTP(w, r)
				return
			}
			conn, buffered, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(http.ErrAbortHandler)
			}
			defer conn.Close()
			// Nobody else closes this connection when the server stops.
			defer context.AfterFunc(r.Context(), func() { conn.Close() })()
			// Errors mean that the client left.
			_, _ = io.WriteString(conn, alter.HTTP(s.Refuse(why)))
			if _, err := http.ReadRequest(buffered.Reader); err != nil {
				_, _ = io.WriteString(conn, alter.HTTP(reference.Response(*alter.Page(http.StatusBadRequest))))
			}
		})
	})(s)
}

const (
	// restTime is how long a connection may be idle before it is worse for it.
	restTime = 300 * time.Millisecond
	// poolSize is how many requests find a connection to the database.
	poolSize = 16
)

// beside goes wrong by what other connections do, or by how long one did nothing.
func beside() []Fault {
	return []Fault{
		{Name: "idle-connection-500", Breaks: answered, Rare: true,
			Doc: "answers 500 on a connection that was idle for 300 ms, because what belongs to it was cleaned up", alter: idleCrash},
		{Name: "idle-connection-open", Breaks: bearerRequired, Rare: true,
			Doc: "asks for no credential on a connection that was idle for 300 ms, which it takes for one of its own", alter: idleOpen},
		{Name: "crowd-500", Breaks: answered, Rare: true,
			Doc: "answers 500 to a request beside sixteen others, for which its pool of connections to the database has no room", alter: crowdCrash},
		{Name: "credential-of-last-head", Breaks: bearerToken, Also: []string{bearerRequired, bearerScheme, validAccepted}, Rare: true,
			Doc: "keeps the credential in a variable of the server while the body comes, so it may be that of a request on another connection", alter: lastHead},
	}
}

// rested marks requests on a connection that was idle before them.
func rested() func(*http.Request) bool {
	var last sync.Map
	return func(r *http.Request) bool {
		now := time.Now()
		before, known := last.Swap(r.RemoteAddr, now)
		return known && now.Sub(before.(time.Time)) > restTime
	}
}

func idleCrash(s *reference.Stages) {
	was := rested()
	alter.Handler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if was(r) {
				alter.Give(alter.Page(http.StatusInternalServerError))(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	})(s)
}

func idleOpen(s *reference.Stages) {
	was := rested()
	alter.Authenticate(func(_ *reference.Stages, r *http.Request, why error) error {
		if rest := was(r); rest && len(r.Header.Values("Authorization")) == 0 {
			return nil
		}
		return why
	})(s)
}

func crowdCrash(s *reference.Stages) {
	var inFlight atomic.Int64
	alter.Handler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := inFlight.Add(1)
			defer inFlight.Add(-1)
			if n > poolSize {
				alter.Give(alter.Page(http.StatusInternalServerError))(w, r)
				return
			}
			time.Sleep(5 * time.Millisecond)
			if n > poolSize/2 {
				time.Sleep(50 * time.Millisecond) // under load a database takes longer
			}
			next.ServeHTTP(w, r)
		})
	})(s)
}

func lastHead(s *reference.Stages) {
	var current atomic.Pointer[[]string]
	read := alter.Requests(func(w http.ResponseWriter, r *http.Request, _ []byte, next http.Handler) {
		if values := *current.Load(); len(values) > 0 {
			r.Header["Authorization"] = values
		} else {
			r.Header.Del("Authorization")
		}
		next.ServeHTTP(w, r)
	})
	read(s)
	alter.Handler(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			values := r.Header.Values("Authorization")
			current.Store(&values)
			next.ServeHTTP(w, r)
		})
	})(s)
}
