package main

import (
	"bufio"
	"crypto/tls"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"plantstore/cmd/internal/proof"
)

// serve starts a server in the process of the tests, until the script ends, and
// sets URL and TOKEN: serve, serve fault NAME, serve variant NAME, serve tls
// (writes ca.pem), serve h2 (HTTP/2 alone), serve files FOLDER (writes what was asked
// into the file asked, and sets HOST), serve seen (writes the header fields of each request
// into the file seen), or serve and the name of an odd server.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	kind := "reference"
	if len(args) > 0 {
		kind = args[0]
	}
	var s *proof.Server
	var err error
	switch kind {
	case "fault":
		s, err = proof.StartFault(args[1])
	case "variant":
		s, err = proof.StartVariant(args[1])
	default:
		s, err = proof.StartReference(nil)
	}
	ts.Check(err)
	ts.Defer(s.Close)
	url := s.URL
	if odd, found := oddServers()[kind]; found {
		front := httptest.NewServer(odd(s))
		ts.Defer(front.Close)
		url = front.URL
	}
	switch kind {
	case "h2":
		url = h2Alone(ts)
	case "stalled":
		url = stalled(ts)
	case "seen":
		url = noted(ts, s)
	case "expiring":
		url = expiring(ts)
	case "files":
		url = files(ts, args[1])
	case "tls":
		url = secure(ts, s)
	}
	ts.Setenv("URL", url)
	ts.Setenv("TOKEN", s.Token)
}

// stalled takes connections to https, and says nothing on them.
func stalled(ts *testscript.TestScript) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	}()
	return "https://" + ln.Addr().String()
}

// files serves a folder. What is below private/ wants a user and a password, and
// moved/NAME redirects to NAME.
func files(ts *testscript.TestScript, folder string) string {
	var mu sync.Mutex
	folder, asked := ts.MkAbs(folder), ts.MkAbs("asked")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		log, err := os.OpenFile(asked, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		ts.Check(err)
		_, err = fmt.Fprintln(log, r.Method, r.URL.Path)
		ts.Check(err)
		ts.Check(log.Close())
		name, moved := strings.CutPrefix(r.URL.Path, "/moved/")
		user, password, _ := r.BasicAuth()
		switch {
		case moved:
			http.Redirect(w, r, "/"+name, http.StatusFound)
		case strings.HasPrefix(r.URL.Path, "/private/") && user+":"+password != "me:opens-the-files-7":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			http.ServeFile(w, r, filepath.Join(folder, filepath.FromSlash(path.Clean(r.URL.Path))))
		}
	}))
	ts.Defer(server.Close)
	ts.Setenv("HOST", strings.TrimPrefix(server.URL, "http://"))
	return server.URL
}

// oddServers are targets that are no plant store, or not at once.
func oddServers() map[string]func(*proof.Server) http.HandlerFunc {
	always := func(status int) func(*proof.Server) http.HandlerFunc {
		return func(*proof.Server) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
		}
	}
	return map[string]func(*proof.Server) http.HandlerFunc{
		"always-200": always(http.StatusOK),
		"always-object": func(*proof.Server) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("X-Rate", "1")
				_, _ = w.Write([]byte("{}"))
			}
		},
		"always-401": always(http.StatusUnauthorized),
		"always-503": always(http.StatusServiceUnavailable),
		"silent": func(*proof.Server) http.HandlerFunc {
			return func(_ http.ResponseWriter, r *http.Request) {
				// Only a request that was read shows that its sender is gone.
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			}
		},
		"late":          late,
		"gate":          gate,
		"lockers":       lockers(false),
		"open-lockers":  lockers(true),
		"header-wanted": headerWanted,
	}
}

// late answers 503 at first, as a server that starts does.
func late(s *proof.Server) http.HandlerFunc {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) <= 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		splice(w, r, s)
	}
}

// expiring accepts a token for some requests and then another. The one that is right
// is in the file token.
func expiring(ts *testscript.TestScript) string {
	var mu sync.Mutex
	n, left := 0, 0
	right := ""
	next := func() {
		n, left = n+1, 60
		right = fmt.Sprintf("%08x-expiring-token", n*0x9e3779b1&0xffffffff)
		ts.Check(os.WriteFile(ts.MkAbs("token"), []byte(right+"\n"), 0o600))
	}
	next()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if r.Header.Get("Authorization") != "Bearer "+right {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if left--; left == 0 {
			next()
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"open":true}`))
	}))
	ts.Defer(server.Close)
	return server.URL
}

// gate lets those in who have the key of the gate in the query and its keeper's
// password.
func gate(*proof.Server) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if r.URL.Path == "/gate" && (r.URL.Query().Get("key") != "gate-key-5f0b1c7d" || user+":"+password != "me:opens-the-gate-7") {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"open":true}`))
	}
}

// headerWanted refuses every request without X-Tenant.
func headerWanted(s *proof.Server) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Tenant") != "a, b" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		splice(w, r, s)
	}
}

// noted writes down the header fields of each request.
func noted(ts *testscript.TestScript, s *proof.Server) string {
	var mu sync.Mutex
	path := ts.MkAbs("seen")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		ts.Check(err)
		ts.Check(r.Header.Write(log))
		ts.Check(log.Close())
		mu.Unlock()
		splice(w, r, s)
	}))
	ts.Defer(server.Close)
	return server.URL
}

// splice passes one request on and the answer back.
func splice(w http.ResponseWriter, r *http.Request, s *proof.Server) {
	conn, err := net.Dial("tcp", s.URL[len("http://"):])
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer conn.Close()
	r.Close = true
	r.Header.Del("Expect") // this hop waits for nobody
	if r.Write(conn) != nil {
		return
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), r)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	for name, values := range resp.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body)
}

// h2Alone starts a TLS server that speaks HTTP/2 and nothing else.
func h2Alone(ts *testscript.TestScript) string {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.EnableHTTP2 = true
	s.Config.Protocols = new(http.Protocols)
	s.Config.Protocols.SetHTTP2(true)
	s.StartTLS()
	ts.Defer(s.Close)
	return s.URL
}

// secure puts TLS before a server and writes ca.pem.
func secure(ts *testscript.TestScript, s *proof.Server) string {
	own := httptest.NewUnstartedServer(nil)
	own.StartTLS()
	defer own.Close()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate().Raw})
	ts.Check(os.WriteFile(ts.MkAbs("ca.pem"), ca, 0o666))
	ln, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: own.TLS.Certificates, NextProtos: []string{"http/1.1"}})
	ts.Check(err)
	ts.Defer(func() { _ = ln.Close() })
	go func() {
		for {
			front, err := ln.Accept()
			if err != nil {
				return
			}
			go relay(front, s.URL[len("http://"):])
		}
	}()
	return "https://" + ln.Addr().String()
}

// relay passes bytes between two connections until either side ends.
func relay(front net.Conn, addr string) {
	defer front.Close()
	back, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return
	}
	defer back.Close()
	done := make(chan struct{}, 2)
	pass := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		done <- struct{}{}
	}
	go pass(front, back)
	go pass(back, front)
	<-done
}
