package reports

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// playing is a player against a server, what was sent to it, and a recorded
// failure of one request.
func playing(t testing.TB, serve func(doc *fake.Document) fake.Server) (*Player, *plan.Case, *fake.Client, func(data []byte) Recorded) {
	doc := fakerun.Plants(t, "baseline", "wrong-types")
	client := &fake.Client{Serve: serve(doc)}
	to := explore.New(explore.Options{Contract: doc.Contract, Plan: doc.Plan, Endpoint: doc.Endpoint, Client: client, Timeout: 1e9, Seed: 1})
	j := judge.New(doc.Set, doc.Rules, doc.Plan, doc.Endpoint)
	j.Facts = to.Facts
	c := doc.Plan.Find("post-plants/invalid/wrong-types/id/string/0")
	require.NotNil(t, c)
	return NewPlayer(to, j, 0), c, client, func(data []byte) Recorded {
		return Recorded{Endpoint: *doc.Endpoint, SameOrigin: true, Failure: report.Failure{Case: c.ID,
			Steps: []report.Step{{Connection: 1, Request: report.Bytes{Data: data}}}}}
	}
}

func conforming(doc *fake.Document) fake.Server { return doc.Conforming }

// lenient takes every body.
func lenient(doc *fake.Document) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		if e := doc.Conforming(r); e.Response.Status != 400 {
			return e
		}
		return fake.Answer(200, "application/json", `{"name":"fern2"}`)
	}
}

func TestAReplayedCaseShowsWhatWasSentWhatCameAndWhatFails(t *testing.T) {
	p, c, _, _ := playing(t, lenient)
	got := p.Replay(t.Context(), c)
	assert.Empty(t, got.Reason)
	require.Len(t, got.Steps, 1)
	assert.Contains(t, string(got.Steps[0].Request.Data), "Bearer $CONFORMANCE_TOKEN")
	assert.Contains(t, string(got.Steps[0].Response.Data), "fern2")
	require.Len(t, got.Failures, 1)
	assert.Equal(t, "newplant-id-integer", got.Failures[0].Requirement)
	assert.Equal(t, "200 OK, a Plant", got.Failures[0].Failures[0].Got)

	p, c, _, _ = playing(t, conforming)
	assert.Empty(t, p.Replay(t.Context(), c).Failures)
}

// The report names the case: its value is the one that the run sent, not another of its class.
func TestAReplayedCaseSendsTheValueThatFailed(t *testing.T) {
	var failing []byte
	p, c, client, _ := playing(t, func(doc *fake.Document) fake.Server {
		failing = doc.Plan.Build(doc.Plan.Find("post-plants/invalid/wrong-types/id/string/0"), plan.Identity{Seed: 1})[0].Message.Body()
		return func(r *exchange.Request) *exchange.Exchange {
			if bytes.Equal(r.Body, failing) {
				return fake.Answer(500, "", "")
			}
			return doc.Conforming(r)
		}
	})
	got := p.Replay(t.Context(), c)
	require.Len(t, got.Failures, 1)
	assert.Equal(t, "post-plants-answered", got.Failures[0].Requirement)
	assert.Equal(t, string(failing), string(client.Sent()[len(client.Sent())-1].Body))

	p, c, client, _ = playing(t, conforming)
	assert.Empty(t, p.Replay(t.Context(), c).Failures)
	sent := client.Sent()
	assert.NotEqual(t, string(sent[len(sent)-2].Body), string(sent[len(sent)-1].Body), "it passed, so fresh values may show more")
}

func TestACaseIsNotReplayedOnATargetThatTakesNothing(t *testing.T) {
	p, c, client, _ := playing(t, func(*fake.Document) fake.Server {
		return func(*exchange.Request) *exchange.Exchange { return fake.Answer(401, "", "") }
	})
	got := p.Replay(t.Context(), c)
	assert.Contains(t, got.Reason, "credential not accepted")
	assert.Empty(t, got.Steps)
	for _, r := range client.Sent() {
		assert.NotContains(t, string(r.Body), `"id":"`, "the case itself is not sent")
	}
}

// What refuses every request refuses the recorded one too, which proves nothing.
func TestARecordedFailureIsNotJudgedOnATargetThatRefusesTheToken(t *testing.T) {
	p, c, client, of := playing(t, func(*fake.Document) fake.Server {
		return func(*exchange.Request) *exchange.Exchange { return fake.Answer(401, "", "") }
	})
	got, err := p.Recorded(t.Context(), c, of(recordedBytes(p, c, plan.Identity{Seed: 1})))
	require.NoError(t, err)
	assert.Contains(t, got.Reason, "credential not accepted")
	assert.Empty(t, got.Steps)
	for _, r := range client.Sent() {
		assert.NotContains(t, string(r.Body), `"id":"`, "the recorded request is not sent")
	}
}

