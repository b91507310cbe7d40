package exchange

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSessionKeepsOneConnectionForAllRequests(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		w.Header().Set("X-From", r.RemoteAddr)
		_, _ = w.Write(b)
	}))
	defer srv.Close()
	c := clientFor(t, srv.URL+"/api/", Options{})
	s := c.Session()
	defer s.Close()
	from := ""
	for i := range 20 {
		body := strings.Repeat("x", i*20_000)
		r := post(c, body)
		e := s.Do(t.Context(), r, 0)
		require.Nil(t, e.Failure)
		assert.Equal(t, i == 0, e.Fresh)
		assert.Equal(t, body, string(e.Response.Body))
		assert.Equal(t, len(r.Head)+len(r.Body), e.Written)
		if i > 0 {
			assert.Equal(t, from, e.Response.Get("x-from"))
		}
		from = e.Response.Get("x-from")
		assert.NotNil(t, s.conn)
	}
	s.Fresh()
	assert.Nil(t, s.conn)
	e := s.Do(t.Context(), post(c, ""), 0)
	require.Nil(t, e.Failure)
	assert.True(t, e.Fresh)
	assert.NotEqual(t, from, e.Response.Get("X-From"))
}

func TestSessionsOfOneClientRunBesideEachOther(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(baseline))
	defer srv.Close()
	c := clientFor(t, srv.URL, Options{})
	r := post(c, baselineBody)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s := c.Session()
			defer s.Close()
			for range 50 {
				e := s.Do(t.Context(), r, 0)
				assert.Nil(t, e.Failure)
				assert.False(t, e.Retried)
			}
		})
	}
	wg.Wait()
}

func TestConnectionClosedWithoutSayingSoIsReplacedBeforeSending(t *testing.T) {
	closed := make(chan struct{}, 8)
	s, c := session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.say(ok("one"))
		_ = p.CloseWrite()
		closed <- struct{}{}
		p.gone()
	})
	for range 3 {
		e := s.Do(t.Context(), post(c, "{}"), 0)
		require.Nil(t, e.Failure)
		assert.True(t, e.Fresh)
		assert.False(t, e.Retried, "nothing was sent on the dead connection")
		assert.Nil(t, e.Unasked)
		<-closed
	}
}

func TestKeptConnectionThatDiesBeforeTheFirstByteIsRetriedOnceOnAFreshOne(t *testing.T) {
	for name, die := range map[string]func(*peer){
		"closed": func(p *peer) {},
		"reset":  (*peer).reset,
		"408":    func(p *peer) { p.say("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			s, c := session(t, Options{}, func(i int, p *peer) {
				p.request()
				p.say(ok("first"))
				if p.request() && i == 0 {
					die(p)
					return
				}
				p.say(ok("second"))
				p.gone()
			})
			require.Nil(t, s.Do(t.Context(), post(c, "{}"), 0).Failure)
			e := s.Do(t.Context(), post(c, "{}"), 0)
			require.Nil(t, e.Failure)
			assert.True(t, e.Retried)
			assert.True(t, e.Fresh)
			assert.Equal(t, "first", string(e.Response.Body), "of the second connection")
			e = s.Do(t.Context(), post(c, "{}"), 0)
			require.Nil(t, e.Failure)
			assert.False(t, e.Fresh || e.Retried)
		})
	}
}

func TestFreshConnectionThatDiesIsNotRetried(t *testing.T) {
	s, c := session(t, Options{}, func(_ int, p *peer) { p.request() })
	e := s.Do(t.Context(), post(c, "{}"), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Dropped, e.Failure.Kind)
	assert.False(t, e.Retried)

	s, c = session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.say("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
		p.gone()
	})
	e = s.Do(t.Context(), post(c, "{}"), 0)
	require.Nil(t, e.Failure)
	assert.Equal(t, 408, e.Response.Status)
}

func TestTruncatedAnswerOnAKeptConnectionIsNotRetried(t *testing.T) {
	s, c := session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.say(ok("first"))
		p.request()
		p.say("H")
	})
	require.Nil(t, s.Do(t.Context(), post(c, "{}"), 0).Failure)
	e := s.Do(t.Context(), post(c, "{}"), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Truncated, e.Failure.Kind)
	assert.Equal(t, "H", string(e.Received))
}

func TestUnasked408OnAKeptConnectionIsNoSurplus(t *testing.T) {
	for name, more := range map[string]string{
		"":                  "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n",
		"HTTP/1.1 200 OK\r": "HTTP/1.1 200 OK\r",
		"x":                 "x",
	} {
		t.Run(name, func(t *testing.T) {
			answered, said := make(chan struct{}), make(chan struct{})
			s, c := session(t, Options{}, func(i int, p *peer) {
				p.request()
				p.say(ok("first"))
				if i == 0 {
					<-answered
					p.say(more)
					close(said)
				}
				p.gone()
			})
			e := s.Do(t.Context(), post(c, "{}"), 0)
			require.Nil(t, e.Failure)
			assert.Empty(t, e.Response.Oddities)
			require.NotNil(t, s.conn)
			close(answered)
			<-said
			e = s.Do(t.Context(), post(c, "{}"), 0)
			require.Nil(t, e.Failure)
			assert.True(t, e.Fresh)
			assert.False(t, e.Retried)
			assert.Equal(t, name, string(e.Unasked))
		})
	}
}

