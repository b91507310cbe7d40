package exchange

import (
	"bytes"
	"compress/gzip"
	"context"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// again says first, and then s until the client has enough.
func again(first, s string) func(int, *peer) {
	return func(_ int, p *peer) {
		p.request()
		p.say(first)
		for p.say(s) {
		}
	}
}

// drip says first, and then more by bits, slowly.
func drip(first, more string) func(int, *peer) { return dripEach(20*time.Millisecond, first, more) }

func dripEach(pause time.Duration, first, more string) func(int, *peer) {
	return func(_ int, p *peer) {
		p.request()
		p.say(first)
		beat := time.NewTicker(pause)
		defer beat.Stop()
		for p.say(more) {
			<-beat.C
		}
	}
}

func TestHostileServersEndInANamedFailure(t *testing.T) {
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	waits := Limits{Answer: 600 * time.Millisecond}
	for name, row := range map[string]struct {
		limits Limits
		script func(int, *peer)
		kind   FailureKind
		detail string
	}{
		"never answers":     {waits, func(_ int, p *peer) { <-p.over }, TimedOut, "no answer"},
		"stops in the head": {waits, func(_ int, p *peer) { p.request(); p.say("HTTP/1.1 2"); p.gone() }, TimedOut, "inside the head"},
		"stops in the body": {waits, func(_ int, p *peer) { p.request(); p.say(ok("body")[:40]); p.gone() }, TimedOut, "inside the body"},
		"stops after 1xx":   {waits, func(_ int, p *peer) { p.request(); p.say("HTTP/1.1 102 P\r\n\r\n"); p.gone() }, TimedOut, "after an interim response"},
		"drips the head":    {waits, drip("HTTP/1.1 200 OK\r\nA: ", "a"), TimedOut, "inside the head"},
		"drips fields":      {waits, drip("HTTP/1.1 200 OK\r\n", "A: a\r\n"), TimedOut, "inside the head"},
		"drips the body":    {waits, drip("HTTP/1.1 200 OK\r\n\r\n", "a"), TimedOut, "inside the body"},
		"drips chunks":      {waits, drip(chunked, "1\r\na\r\n"), TimedOut, "inside the body"},
		"drips 1xx":         {waits, drip("", "HTTP/1.1 100 Continue\r\n\r\n"), TimedOut, "after an interim response"},
		"endless 1xx":       {Limits{}, again("", "HTTP/1.1 103 Early\r\nA: b\r\n\r\n"), TooLarge, "number of interim responses"},
		"long 1xx":          {Limits{}, again("", "HTTP/1.1 103 Early\r\nA: "+strings.Repeat("b", 9000)+"\r\n\r\n"), TooLarge, "interim responses"},
		"endless head":      {Limits{}, again("", "HTTP/1.1 200 OK\r\nA: "), TooLarge, "head"},
		"endless fields":    {Limits{Fields: 50}, again("", "HTTP/1.1 200 OK\r\nA: b\r\n"), TooLarge, "head"},
		"many fields":       {Limits{Fields: 50}, again("", "HTTP/1.1 200 OK\r\n"+strings.Repeat("A: b\r\n", 51)+"\r\n"), TooLarge, "number of fields"},
		"endless body":      {Limits{}, again("", "HTTP/1.1 200 OK\r\n\r\nbody"), TooLarge, "body"},
		"endless length":    {Limits{}, again("", "HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\nbody"), TooLarge, "body"},
		"endless chunks":    {Limits{Body: 1000}, again(chunked, "1\r\na\r\n"), TooLarge, "body"},
		"endless trailers":  {Limits{}, again(chunked+"0\r\n", "A: b\r\n"), TooLarge, "trailers"},
		"endless chunk ext": {Limits{}, again(chunked+"1;", "a=b;"), TooLarge, "chunk line"},
		"garbage":           {Limits{}, again("", "garbage without a line end"), Malformed, "not an http/1.x response"},
		"http/2":            {Limits{}, again("", "\x00\x00\x12\x04\x00\x00\x00\x00\x00"), Malformed, "the server speaks http/2 alone"},
		"empty lines":       {Limits{}, again("", "\r\n"), Malformed, "empty lines before the status line"},
		"closes at once":    {Limits{}, func(int, *peer) {}, Dropped, "connection closed before the first byte of the answer"},
		"resets at once":    {Limits{}, func(_ int, p *peer) { p.reset() }, Dropped, "connection closed before the first byte of the answer"},
		"resets a request":  {Limits{}, func(_ int, p *peer) { p.head(); p.reset() }, Dropped, "connection closed before the first byte of the answer"},
		"closes in head":    {Limits{}, func(_ int, p *peer) { p.request(); p.say("HTTP/1.1 200 OK\r\nA: b") }, Truncated, "connection closed inside the head"},
		"closes in body":    {Limits{}, func(_ int, p *peer) { p.request(); p.say(ok("body")[:40]) }, Truncated, "connection closed inside the body"},
		"resets in body":    {Limits{}, func(_ int, p *peer) { p.request(); p.say("HTTP/1.1 200 OK\r\n\r\nbody"); p.reset() }, Truncated, "connection closed inside the body"},
		"closes after 1xx":  {Limits{}, func(_ int, p *peer) { p.request(); p.say("HTTP/1.1 102 P\r\n\r\n") }, Truncated, "connection closed after an interim response"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := session(t, Options{Limits: row.limits}, row.script)
			e := s.Do(t.Context(), post(c, "{}"), 0)
			require.NotNil(t, e.Failure)
			assert.Equal(t, row.kind, e.Failure.Kind, e.Failure)
			assert.Equal(t, row.detail, e.Failure.Detail)
			assert.Less(t, e.Took, prompt)
			assert.LessOrEqual(t, len(e.Received), DefaultLimits().Received)
			assert.LessOrEqual(t, len(e.Interim), DefaultLimits().Interim)
			assert.Nil(t, s.conn)
		})
	}
}

