package main

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// relay passes bytes on to a server, as they are, and counts the answers. It reads
// no request: a proxy that did would mend the malformed ones.
type relay struct {
	net.Listener
	to      string
	answers atomic.Int64
}

// listen starts a relay to the server.
func listen(to string) (*relay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &relay{Listener: l, to: to}
	go r.serve()
	return r, nil
}

func (r *relay) serve() {
	for {
		c, err := r.Accept()
		if err != nil {
			return // closed
		}
		go r.pass(c)
	}
}

func (r *relay) pass(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", r.to)
	if err != nil {
		return
	}
	defer server.Close()
	var both sync.WaitGroup
	both.Go(func() {
		io.Copy(server, client)
		server.(*net.TCPConn).CloseWrite()
	})
	both.Go(func() {
		io.Copy(io.MultiWriter(client, &counter{n: &r.answers}), server)
		client.(*net.TCPConn).CloseWrite()
	})
	both.Wait()
}

// counter counts the status lines of answers, but for interim ones. A body that
// has a status line in it is counted too many times: no server tested here sends one.
type counter struct {
	n    *atomic.Int64
	rest []byte // of the last write, where a line may have begun
}

const line = len("HTTP/1.1 200")

func (c *counter) Write(b []byte) (int, error) {
	all := append(c.rest, b...)
	at := 0
	for {
		i := bytes.Index(all[at:], []byte("HTTP/1."))
		if i < 0 || at+i+line > len(all) {
			break
		}
		at += i
		if d := all[at+line-3]; all[at+8] == ' ' && '2' <= d && d <= '5' {
			c.n.Add(1)
		}
		at += line
	}
	c.rest = bytes.Clone(all[max(at, len(all)-line+1):])
	return len(b), nil
}
