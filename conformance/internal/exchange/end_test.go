package exchange

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ended reads until the client ends its half and answers then.
func ended(_ int, p *peer) {
	_, _ = io.Copy(io.Discard, p.in)
	p.say(ok("bye"))
	_ = p.Close()
}

func TestASenderEndsItsHalfOfTheConnection(t *testing.T) {
	for _, end := range []End{EndAtOnce, EndInSilence} {
		s, c := session(t, Options{Limits: Limits{Silence: 30 * time.Millisecond}}, ended)
		r := post(c, "{}")
		r.End = end
		e := s.Do(t.Context(), r, prompt)
		require.Nil(t, e.Failure)
		assert.Equal(t, "bye", string(e.Response.Body))
		assert.Nil(t, s.conn, "nothing can follow")
	}
}

func TestAnAnswerBeforeTheSilenceIsTaken(t *testing.T) {
	s, c := session(t, Options{Limits: Limits{Silence: time.Hour}}, func(_ int, p *peer) {
		p.request()
		p.say(ok("a"))
		p.gone()
	})
	r := post(c, "{}")
	r.End = EndInSilence
	e := s.Do(t.Context(), r, prompt)
	require.Nil(t, e.Failure)
	assert.Equal(t, "a", string(e.Response.Body))
}

func TestAServerMayCloseOnABrokenRequestAndOnlyThere(t *testing.T) {
	s, c := session(t, Options{Limits: Limits{Silence: 10 * time.Millisecond}}, func(_ int, p *peer) { p.request() })
	r := post(c, "{}")
	e := s.Do(t.Context(), r, prompt)
	require.NotNil(t, e.Failure)
	assert.False(t, e.Excused())
	r.MayClose, r.End = true, EndInSilence
	e = s.Do(t.Context(), r, prompt)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Dropped, e.Failure.Kind)
	assert.True(t, e.Excused())
}

// Some servers take the end of one half for that of both, and a slow one has not answered yet.
func TestAServerMayCloseAfterTheSenderEndedItsHalfInSilence(t *testing.T) {
	for _, slow := range []bool{true, false} {
		s, c := session(t, Options{Limits: Limits{Silence: 30 * time.Millisecond}}, func(_ int, p *peer) {
			p.request()
			if slow {
				_, _ = io.Copy(io.Discard, p.in)
			}
		})
		r := post(c, "{}")
		r.MayWait, r.End = true, EndInSilence
		e := s.Do(t.Context(), r, prompt)
		require.NotNil(t, e.Failure)
		assert.Equal(t, Dropped, e.Failure.Kind)
		assert.Equal(t, slow, e.Excused())
	}
}

func TestNothingIsJudgedWhereAServerMayWaitForMore(t *testing.T) {
	limits := Limits{Silence: 10 * time.Millisecond, Left: 30 * time.Millisecond}
	for _, waits := range []bool{true, false} {
		s, c := session(t, Options{Limits: limits}, func(_ int, p *peer) { p.request(); <-p.over })
		r := post(c, "{}")
		r.MayClose, r.MayWait, r.End = true, waits, EndInSilence
		e := s.Do(t.Context(), r, 300*time.Millisecond)
		require.NotNil(t, e.Failure)
		assert.Equal(t, TimedOut, e.Failure.Kind)
		assert.Equal(t, waits, e.Excused())
	}
}

func TestARefusalMayWaitForTheRestOfABrokenRequestBeforeItEnds(t *testing.T) {
	for status, excused := range map[string]bool{"400 Bad Request": true, "200 OK": false} {
		s, c := session(t, Options{}, func(_ int, p *peer) {
			p.request()
			p.say("HTTP/1.1 " + status + "\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
			<-p.over
		})
		r := post(c, "{}")
		r.MayClose, r.MayWait = true, true
		e := s.Do(t.Context(), r, 300*time.Millisecond)
		require.NotNil(t, e.Failure, status)
		assert.Equal(t, excused, e.Excused(), status)
	}
}

func TestWhatFollowsTheAnswerToABrokenRequestIsNoSurplus(t *testing.T) {
	s, c := session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.say(ok("a") + "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
		p.gone()
	})
	r := post(c, "{}")
	r.MayClose = true
	e := s.Do(t.Context(), r, prompt)
	require.Nil(t, e.Failure)
	assert.Empty(t, e.Response.Surplus)
	assert.True(t, e.Response.Close)
}

