package exchange

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
