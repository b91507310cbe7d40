package reference

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"

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
