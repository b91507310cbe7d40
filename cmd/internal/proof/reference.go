// Package proof is the only one that knows both sides: it puts the suite and
// the reference server together in one process.
package proof

import (
	"fmt"
	"io"
	"log/slog"

	"plantstore/reference"
)

// Token is what the server of StartReference accepts. It is no secret: it
// guards a server in memory that lives as long as one command, and a fixed one
// keeps two runs the same to the byte. It has letters of both cases, so that no
// credential that spells it otherwise is left out.
const Token = "Reference-Token-0123456789aBcDeF"

// Server is a running reference server.
type Server struct {
	// URL is its base address on the loopback interface, Token what it accepts.
	URL, Token string
	// Close stops it; a second call does nothing.
	Close func()
}

// StartReference starts the reference server in this process on a free port of
// 127.0.0.1, with plants in memory. A nil log discards what it has to say. The
// error is that of listening.
func StartReference(log io.Writer) (*Server, error) {
	cfg := reference.Config{Tokens: []string{Token}}
	if log != nil {
		cfg.Log = slog.New(slog.NewTextHandler(log, nil))
	}
	return start(reference.New(cfg), "")
}

func start(s *reference.Server, path string) (*Server, error) {
	local, err := s.Start()
	if err != nil {
		return nil, fmt.Errorf("reference server: %w", err)
	}
	return &Server{URL: local.URL + path, Token: Token, Close: func() {
		// Nothing can be done about either error: all is in memory.
		_ = local.Close()
		_ = s.Close()
	}}, nil
}
