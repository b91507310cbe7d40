package exchange

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// peer is the server's end of one connection in a scripted server.
type peer struct {
	*net.TCPConn
	in   *bufio.Reader
	over chan struct{} // closed when the test ends
}

// request reads one request in full; false where the client went away.
func (p *peer) request() bool {
	r, err := http.ReadRequest(p.in)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, r.Body)
	return err == nil
}

// head reads one request head and leaves the body unread.
func (p *peer) head() bool {
	_, err := http.ReadRequest(p.in)
	return err == nil
}

// say writes s; a client that went away is no concern of a script.
func (p *peer) say(s string) bool {
	_, err := io.WriteString(p.TCPConn, s)
	return err == nil
}

// gone waits until the client has closed.
func (p *peer) gone() { _, _ = io.Copy(io.Discard, p.in) }

// reset closes with RST.
func (p *peer) reset() {
	_ = p.SetLinger(0)
	_ = p.Close()
}

// scripted serves each connection with script, i counting from 0, and returns
// the server's URL.
func scripted(t testing.TB, script func(i int, p *peer)) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		open []net.Conn
		over = make(chan struct{})
	)
	wg.Go(func() {
		for i := 0; ; i++ {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, conn)
			mu.Unlock()
			wg.Go(func() {
				defer func() { _ = conn.Close() }()
				script(i, &peer{conn.(*net.TCPConn), bufio.NewReader(conn), over})
			})
		}
	})
	t.Cleanup(func() {
		close(over)
		_ = ln.Close()
		mu.Lock()
		for _, conn := range open {
			_ = conn.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return "http://" + ln.Addr().String()
}

// session returns a session with a scripted server, closed with the test.
func session(t testing.TB, o Options, script func(i int, p *peer)) (*Session, *Client) {
	t.Helper()
	c := clientFor(t, scripted(t, script), o)
	s := c.Session()
	t.Cleanup(s.Close)
	return s, c
}

func clientFor(t testing.TB, url string, o Options) *Client {
	t.Helper()
	target, err := ParseTarget(url)
	require.NoError(t, err)
	return New(target, o)
}

func post(c *Client, body string, fields ...Field) *Request {
	all := append([]Field{
		{"Host", c.target.Authority},
		{"Content-Type", "application/json"},
		{"Content-Length", strconv.Itoa(len(body))},
	}, fields...)
	head, err := BuildHead(UsualVersion, "POST", c.target.Prefix+"/plants", all)
	return &Request{Method: "POST", Head: head, Body: []byte(body), Err: err}
}

// ok is an answer that keeps the connection.
func ok(body string) string {
	return "HTTP/1.1 200 OK\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// prompt is the most that an exchange may take where nothing waits.
const prompt = 3 * time.Second

// together returns requests that go out in one piece.
func together(c *Client, bodies ...string) []*Request {
	list := make([]*Request, len(bodies))
	for i, b := range bodies {
		list[i] = post(c, b)
		if i > 0 {
			list[i].Behind = true
			list[0].Next = append(append(list[0].Next, list[i].Head...), list[i].Body...)
			list[0].Followers++
		}
	}
	return list
}

func TestEachOfSeveralRequestsInOnePieceGetsTheNextAnswer(t *testing.T) {
	s, c := session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.request()
		p.request()
		p.say(ok("a") + ok("b") + ok("c"))
		p.request()
		p.say(ok("d"))
		p.gone()
	})
	for i, r := range together(c, "1", "2", "3") {
		e := s.Do(t.Context(), r, prompt)
		require.Nil(t, e.Failure, i)
		assert.Equal(t, "abc"[i:i+1], string(e.Response.Body))
		assert.Empty(t, e.Response.Surplus)
	}
	e := s.Do(t.Context(), post(c, "4"), prompt)
	require.Nil(t, e.Failure)
	assert.Equal(t, "d", string(e.Response.Body))
	assert.False(t, e.Fresh, "the connection is used again")
}

func TestMoreAnswersThanRequestsInOnePieceAreSurplus(t *testing.T) {
	s, c := session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.request()
		p.say(ok("a") + ok("b") + ok("c"))
		p.gone()
	})
	list := together(c, "1", "2")
	require.Nil(t, s.Do(t.Context(), list[0], prompt).Failure)
	assert.NotEmpty(t, s.Do(t.Context(), list[1], prompt).Response.Surplus)
}

func TestAServerMayCloseAfterTheFirstOfSeveralRequestsOrBefore(t *testing.T) {
	for _, says := range []string{ok("a"), "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na"} {
		s, c := session(t, Options{}, func(_ int, p *peer) {
			p.request()
			p.request()
			p.say(says)
		})
		list := together(c, "1", "2")
		require.Nil(t, s.Do(t.Context(), list[0], prompt).Failure)
		e := s.Do(t.Context(), list[1], prompt)
		require.NotNil(t, e.Failure)
		assert.True(t, e.Excused(), "nothing is judged")
	}
	s, c := session(t, Options{}, func(_ int, p *peer) { p.request(); p.request() })
	e := s.Do(t.Context(), together(c, "1", "2")[0], prompt)
	require.NotNil(t, e.Failure)
	assert.True(t, e.Excused(), "a client sends again what got no answer")
}

func TestARequestOfItsOwnNeverGetsTheAnswerToAnother(t *testing.T) {
	s, c := session(t, Options{}, func(i int, p *peer) {
		p.request()
		if i == 0 {
			p.request()
			p.say(ok("a") + ok("b"))
			p.gone()
			return
		}
		p.say(ok("own"))
		p.gone()
	})
	list := together(c, "1", "2")
	require.Nil(t, s.Do(t.Context(), list[0], prompt).Failure)
	e := s.Do(t.Context(), post(c, "3"), prompt)
	require.Nil(t, e.Failure)
	assert.Equal(t, "own", string(e.Response.Body))
	assert.True(t, s.Do(t.Context(), list[1], prompt).Excused(), "its connection is gone")
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