// TestABodyThatIsStillComingIsToldFromOneThatStopped: the first is slow, the second broken.
func TestABodyThatIsStillComingIsToldFromOneThatStopped(t *testing.T) {
	waits := Limits{Answer: 600 * time.Millisecond}
	for name, row := range map[string]struct {
		script func(int, *peer)
		coming bool
	}{
		"still coming":   {drip("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", "a"), true},
		"stopped":        {func(_ int, p *peer) { p.request(); p.say(ok("body")[:40]); p.gone() }, false},
		"far from over":  {drip("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "a"), false},
		"without length": {drip("HTTP/1.1 200 OK\r\n\r\n", "a"), true},
		"without an end": {drip("HTTP/1.1 200 OK\r\n\r\n", strings.Repeat("a", 500)), true},
		"chunks":         {drip("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"), true},
		"events":         {dripEach(250*time.Millisecond, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := session(t, Options{Limits: waits}, row.script)
			e := s.Do(t.Context(), post(c, strings.Repeat(" ", 40)), 0)
			require.NotNil(t, e.Failure)
			assert.Equal(t, TimedOut, e.Failure.Kind)
			assert.Equal(t, row.coming, e.Coming)
		})
	}
}

// A stream need not end: what came of it is its answer.
func TestAStreamThatGoesOnIsLeftWithoutAFailure(t *testing.T) {
	limits := Limits{Answer: prompt, Stream: 200 * time.Millisecond, Body: 1000}
	for name, row := range map[string]struct {
		script func(int, *peer)
		body   string
		open   bool
	}{
		"chunks":      {drip("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n", "9\r\ndata: 1\n\n\r\n"), "data: 1\n\n", true},
		"until close": {drip("HTTP/1.1 200 OK\r\nContent-Type: application/jsonl; charset=utf-8\r\n\r\n", "{}\n"), "{}\n", true},
		"much":        {again("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n", "3\r\n{}\n\r\n"), "{}\n", true},
		"silent": {func(_ int, p *peer) {
			p.request()
			p.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
			p.gone()
		}, "", true},
		"ends": {func(_ int, p *peer) {
			p.request()
			p.say("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
		}, "data: 1\n\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c := session(t, Options{Limits: limits}, row.script)
			e := s.Do(t.Context(), post(c, "{}"), 0)
			require.Nil(t, e.Failure)
			assert.Equal(t, row.open, e.Response.Open)
			assert.True(t, strings.HasPrefix(string(e.Response.Content), row.body), "%q", e.Response.Content)
			assert.Nil(t, s.conn)
		})
	}
}

func TestResetWhileALargeRequestIsWrittenIsDroppedWriting(t *testing.T) {
	s, c := session(t, Options{}, func(_ int, p *peer) { p.head(); p.reset() })
	r := post(c, strings.Repeat("x", 16<<20))
	e := s.Do(t.Context(), r, 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, DroppedWriting, e.Failure.Kind)
	assert.Less(t, e.Written, len(r.Body))
}

func TestServerThatNeitherReadsNorAnswersTimesOutInTime(t *testing.T) {
	s, c := session(t, Options{}, func(_ int, p *peer) { <-p.over })
	for _, size := range []int{10, 50 << 10, 16 << 20} {
		e := s.Do(t.Context(), post(c, strings.Repeat("x", size)), 50*time.Millisecond)
		require.NotNil(t, e.Failure)
		assert.Equal(t, TimedOut, e.Failure.Kind)
		assert.GreaterOrEqual(t, e.Took, 50*time.Millisecond)
		assert.Less(t, e.Took, prompt)
	}
}

func TestGzipBombEndsAtTheLimit(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	zeros := make([]byte, 1<<20)
	for range 2 {
		_, _ = z.Write(zeros)
	}
	require.NoError(t, z.Close())
	s, c := session(t, Options{}, func(_ int, p *peer) {
		p.request()
		p.say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + strconv.Itoa(bomb.Len()) + "\r\n\r\n")
		_, _ = bomb.WriteTo(p)
		p.gone()
	})
	e := s.Do(t.Context(), post(c, "{}"), 0)
	require.Nil(t, e.Failure)
	require.ErrorIs(t, e.Response.ContentErr, ErrContentTooLarge)
	assert.Nil(t, e.Response.Content)
	assert.NotEmpty(t, e.Response.Body)
}

func TestNobodyListeningIsUnreachable(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, ln.Close())
	c := clientFor(t, "http://"+ln.Addr().String(), Options{})
	e := c.Session().Do(t.Context(), post(c, ""), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Unreachable, e.Failure.Kind)
	assert.Equal(t, "connection refused", e.Failure.Detail)
	assert.Equal(t, "unreachable: connection refused", e.Failure.Error())

	_, f := c.dial(t.Context(), time.Now().Add(c.limits.Dial))
	require.NotNil(t, f)
	assert.Equal(t, Unreachable, f.Kind)
}

