package reference

import (
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Config says how a server is set up. Its zero value is a server in memory
// that accepts nobody.
type Config struct {
	// Tokens are the accepted bearer tokens; several for rotation.
	Tokens []string
	// UniqueIDs makes the default store refuse an id used before, and MaxPlants
	// bounds it; 0 means [MaxPlants].
	UniqueIDs bool
	MaxPlants int
	// Log gets a line for each request at debug level and failures at error
	// level, never a token or a body. Nil discards.
	Log *slog.Logger
	// Store keeps the plants; nil means a new [Memory].
	Store Store
	// Observe, if set, is told of every request that was answered.
	Observe func(Outcome)
	// Alter changes stages, for the catalogues of faults and variants.
	Alter func(*Stages)
}

// Outcome is how a request was answered.
type Outcome struct {
	Status int
	// Error is the number in the Error body, 0 where there is none.
	Error int32
	Took  time.Duration
}

// Server answers the contract as an [http.Handler].
type Server struct {
	stages  *Stages
	store   Store
	log     *slog.Logger
	observe func(Outcome)
	handler http.Handler
	// bodies counts the bytes of long bodies in memory.
	bodies atomic.Int64
}

// New makes a server. It holds no resources until it serves, except those of
// the store it is given.
func New(cfg Config) *Server {
	if cfg.Store == nil {
		cfg.Store = NewMemory(cfg.UniqueIDs, cfg.MaxPlants)
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Observe == nil {
		cfg.Observe = func(Outcome) {}
	}
	s := &Server{stages: newStages(cfg.Tokens, cfg.Store), store: cfg.Store, log: cfg.Log, observe: cfg.Observe}
	if cfg.Alter != nil {
		cfg.Alter(s.stages)
	}
	s.handler = s.stages.Wrap(http.HandlerFunc(s.route))
	return s
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	endDoubtful(w, r)
	s.handler.ServeHTTP(w, r)
}

// Close closes the store, where that can be closed.
func (s *Server) Close() error {
	if c, ok := s.store.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// route is a switch because there is one route: it answers every other path
// and method with an Error, which a ServeMux does not let one do.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	var resp Response
	var code int32
	switch {
	case r.URL.Path != "/plants":
		resp, code = s.elsewhere(w, r, http.StatusNotFound, "there is only /plants")
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		resp, code = s.elsewhere(w, r, http.StatusMethodNotAllowed, "only POST is allowed")
	default:
		resp, code = s.create(w, r)
		s.stages.Send(w, r, resp)
	}
	took := time.Since(began)
	s.observe(Outcome{Status: resp.Status, Error: code, Took: took})
	s.log.LogAttrs(r.Context(), slog.LevelDebug, "answered",
		slog.Int("status", resp.Status), slog.Int("error", int(code)), slog.Int("bytes", len(resp.Body)), slog.Duration("took", took))
}

// elsewhere answers what the contract says nothing about.
func (s *Server) elsewhere(w http.ResponseWriter, r *http.Request, status int32, reason string) (Response, int32) {
	drain(r)
	resp := respond(int(status), errorBody{Error: status, Message: reason})
	Send(w, r, resp)
	return resp, status
}

// create computes the whole response before anything is sent, so that a panic
// on the way still has a clean answer.
func (s *Server) create(w http.ResponseWriter, r *http.Request) (resp Response, code int32) {
	counted := &body{ReadCloser: r.Body, shared: &s.bodies}
	r.Body = counted
	defer counted.release()
	defer func() {
		switch cause := recover(); cause {
		case nil:
		case http.ErrAbortHandler:
			panic(cause)
		default:
			s.log.Error("panic", "cause", cause, "stack", string(debug.Stack()))
			resp, code = s.refuse(&Refusal{Kind: Internal, Reason: "the server failed"})
		}
	}()
	plant, err := s.accept(w, r)
	if err != nil {
		drain(r)
		return s.refuse(err)
	}
	return s.stages.Answer(plant), 0
}

// refuse logs what is not meant for clients.
func (s *Server) refuse(err error) (Response, int32) {
	why := AsRefusal(err)
	if why != err {
		s.log.Error("refused", "cause", err)
	}
	return s.stages.Refuse(err), why.Kind.Code()
}

func (s *Server) accept(w http.ResponseWriter, r *http.Request) (Plant, error) {
	if err := s.stages.Authenticate(r); err != nil {
		return Plant{}, err
	}
	if err := s.stages.Media(r); err != nil {
		return Plant{}, err
	}
	body, err := s.stages.Read(w, r)
	if err != nil {
		return Plant{}, err
	}
	plant, err := s.stages.Decode(body)
	if err != nil {
		return Plant{}, err
	}
	return plant, s.stages.Append(r.Context(), plant)
}
