package reports

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// replaying gives a judge with a plan, and a failure of it as this run would
// record it.
func replaying(t testing.TB) (*Player, *plan.Case, func(data []byte, cuts ...int) Recorded) {
	d := fake.Plants(t, mutate.List()...)
	j := NewPlayer(d.Target(d.Conforming), judge.New(d.Set, d.Rules, d.Plan, d.Endpoint), 0)
	c := d.Plan.Find("post-plants/invalid/wrong-types/id/string/0")
	require.NotNil(t, c)
	return j, c, func(data []byte, cuts ...int) Recorded {
		return Recorded{Endpoint: *j.target.Endpoint, Failure: report.Failure{Steps: []report.Step{{Connection: 1, Cuts: cuts, Request: report.Bytes{Data: data}}}}}
	}
}

// recordedBytes is what a report holds of a case.
func recordedBytes(j *Player, c *plan.Case, id plan.Identity) []byte {
	shown := j.target.Endpoint.Shown(j.target.Plan.Build(c, id)[0].Message, c.ID)
	return append(shown.Head, shown.Body...)
}

func TestARepeatedRequestIsThePlansOwnWhateverItsFreshValues(t *testing.T) {
	j, _, of := replaying(t)
	checked := 0
	for i, c := range j.target.Plan.Cases {
		if c.Class.Phase != plan.Single {
			continue
		}
		for _, id := range []plan.Identity{{Seed: 1}, {Seed: 1, Retry: 1 + i}, {Seed: 1, Generation: 3}} {
			_, err := j.recognise(c, of(recordedBytes(j, c, id)))
			assert.NoError(t, err, "%s %v", c.ID, id)
			checked++
		}
	}
	assert.Greater(t, checked, 300)
}

func TestAReportedRequestIsSentAsRecordedToTheBlankButForItsHost(t *testing.T) {
	j, c, _ := replaying(t)
	head := "DELETE /admin HTTP/1.1\r\nHost: %\r\nAuthorization: Bearer $CONFORMANCE_TOKEN\r\nX-Odd:\t a \r\nContent-Length: 2\r\n\r\n"
	was := bytes.Replace([]byte(head+"{}"), []byte("%"), []byte("there:2"), 1)
	now := bytes.Replace([]byte(head), []byte("%"), []byte("target"), 1)
	r, shown, err := j.fill(c, report.Step{Request: report.Bytes{Data: was}, Cuts: []int{0, 1}}, false)
	require.NoError(t, err)
	assert.Equal(t, string(now), string(r.Head))
	assert.Equal(t, string(now)+"{}", string(shown))
	assert.Equal(t, "DELETE", r.Method)
	assert.Equal(t, []int{0, 1}, r.Cuts)
	r, shown, err = j.fill(c, report.Step{Request: report.Bytes{Data: was}}, true)
	require.NoError(t, err)
	assert.Contains(t, string(r.Head), "Authorization: Bearer user7Zq\r\n")
	assert.NotContains(t, string(shown), "user7Zq")
	for _, cuts := range [][]int{{-500}, {3}, {1, 1}, {1, 0}, {-9, -8, -7, -6, -5, -4, -3, -2, -1}} {
		_, _, err = j.fill(c, report.Step{Request: report.Bytes{Data: was}, Cuts: cuts}, false)
		assert.ErrorContains(t, err, "the report was changed", cuts)
	}
}

// FuzzARecognisedRequestIsTheSuitesOwn: whatever a report holds, what is sent has
// the method, the path and the fields of the plan.
func FuzzARecognisedRequestIsTheSuitesOwn(f *testing.F) {
	j, c, of := replaying(f)
	own := recordedBytes(j, c, plan.Identity{Seed: 1})
	f.Add(own)
	f.Add(bytes.Replace(own, []byte("POST"), []byte("DELETE"), 1))
	f.Add(bytes.Replace(own, []byte("\r\n\r\n"), []byte("\r\nTransfer-Encoding: chunked\r\n\r\n"), 1))
	f.Add([]byte("\r\n\r\n"))
	f.Add([]byte("POST  HTTP/1.1\r\n:\r\n\r\n0\r\n\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		steps, err := j.recognise(c, of(data))
		if err != nil {
			assert.NotContains(t, err.Error(), "\n")
			return
		}
		for _, st := range steps {
			wire := j.target.Endpoint.Wire(st.Message, c.ID)
			assert.Equal(t, "POST", wire.Method)
			assert.True(t, bytes.HasPrefix(wire.Head, []byte("POST /plants HTTP/1.1\r\nHost: target\r\n")), "%q", wire.Head)
			fields := readHead(strings.TrimSuffix(string(wire.Head), "\r\n\r\n")).fields
			assert.Len(t, fields, 6)
			assert.Equal(t, exchange.Field{Name: "Authorization", Value: "Bearer user7Zq"}, fields[4])
		}
	})
}

func TestARequestThatShrinkingPutBackIntoTheUsualOrderIsThePlansOwn(t *testing.T) {
	j, _, of := replaying(t)
	c := j.target.Plan.Find("post-plants/invalid/field-order/transport/reversed/0")
	require.NotNil(t, c)
	m := j.target.Plan.Build(c, plan.Identity{Seed: 1})[0].Message.Clone()
	m.Order = message.UsualOrder
	shown := j.target.Endpoint.Shown(m, c.ID)
	_, err := j.recognise(c, of(append(shown.Head, shown.Body...)))
	require.NoError(t, err)
	m.Order = message.CredentialFirst
	shown = j.target.Endpoint.Shown(m, c.ID)
	_, err = j.recognise(c, of(append(shown.Head, shown.Body...)))
	require.ErrorContains(t, err, "its headers are in another order")
}

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
		r := of(recordedBytes(p, c, plan.Identity{Seed: 1}))
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
	r := of(recordedBytes(p, c, plan.Identity{Seed: 1}))
	require.Empty(t, p.Learn(t.Context()))
	assert.Equal(t, report.StillFails, p.Again(t.Context(), c, r, "newplant-id-integer").Outcome)
	assert.Equal(t, 4, seen)
}

func TestAFailureWithOtherRequestsOrATargetThatIsGoneIsNotTried(t *testing.T) {
	p, c, client, of := playing(t, lenient)
	require.Empty(t, p.Learn(t.Context()))
	before := len(client.Sent())
	forged := bytes.Replace(recordedBytes(p, c, plan.Identity{Seed: 1}), []byte("POST "), []byte("PUT "), 1)
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