func TestUnknownNameIsUnreachable(t *testing.T) {
	c := clientFor(t, "http://plants..invalid", Options{})
	e := c.Session().Do(t.Context(), post(c, ""), 0)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Unreachable, e.Failure.Kind)
	assert.NotContains(t, e.Failure.Detail, "plants")
}

func TestEndOfTheContextEndsEveryPhasePromptly(t *testing.T) {
	begin := "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
	for name, row := range map[string]struct {
		say  string
		size int
	}{
		"waiting":  {"", 10},
		"1xx":      {"HTTP/1.1 102 P\r\n\r\n", 10},
		"head":     {begin[:20], 10},
		"body":     {begin + "abc", 10},
		"writing":  {"", 16 << 20},
		"mid-size": {"", 40 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s, c := session(t, Options{}, func(_ int, p *peer) {
				p.head()
				p.say(row.say)
				cancel()
				<-p.over
			})
			e := s.Do(ctx, post(c, strings.Repeat("x", row.size)), time.Minute)
			require.NotNil(t, e.Failure)
			assert.Equal(t, Canceled, e.Failure.Kind)
			require.ErrorIs(t, e.Failure, context.Canceled)
			assert.Less(t, e.Took, prompt)
			assert.Nil(t, s.conn)

			e = s.Do(ctx, post(c, ""), 0)
			require.NotNil(t, e.Failure)
			assert.Equal(t, Canceled, e.Failure.Kind)
			assert.Zero(t, e.Written)
		})
	}
}

func TestEndOfTheContextWhileWaitingToContinueIsCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, c := session(t, Options{Limits: Limits{Continue: time.Minute}}, func(_ int, p *peer) {
		p.head()
		cancel()
		<-p.over
	})
	r := post(c, "{}")
	r.AwaitContinue = true
	e := s.Do(ctx, r, time.Hour)
	require.NotNil(t, e.Failure)
	assert.Equal(t, Canceled, e.Failure.Kind)
	assert.Less(t, e.Took, prompt)
}