func TestARecordedFailureIsSentAgainByteForByteAndJudged(t *testing.T) {
	p, c, client, of := playing(t, lenient)
	own := recordedBytes(p, c, plan.Identity{Seed: 1})
	got, err := p.Recorded(t.Context(), c, of(own))
	require.NoError(t, err)
	sent := client.Sent()
	require.Len(t, sent, 2, "a baseline request shows that the target accepts any")
	want := bytes.Replace(own, []byte("$CONFORMANCE_TOKEN"), []byte(fake.Token), 1)
	assert.Equal(t, string(want), string(sent[1].Head)+string(sent[1].Body))
	require.Len(t, got.Failures, 1)
	assert.Equal(t, "newplant-id-integer", got.Failures[0].Requirement)
}

// A shrunk body is part of the plan's.
func TestAShrunkBodyIsRecognised(t *testing.T) {
	p, c, _, of := playing(t, conforming)
	own := recordedBytes(p, c, plan.Identity{Seed: 1})
	head, _, _ := bytes.Cut(own, []byte("\r\n\r\n"))
	for body, known := range map[string]bool{
		`{"name":"","id":""}`:             true,
		`{"id":""}`:                       true,
		`{"name":"b2","id":"7"}`:          true,
		`{"name":"b2","id":7}`:            true,  // a control: the plainest request
		`{"name":"b2","id":0}`:            false, // may be refused: no request of the case
		`{"name":"b2","id":"7"`:           false, // no JSON
		`{"name":"b2","id":"7","user":1}`: false, // a word that the plan does not know
		`{"name":"'; drop","id":"7"}`:     false,
		``:                                false,
	} {
		lines := strings.Split(string(head), "\r\n")
		for i := range lines {
			if strings.HasPrefix(lines[i], "Content-Length:") {
				lines[i] = "Content-Length: " + string(rune('0'+len(body)/10)) + string(rune('0'+len(body)%10))
				if len(body) < 10 {
					lines[i] = "Content-Length: " + string(rune('0'+len(body)))
				}
			}
		}
		_, err := p.Recorded(t.Context(), c, of([]byte(strings.Join(lines, "\r\n")+"\r\n\r\n"+body)))
		assert.Equal(t, known, err == nil, "%s: %v", body, err)
	}
}

// Whoever wrote the report, nothing is sent that the plan does not send.
func TestARequestThatIsNotThePlansIsNotSent(t *testing.T) {
	p, c, client, of := playing(t, conforming)
	own := string(recordedBytes(p, c, plan.Identity{Seed: 1}))
	for want, data := range map[string]string{
		"method DELETE, not POST":                    strings.Replace(own, "POST", "DELETE", 1),
		"path /admin, not /plants":                   strings.Replace(own, "/plants", "/admin", 1),
		"query x=1, which the plan does not send":    strings.Replace(own, "/plants", "/plants?x=1", 1),
		"HTTP/1.0, not HTTP/1.1":                     strings.Replace(own, "HTTP/1.1", "HTTP/1.0", 1),
		"field X-A: b, which the plan does not send": strings.Replace(own, "\r\n\r\n", "\r\nX-A: b\r\n\r\n", 1),
		"no field Accept: application/json":          strings.Replace(own, "Accept: application/json\r\n", "", 1),
		"its headers are in another order":           strings.Replace(strings.Replace(own, "Accept: application/json\r\n", "", 1), "\r\nUser-Agent", "\r\nAccept: application/json\r\nUser-Agent", 1),
		"its headers have no end":                    strings.Replace(own, "\r\n\r\n", "", 1),
		"field Authorization: Bearer x":              strings.Replace(own, "$CONFORMANCE_TOKEN", "x", 1),
	} {
		require.NotEqual(t, own, data, want)
		_, err := p.Recorded(t.Context(), c, of([]byte(data)))
		var differs *DiffersError
		if assert.ErrorAs(t, err, &differs, want) {
			assert.Equal(t, 1, differs.Request)
			assert.Contains(t, err.Error(), want)
		}
	}
	r := of([]byte(own))
	r.Steps[0].Parallel = true
	_, err := p.Recorded(t.Context(), c, r)
	assert.ErrorContains(t, err, "not sent in parallel")
	r = of([]byte(own))
	r.Steps[0].Request.Cut = 1
	_, err = p.Recorded(t.Context(), c, r)
	assert.ErrorContains(t, err, "too large for the report")
	r.Steps = nil
	_, err = p.Recorded(t.Context(), c, r)
	assert.ErrorContains(t, err, "has no request")
	assert.Empty(t, client.Sent())
}

