package reference

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"plantstore/reference/kit"
)

func (s *Server) httpServer(ctx context.Context) *http.Server {
	hs := &http.Server{
		Handler:                      s,
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            readHeaderTimeout,
		ReadTimeout:                  readTimeout,
		WriteTimeout:                 writeTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               maxHeaderBytes,
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams:          maxStreams,
			MaxReceiveBufferPerConnection: streamWindow,
			MaxReceiveBufferPerStream:     streamWindow,
		},
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: remember,
	}
	s.stages.Tune(hs)
	return hs
}

// Serve answers on ln, over TLS where certs is not nil, until ctx ends. Then
// it stops accepting, lets requests under way finish for up to 8 s, and
// returns nil; any other end is an error. It closes ln.
func (s *Server) Serve(ctx context.Context, ln net.Listener, certs *tls.Config) error {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	hs := s.httpServer(requests)
	ln = s.stages.Listen(kit.LimitConnections(ln, MaxConnections))
	failed := make(chan error, 1)
	go func() {
		if certs != nil {
			hs.TLSConfig = certs
			failed <- hs.ServeTLS(ln, "", "")
			return
		}
		failed <- hs.Serve(watchHeads(ln))
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop, release := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer release()
	err := hs.Shutdown(stop)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Warn("requests under way were cut off", "after", grace)
		err = hs.Close()
	}
	<-failed
	return err
}

// Local is a server that runs in this process.
type Local struct {
	// URL is where it listens, such as http://127.0.0.1:40001.
	URL    string
	server *http.Server
	cancel context.CancelFunc
	ended  chan struct{}
}

// Start serves on a free port of the loopback interface.
func (s *Server) Start() (*Local, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	l := &Local{
		URL:    "http://" + ln.Addr().String(),
		server: s.httpServer(ctx),
		cancel: cancel,
		ended:  make(chan struct{}),
	}
	go func() {
		defer close(l.ended)
		// It only ever ends by Close.
		_ = l.server.Serve(watchHeads(s.stages.Listen(ln)))
	}()
	return l, nil
}

// Close stops the server at once, requests under way included.
func (l *Local) Close() error {
	l.cancel()
	err := l.server.Close()
	<-l.ended
	return err
}

// The limits of the server, all of them. What has none here is limited by the
// ones that have: a request lives on a connection, and a plant in a body.
const (
	// MaxConnections is how many connections are served at once. More wait in
	// the backlog of the operating system until one of them ends.
	MaxConnections = 16384
	// maxStreams is how many requests at once one HTTP/2 connection may have.
	maxStreams = 100
	// streamWindow is how much of a body is taken before a handler reads it,
	// for each stream and for each connection of HTTP/2.
	streamWindow = 64 << 10

	// maxHeaderBytes is the size of a request line and its headers; net/http
	// answers 431 above it, and adds 4 KiB of its own.
	maxHeaderBytes = 16 << 10
	// MaxBody is the longest body that is read as a plant.
	MaxBody = 1 << 20
	// smallBody is what every request may have in memory. Longer bodies share
	// maxBodies, from their first byte until their plant is stored.
	smallBody = 4 << 10
	maxBodies = 24 << 20
	// MaxPlants is how many plants a store in memory keeps unless told otherwise.
	MaxPlants = 1_000_000
	// maxDrain is how much more is read and thrown away after a refusal, so
	// that a client that sends first and reads afterwards gets its answer.
	maxDrain = 16 << 20

	// readHeaderTimeout is the time for a request line and its headers, and
	// readTimeout the time for the whole request: it ends a body that trickles.
	// Where they are equal, net/http sets one deadline fewer.
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 10 * time.Second
	// writeTimeout is the time from the end of the headers until the answer is
	// written, and idleTimeout how long a connection may wait for a request.
	writeTimeout = 30 * time.Second
	idleTimeout  = 2 * time.Minute
	// grace is how long requests under way may take once the server stops. The
	// whole stop takes no more than ten seconds.
	grace = 8 * time.Second
)