func TestAServerMayStopInTheMiddleOfItsAnswerWhereTheClientEndedItsHalf(t *testing.T) {
	for end, excused := range map[End]bool{EndAtOnce: true, EndInSilence: true, EndNever: false} {
		s, c := session(t, Options{}, func(_ int, p *peer) {
			p.request()
			p.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
		})
		r := post(c, "{}")
		r.End, r.MayClose = end, end != EndNever
		e := s.Do(t.Context(), r, prompt)
		require.NotNil(t, e.Failure)
		assert.Equal(t, Truncated, e.Failure.Kind)
		assert.Equal(t, excused, e.Excused())
	}
}

func TestAServerMayKeepTheConnectionOfHTTP10ThatItWasAskedToKeep(t *testing.T) {
	for asked, excused := range map[string]bool{"Keep-Alive": true, "close": false} {
		s, c := session(t, Options{}, func(_ int, p *peer) {
			p.request()
			p.say("HTTP/1.0 200 OK\r\n\r\n{}")
			<-p.over
		})
		r := post(c, "{}")
		r.Head = []byte("POST / HTTP/1.0\r\nContent-Length: 2\r\nConnection: " + asked + "\r\n\r\n")
		e := s.Do(t.Context(), r, 300*time.Millisecond)
		require.NotNil(t, e.Failure, asked)
		assert.Equal(t, TimedOut, e.Failure.Kind)
		assert.Equal(t, excused, e.Excused(), asked)
	}
}

func TestAServerMayAnswerALargeHeadAsHTTP09(t *testing.T) {
	for size, excused := range map[int]bool{100: false, LargeHead: true} {
		s, c := session(t, Options{}, func(_ int, p *peer) {
			p.request()
			p.say("<title>413 Payload Too Large</title>\n")
			p.gone()
		})
		r := post(c, "{}")
		r.Head = []byte(strings.Replace(string(r.Head), "\r\n", "\r\nX-Large: "+strings.Repeat("x", size)+"\r\n", 1))
		e := s.Do(t.Context(), r, prompt)
		require.NotNil(t, e.Failure, size)
		assert.Equal(t, Malformed, e.Failure.Kind)
		assert.Equal(t, excused, e.Excused(), size)
	}
}

func TestBodyFollowsAnInterimResponse(t *testing.T) {
	s, c := session(t, Options{Limits: Limits{Continue: time.Minute}}, func(_ int, p *peer) {
		p.head()
		p.say("HTTP/1.1 100 Continue\r\nA: b\r\n\r\n")
		body := make([]byte, 4)
		_, _ = p.in.Read(body)
		p.say(ok(string(body)))
		p.gone()
	})
	r := post(c, "body")
	r.AwaitContinue = true
	e := s.Do(t.Context(), r, 0)
	require.Nil(t, e.Failure)
	assert.Equal(t, "body", string(e.Response.Body))
	require.Len(t, e.Interim, 1)
	assert.Equal(t, 100, e.Interim[0].Status)
	assert.Equal(t, "b", e.Interim[0].Get("a"))
	assert.Equal(t, len(r.Head)+len(r.Body), e.Written)
	assert.NotNil(t, s.conn)
}

