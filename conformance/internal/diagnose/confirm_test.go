package diagnose

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
)

// fixed refuses large ids until a switch is set, and answers with what is behind
// it then.
func fixed(doc *fake.Document) (fake.Server, *atomic.Pointer[exchange.Exchange], *atomic.Bool) {
	var behind atomic.Pointer[exchange.Exchange]
	var over atomic.Bool
	faulty := wrong(doc, above("2147483647"))
	return func(r *exchange.Request) *exchange.Exchange {
		switch e := behind.Load(); {
		case !over.Load():
			return faulty(r)
		case e != nil:
			copied := *e
			return &copied
		}
		return doc.Conforming(r)
	}, &behind, &over
}

func TestAFailureThatDoesNotComeAgainIsNotStable(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	serve, _, over := fixed(doc)
	run := fakerun.Of(t, doc, serve)
	over.Store(true)
	d := finish(t, run)
	require.NotEmpty(t, d.found)
	for _, f := range d.found {
		assert.False(t, f.Stable)
		assert.Empty(t, f.NotTriedAgain)
		assert.False(t, f.Minimal, "what does not come again is not made smaller")
	}
	assert.Equal(t, []string{"newplant-id-accepted"}, d.failed(), "it failed, if only once")
}

func TestAFailureOfWhichThereWasNoSecondTrySaysWhy(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	serve, behind, over := fixed(doc)
	impatient := fake.Answer(429, "", "")
	impatient.Response.Fields = []exchange.Field{{Name: "Retry-After", Value: "3600"}}
	behind.Store(impatient)
	run := fakerun.Of(t, doc, serve)
	over.Store(true)
	d := finish(t, run)
	require.NotEmpty(t, d.found)
	for _, f := range d.found {
		assert.False(t, f.Stable)
		assert.Equal(t, execute.ImpatientReason, f.NotTriedAgain)
	}

	over.Store(false)
	run = fakerun.Of(t, doc, serve)
	ended, stop := context.WithCancel(t.Context())
	stop()
	_, found := Diagnose(ended, run)
	require.NotEmpty(t, found)
	for _, f := range found {
		assert.False(t, f.Stable)
		assert.Equal(t, execute.EndedReason, f.NotTriedAgain)
	}
}

// misreading refuses what follows a refused credential, as a server does that takes
// an unread body for the next request.
func misreading(doc *fake.Document) fake.Server {
	var refused atomic.Bool
	return func(r *exchange.Request) *exchange.Exchange {
		e := doc.Conforming(r)
		if was := refused.Swap(e.Response.Status == 401); was && e.Response.Status == 200 {
			return fake.Answer(400, "text/html", "<p>bad request</p>")
		}
		return e
	}
}

func TestAFailureBehindOtherRequestsIsTriedAgainBehindThem(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "credentials", "credential-changes")
	d := finish(t, fakerun.Of(t, doc, misreading(doc)))
	f := d.finding(t, "post-plants-valid-accepted")
	assert.True(t, f.Stable)
	assert.Greater(t, len(f.Failure.Steps), 1)
}

// A time-out was confirmed where it happened: it is not waited for a third time.
func TestATimeOutIsStableWithoutAnotherTry(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	var hangs, after atomic.Int64
	run := fakerun.Of(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if fake.Holds(r, "4294967296") {
			hangs.Add(1)
			return fake.Failing(exchange.TimedOut)
		}
		return doc.Conforming(r)
	}, "*/baseline/*", "*/integers/*")
	after.Store(hangs.Load())
	d := finish(t, run)
	f := d.finding(t, "post-plants-answered")
	assert.True(t, f.Stable)
	assert.Equal(t, after.Load(), hangs.Load(), "nothing was sent again that gets no answer")
}

func TestAFailureThatComesAgainInAnotherWayIsStable(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	serve, behind, over := fixed(doc)
	behind.Store(fake.Answer(404, "", ""))
	run := fakerun.Of(t, doc, serve, "*/integers/*")
	over.Store(true)
	for _, f := range finish(t, run).found {
		assert.True(t, f.Stable)
	}
}
