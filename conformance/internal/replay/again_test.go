package replay

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/report"
)

// crashing answers 500 to every body that is refused otherwise.
func crashing(doc *fake.Document) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		if e := doc.Conforming(r); e.Response.Status != 400 {
			return e
		}
		return fake.Answer(500, "text/plain", "oops")
	}
}

func TestAFailureSentAgainIsFixedOrStillFailsOrFailsOtherwise(t *testing.T) {
	for _, x := range []struct {
		serve func(*fake.Document) fake.Server
		want  report.ReplayOutcome
		fails string
		sent  int
	}{
		{lenient, report.StillFails, "newplant-id-integer", 2},
		{conforming, report.Fixed, "", 3},
		{crashing, report.Changed, "post-plants-answered", 3},
	} {
		p, c, client, of := playing(t, x.serve)
		r := of(recordedBytes(p, c, generate.Identity{Seed: 1}))
		r.Stable = true
		require.Empty(t, p.Learn(t.Context()))
		before := len(client.Sent())
		got := p.Again(t.Context(), c, r, "newplant-id-integer")
		assert.Equal(t, x.want, got.Outcome)
		assert.Equal(t, x.fails, got.Fails)
		assert.Len(t, client.Sent(), before+x.sent, "a control, the recorded request, and the case itself unless the first failed")
	}
}

// What failed once only may pass the first time.
func TestAnUnstableFailureIsTriedSeveralTimesBeforeItIsFixed(t *testing.T) {
	seen := 0
	p, c, _, of := playing(t, func(doc *fake.Document) fake.Server {
		bad := lenient(doc)
		return func(r *exchange.Request) *exchange.Exchange {
			if e := doc.Conforming(r); e.Response.Status != 400 {
				return e
			}
			if seen++; seen == 4 {
				return bad(r)
			}
			return doc.Conforming(r)
		}
	})
	r := of(recordedBytes(p, c, generate.Identity{Seed: 1}))
	require.Empty(t, p.Learn(t.Context()))
	assert.Equal(t, report.StillFails, p.Again(t.Context(), c, r, "newplant-id-integer").Outcome)
	assert.Equal(t, 4, seen)
}

func TestAFailureWithOtherRequestsOrATargetThatIsGoneIsNotTried(t *testing.T) {
	p, c, client, of := playing(t, lenient)
	require.Empty(t, p.Learn(t.Context()))
	before := len(client.Sent())
	forged := bytes.Replace(recordedBytes(p, c, generate.Identity{Seed: 1}), []byte("POST "), []byte("PUT "), 1)
	got := p.Again(t.Context(), c, of(forged), "newplant-id-integer")
	assert.Equal(t, report.NotTried, got.Outcome)
	assert.Contains(t, got.Reason, "differs from what the plan sends (request 1: method PUT, not POST)")
	assert.Len(t, client.Sent(), before+1, "a control alone")

	ended, stop := context.WithCancel(t.Context())
	stop()
	got = p.Again(ended, c, of(forged), "newplant-id-integer")
	assert.Equal(t, report.NotTried, got.Outcome)
	assert.Equal(t, execute.EndedReason, got.Reason)

	p, _, _, of = playing(t, func(*fake.Document) fake.Server {
		return func(*exchange.Request) *exchange.Exchange { return fake.Answer(401, "", "") }
	})
	assert.Contains(t, p.Learn(t.Context()), "credential not accepted")
}