func TestBodyIsNotSentAfterAFinalResponse(t *testing.T) {
	s, c := session(t, Options{Limits: Limits{Continue: time.Minute}}, func(_ int, p *peer) {
		p.head()
		p.say("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
		p.gone()
	})
	r := post(c, "body")
	r.AwaitContinue = true
	e := s.Do(t.Context(), r, 0)
	require.Nil(t, e.Failure)
	assert.Equal(t, 417, e.Response.Status)
	assert.Equal(t, len(r.Head), e.Written)
	assert.Nil(t, s.conn, "the server may still expect the body")
}

func TestBodyFollowsWhenTheServerKeepsSilent(t *testing.T) {
	for name, early := range map[string]string{"silent": "", "inside a head": "HTTP/1.1 20", "behind an empty line": "\r\n"} {
		t.Run(name, func(t *testing.T) {
			s, c := session(t, Options{Limits: Limits{Continue: 20 * time.Millisecond}}, func(_ int, p *peer) {
				p.head()
				p.say(early)
				body := make([]byte, 4)
				_, _ = p.in.Read(body)
				answer := ok(string(body))
				if early != "\r\n" {
					answer = answer[len(early):]
				}
				p.say(answer)
				p.gone()
			})
			r := post(c, "body")
			r.AwaitContinue = true
			e := s.Do(t.Context(), r, 0)
			require.Nil(t, e.Failure)
			assert.Equal(t, 200, e.Response.Status)
			assert.Equal(t, "body", string(e.Response.Body))
			assert.NotNil(t, s.conn)
		})
	}
}

func TestServerThatNeverAnswersAHeadTimesOut(t *testing.T) {
	s, c := session(t, Options{Limits: Limits{Continue: 10 * time.Millisecond}}, func(_ int, p *peer) { <-p.over })
	r := post(c, "body")
	r.AwaitContinue = true
	e := s.Do(t.Context(), r, time.Second)
	require.NotNil(t, e.Failure)
	assert.Equal(t, TimedOut, e.Failure.Kind)
	assert.Equal(t, "no answer", e.Failure.Detail)
	assert.Equal(t, len(r.Head)+len(r.Body), e.Written)
}

// other gives the other scheme that a server is found to answer under.
func other(t *testing.T, url string) string {
	t.Helper()
	return clientFor(t, url, Options{}).OtherScheme(t.Context())
}

func TestAServerIsAskedWhetherItAnswersUnderTheOtherScheme(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(baseline))
	t.Cleanup(plain.Close)
	secured, _ := secure(t, baseline)
	assert.Equal(t, "http", other(t, strings.Replace(plain.URL, "http", "https", 1)))
	assert.Equal(t, "https", other(t, strings.Replace(secured.URL, "https", "http", 1)))
	assert.Empty(t, other(t, plain.URL))
	assert.Empty(t, other(t, secured.URL), "a TLS server refuses plain HTTP in plain HTTP")
	assert.Empty(t, other(t, "http://127.0.0.1:1"))
}

// speaking serves connections with a function, each in turn.
func speaking(t *testing.T, serve func(net.Conn)) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			serve(c)
			_ = c.Close()
		}
	}()
	return "http://" + ln.Addr().String()
}

func TestAnAlertIsSpokenByTLSAndNothingElseIs(t *testing.T) {
	refusing := speaking(t, func(c net.Conn) {
		_ = tls.Server(c, &tls.Config{}).Handshake() // it has no certificate
	})
	assert.Equal(t, "https", other(t, refusing))
	for _, said := range []string{"", "\x15", "SSH-2.0-x\r\n", "\x00\x00\x12\x04\x00\x00\x00\x00\x00", "HTTP/1.1 400 Bad Request\r\n\r\n"} {
		url := speaking(t, func(c net.Conn) {
			_, _ = bufio.NewReader(c).ReadByte()
			_, _ = c.Write([]byte(said))
		})
		assert.Empty(t, other(t, url), "%q", said)
		assert.Empty(t, other(t, strings.Replace(url, "http", "https", 1)), "%q", said)
	}
}

func TestNoCredentialGoesInPlainTextToATargetOfHTTPS(t *testing.T) {
	seen := make(chan *http.Request, 1)
	url := speaking(t, func(c net.Conn) {
		r, _ := http.ReadRequest(bufio.NewReader(c))
		_, _ = c.Write([]byte("HTTP/1.1 204 No Content\r\n\r\n"))
		seen <- r
	})
	assert.Equal(t, "http", other(t, strings.Replace(url, "http", "https", 1)))
	r := <-seen
	require.NotNil(t, r)
	assert.Equal(t, http.MethodOptions, r.Method)
	assert.Equal(t, http.Header{"Connection": {"close"}}, r.Header)
}
