package exchange

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
