package faults

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

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
