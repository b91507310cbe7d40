package exchange

import (
	"io"
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