func TestListenReturnsWhatFollowsTheEndOfAnAnswer(t *testing.T) {
	release := make(chan struct{})
	s, c := session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.say(ok("first"))
		<-release
		p.say("tail")
		p.gone()
	})
	assert.Nil(t, s.Listen(time.Hour), "without a connection there is nothing to wait for")
	require.Nil(t, s.Do(t.Context(), post(c, "{}"), 0).Failure)
	assert.Nil(t, s.Listen(time.Millisecond))
	assert.NotNil(t, s.conn)
	close(release)
	assert.Equal(t, "tail", string(s.Listen(time.Minute)))
	assert.Nil(t, s.conn)
}

func TestSurplusInTheSameSegmentIsNotedAndTheConnectionGivenUp(t *testing.T) {
	s, c := session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.say(ok("first") + "tail")
		p.gone()
	})
	e := s.Do(t.Context(), post(c, "{}"), 0)
	require.Nil(t, e.Failure)
	assert.Equal(t, []string{OddSurplus}, e.Response.Oddities)
	assert.Equal(t, "tail", string(e.Response.Surplus))
	assert.Nil(t, s.conn)
}

func TestA408BehindAnAnswerEndsTheConnectionAndIsNoSurplus(t *testing.T) {
	const late = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"
	s, c := session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.say(ok("first") + late)
		p.gone()
	})
	for range 2 {
		e := s.Do(t.Context(), post(c, "{}"), 0)
		require.Nil(t, e.Failure)
		assert.Equal(t, 200, e.Response.Status)
		assert.Empty(t, e.Response.Surplus)
		assert.True(t, e.Fresh)
		assert.Nil(t, s.conn)
	}
	after, release := make(chan struct{}), make(chan struct{})
	s, c = session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.say(ok("first"))
		<-release
		p.say(late)
		close(after)
		p.gone()
	})
	require.Nil(t, s.Do(t.Context(), post(c, "{}"), 0).Failure)
	close(release)
	<-after
	assert.Nil(t, s.Listen(time.Minute))
	assert.Nil(t, s.conn)
}

func TestAnswerBeforeTheEndOfALargeRequestIsComplete(t *testing.T) {
	for name, after := range map[string]func(*peer){
		"held open":   func(p *peer) { <-p.over },
		"half closed": func(p *peer) { _ = p.CloseWrite(); <-p.over },
		"closed":      func(*peer) {}, // with unread bytes, so a reset follows the answer
	} {
		t.Run(name, func(t *testing.T) {
			s, c := session(t, Options{}, func(_ int, p *peer) {
				p.head()
				p.say("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig")
				after(p)
			})
			r := post(c, strings.Repeat("x", 8<<20))
			e := s.Do(t.Context(), r, 0)
			require.Nil(t, e.Failure)
			assert.Equal(t, 413, e.Response.Status)
			assert.Equal(t, "big", string(e.Response.Body))
			assert.Less(t, e.Written, len(r.Body))
			assert.Nil(t, s.conn)
			assert.Less(t, e.Took, prompt)
		})
	}
}

func TestRequestIsSentToTheByte(t *testing.T) {
	const head, body = "p\x00ST /\n\n", "\xff\xfe not a body"
	got := make(chan []byte, 1)
	s, _ := session(t, Options{}, func(_ int, p *peer) {
		b := make([]byte, len(head)+len(body))
		_, _ = io.ReadFull(p.in, b)
		got <- b
		p.say(ok(""))
		p.gone()
	})
	e := s.Do(t.Context(), &Request{Head: []byte(head), Body: []byte(body)}, 0)
	require.Nil(t, e.Failure)
	assert.Equal(t, []byte(head+body), <-got)
}

func TestServerThatAlwaysClosesWithoutSayingSoNeverFails(t *testing.T) {
	for name, end := range map[string]func(*peer){"closed": func(*peer) {}, "reset": (*peer).reset} {
		t.Run(name, func(t *testing.T) {
			c := clientFor(t, scripted(t, func(_ int, p *peer) {
				p.request()
				p.say(ok("answer"))
				if name == "reset" {
					_, _ = p.in.Peek(1) // a reset at once could overtake the answer
				}
				end(p)
			}), Options{})
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					s := c.Session()
					defer s.Close()
					for range 50 {
						e := s.Do(t.Context(), post(c, baselineBody), 0)
						if assert.Nil(t, e.Failure) {
							assert.Equal(t, "answer", string(e.Response.Body))
							assert.True(t, e.Fresh)
						}
					}
				})
			}
			wg.Wait()
		})
	}
}
