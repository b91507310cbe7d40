package store

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"plantstore/reference"
)

// Environment variables that make this test binary a server of a kind, on a
// file where it needs one.
const (
	benchKind = "STORE_BENCHMARK_KIND"
	benchFile = "STORE_BENCHMARK_FILE"
)

func TestMain(m *testing.M) {
	kind := os.Getenv(benchKind)
	if kind == "" {
		goleak.VerifyTestMain(m)
		return
	}
	if err := serve(kind, os.Getenv(benchFile)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(kind, file string) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	fmt.Println(ln.Addr())
	cfg := reference.Config{Tokens: []string{benchToken}}
	switch kind {
	case "bare", "limited":
		return serveBare(ctx, ln, kind == "limited")
	case "file", "single":
		opts := Options{}
		if kind == "single" {
			opts.MaxBatch = 1
		}
		f, err := Open(file, opts)
		if err != nil {
			return err
		}
		cfg.Store = f
	}
	s := reference.New(cfg)
	if err := s.Serve(ctx, ln, nil); err != nil {
		return err
	}
	return s.Close()
}

// serveBare reads bodies and writes a fixed answer: what net/http costs alone.
// With limits it has the time limits of the reference server.
func serveBare(ctx context.Context, ln net.Listener, limits bool) error {
	hs := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"name":"benchmark plant","tag":"t"}`)
	})}
	if limits {
		hs.ReadTimeout, hs.WriteTimeout, hs.IdleTimeout = 10*time.Second, 30*time.Second, 2*time.Minute
	}
	ended := context.AfterFunc(ctx, func() { hs.Close() })
	defer ended()
	_ = hs.Serve(ln)
	return nil
}