// Asked to, the bytes are sent as they are: nothing is said of the answer, and the
// token goes to the target of the report alone.
func TestBytesOfAReportAreSentAsTheyAreOnlyOnDemandAndNotJudged(t *testing.T) {
	p, c, client, of := playing(t, lenient)
	data := strings.Replace(string(recordedBytes(p, c, plan.Identity{Seed: 1})), "POST /plants", "DELETE /admin", 1)
	r := of([]byte(data))
	r.AsRecorded, r.SameOrigin = true, false
	got, err := p.Recorded(t.Context(), c, r)
	require.NoError(t, err)
	assert.Contains(t, got.Reason, "the bytes in the report differ from the plan: request 1: method DELETE")
	assert.Contains(t, got.Reason, "the token was not sent")
	assert.Empty(t, got.Failures)
	sent := client.Sent()
	require.Len(t, sent, 1)
	assert.NotContains(t, string(sent[0].Head), fake.Token)
	assert.True(t, strings.HasPrefix(string(sent[0].Head), "DELETE /admin HTTP/1.1\r\nHost: target\r\n"))

	r.SameOrigin = true
	got, err = p.Recorded(t.Context(), c, r)
	require.NoError(t, err)
	assert.NotContains(t, got.Reason, "the token")
	assert.Contains(t, string(client.Sent()[1].Head), "Bearer "+fake.Token+"\r\n")
	assert.NotContains(t, string(got.Steps[0].Request.Data), fake.Token)

	r.Steps[0].Request.Data = []byte(strings.Replace(data, "$CONFORMANCE_TOKEN", "$(rm ${CONFORMANCE_TOKEN})", 1))
	_, err = p.Recorded(t.Context(), c, r)
	assert.ErrorContains(t, err, "was not made by this suite")
}

func TestAReplayThatIsInterruptedSaysSo(t *testing.T) {
	p, c, _, of := playing(t, conforming)
	ended, stop := context.WithCancel(t.Context())
	stop()
	got, err := p.Recorded(ended, c, of(recordedBytes(p, c, plan.Identity{Seed: 1})))
	require.NoError(t, err)
	assert.Equal(t, execute.EndedReason, got.Reason)
	assert.Empty(t, got.Failures)
}

// Whether the refusal of a valid request is a failure depends on what else is accepted: a replay asks for
// that again.
func TestAReplayOfARefusalSaysWhatTheRunSaid(t *testing.T) {
	const orders = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/orders: {post: {
		requestBody: {required: true, content: {application/json: {schema: {type: object, required: [item], properties: {item: {type: string},
			count: {type: integer, minimum: 1, maximum: 9}, way: {enum: [post, pickup]}, store: {type: string},
			line: {type: object, required: [note], properties: {note: {type: string}, kind: {enum: [a, b, c]}}}}}}}},
		responses: {"200": {description: d, content: {application/json: {schema: {}}}}, "400": {description: d, content: {application/json: {schema: {}}}}}}}}}`
	for name, row := range map[string]struct {
		id      string
		refuses func(body *jsontree.Value) bool
		level   report.Level
	}{
		"a bound": {"post-orders/valid/boundary-values/count/", func(b *jsontree.Value) bool {
			return b.Get("count") != nil && b.Get("count").Text == "9"
		}, report.Must},
		"a listed value beside a free one": {"post-orders/valid/boundary-values/line.kind/", func(b *jsontree.Value) bool {
			return b.TextAt("/line/kind") == "c"
		}, report.Must},
		"a listed value that needs a member": {"post-orders/valid/boundary-values/way/", func(b *jsontree.Value) bool {
			return b.TextAt("/way") == "pickup" && b.Get("store") == nil
		}, report.Suspected},
	} {
		doc := fake.Of(t, orders, fakerun.Mutators(t, "baseline", "optional-members", "boundary-values")...)
		client := &fake.Client{Serve: func(r *exchange.Request) *exchange.Exchange {
			if read, err := jsontree.Parse(r.Body); err == nil && row.refuses(read.Root) {
				return fake.Answer(400, "application/json", "{}")
			}
			return doc.Conforming(r)
		}}
		levels := map[report.Level]int{}
		for _, c := range doc.Plan.Cases {
			to := explore.New(doc.Over(client))
			j := judge.New(doc.Set, doc.Rules, doc.Plan, doc.Endpoint)
			j.Facts = to.Facts
			if !strings.HasPrefix(c.ID, row.id) {
				continue
			}
			for _, f := range NewPlayer(to, j, 0).Replay(t.Context(), c).Failures {
				levels[f.Level]++
				again := NewPlayer(explore.New(doc.Over(client)), j, 0).Again(t.Context(), c, Recorded{Endpoint: *doc.Endpoint}, f.Requirement)
				assert.Equal(t, report.StillFails, again.Outcome, name)
				assert.Equal(t, row.level, again.FailsLevel, name)
			}
		}
		assert.Equal(t, []report.Level{row.level}, slices.Collect(maps.Keys(levels)), "%s: %v", name, levels)
	}
}
