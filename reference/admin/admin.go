// Package admin tells an operator how a server does. It belongs on an address
// of its own that clients do not reach: the contract knows nothing of it.
package admin

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Limits of the admin listener.
const (
	readTimeout  = 5 * time.Second
	writeTimeout = 30 * time.Second
	maxHeader    = 8 << 10
	// readyTimeout is how long the store may take to answer /readyz.
	readyTimeout = 2 * time.Second
)

// Handler answers /healthz as long as the process lives, /readyz while ready
// says that plants can be stored, and /metrics in the format of Prometheus.
func Handler(m *Metrics, ready func(context.Context) error) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := ready(ctx); err != nil {
			say(w, http.StatusServiceUnavailable, "not ready: "+err.Error())
			return
		}
		say(w, http.StatusOK, "ready")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	return mux
}

func say(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	// A failed write means that the client left.
	_, _ = io.WriteString(w, line+"\n")
}

// Start serves h on ln until stop is called, which waits for the end.
func Start(ln net.Listener, h http.Handler) (stop func() error) {
	s := &http.Server{
		Handler: h, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: writeTimeout, MaxHeaderBytes: maxHeader,
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// It ends by stop, or with a listener that nobody can mend.
		_ = s.Serve(ln)
	}()
	return func() error {
		defer func() { <-ended }()
		return s.Close()
	}
}
