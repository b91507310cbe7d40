package proof

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// hostile is a target that is nothing but hostile: the suite must end in a
// clear verdict, soon.
type hostile struct {
	name, doc string
	// serve handles one connection; nil means that nobody listens.
	serve func(conn net.Conn, stop <-chan struct{})
}

// hostiles lists them.
func hostiles() []hostile {
	bomb := sync.OnceValue(bomb) // packing it takes seconds
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	return []hostile{
		{"nobody-listens", "the port is closed", nil},
		{"closes-at-once", "closes every connection as it is made", func(c net.Conn, _ <-chan struct{}) {}},
		{"never-answers", "reads and never writes", func(c net.Conn, stop <-chan struct{}) { <-stop }},
		{"garbage", "answers every request with bytes that are no HTTP", always("\x00\xff\x13\x37 no http\r\n\r\n", true)},
		{"endless-head", "sends fields for ever", endless("HTTP/1.1 200 OK\r\n", "X-More: "+strings.Repeat("x", 1000)+"\r\n")},
		{"endless-body", "sends a body for ever", endless(ok+"\r\n", strings.Repeat("x", 1000))},
		{"endless-chunks", "sends chunks for ever", endless(ok+"Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n")},
		{"endless-interim", "sends 100 Continue for ever", endless("", "HTTP/1.1 100 Continue\r\n\r\n")},
		{"slow-drip", "sends an answer one byte in half a second", drip(ok + "Content-Length: 1000\r\n\r\n")},
		{"gzip-bomb", "answers 1 MiB that unpacks to 1 GiB", func(c net.Conn, stop <-chan struct{}) { always(bomb(), false)(c, stop) }},
		{"always-200-empty", "answers 200 without a body", always("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false)},
		{"always-200-plant", "answers 200 with one and the same plant", always(ok+"Content-Length: 15\r\n\r\n"+`{"name":"fern"}`, false)},
		{"always-200-html", "answers 200 with a page", always("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>", false)},
		{"always-301", "sends everybody elsewhere", always("HTTP/1.1 301 Moved Permanently\r\nLocation: /\r\nContent-Length: 0\r\n\r\n", false)},
		{"always-400", "refuses everything", always("HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 26\r\n\r\n"+`{"error":1,"message":"no"}`, false)},
		{"always-401", "knows no credential", always("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n", false)},
		{"always-404", "knows no path", always("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", false)},
		{"always-429", "asks for patience for ever", always("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 20\r\nContent-Length: 0\r\n\r\n", false)},
		{"always-500", "fails at everything", always("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n", false)},
		{"echo", "sends back what it gets", func(c net.Conn, _ <-chan struct{}) { _, _ = io.Copy(c, c) }},
	}
}

// startHostile listens for one of them.
func startHostile(h hostile) (*Server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("hostile target: %w", err)
	}
	s := &Server{URL: "http://" + ln.Addr().String(), Token: Token}
	stop := make(chan struct{})
	s.Close = func() { close(stop); _ = ln.Close() }
	if h.serve == nil {
		_ = ln.Close()
		s.Close = func() {}
		return s, nil
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				h.serve(c, stop)
			}()
		}
	}()
	return s, nil
}

// always answers every request with the same bytes.
func always(answer string, closes bool) func(net.Conn, <-chan struct{}) {
	return func(c net.Conn, _ <-chan struct{}) {
		buf := make([]byte, 64<<10)
		for {
			if _, err := c.Read(buf); err != nil {
				return
			}
			if _, err := io.WriteString(c, answer); err != nil || closes {
				return
			}
		}
	}
}

// endless writes a beginning and then one piece again and again.
func endless(begin, piece string) func(net.Conn, <-chan struct{}) {
	return func(c net.Conn, stop <-chan struct{}) {
		_, err := c.Read(make([]byte, 64<<10))
		if err == nil {
			_, err = io.WriteString(c, begin)
		}
		for err == nil {
			select {
			case <-stop:
				return
			default:
				_, err = io.WriteString(c, piece)
			}
		}
	}
}

// drip writes one byte at a time.
func drip(answer string) func(net.Conn, <-chan struct{}) {
	return func(c net.Conn, stop <-chan struct{}) {
		for i := range len(answer) {
			if _, err := io.WriteString(c, answer[i:i+1]); err != nil {
				return
			}
			select {
			case <-stop:
				return
			case <-time.After(500 * time.Millisecond):
			}
		}
	}
}

// bomb is an answer of about 1 MiB that unpacks to 1 GiB.
func bomb() string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	zeros := make([]byte, 1<<20)
	for range 1024 {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	return fmt.Sprintf("HTTP/1.1 200 %s\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s",
		http.StatusText(http.StatusOK), b.Len(), b.String())
}
