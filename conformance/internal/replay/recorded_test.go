package replay

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
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
	j := New(d.Target(d.Conforming), judge.New(d.Set, d.Rules, d.Plan, d.Endpoint), 0)
	c := d.Plan.Find("post-plants/invalid/wrong-types/id/string/0")
	require.NotNil(t, c)
	return j, c, func(data []byte, cuts ...int) Recorded {
		return Recorded{Endpoint: *j.target.Endpoint, Failure: report.Failure{Steps: []report.Step{{Connection: 1, Cuts: cuts, Request: report.Bytes{Data: data}}}}}
	}
}

// recordedBytes is what a report holds of a case.
func recordedBytes(j *Player, c *plan.Case, id generate.Identity) []byte {
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
		for _, id := range []generate.Identity{{Seed: 1}, {Seed: 1, Retry: 1 + i}, {Seed: 1, Generation: 3}} {
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
	own := recordedBytes(j, c, generate.Identity{Seed: 1})
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
	m := j.target.Plan.Build(c, generate.Identity{Seed: 1})[0].Message.Clone()
	m.Order = message.UsualOrder
	shown := j.target.Endpoint.Shown(m, c.ID)
	_, err := j.recognise(c, of(append(shown.Head, shown.Body...)))
	require.NoError(t, err)
	m.Order = message.CredentialFirst
	shown = j.target.Endpoint.Shown(m, c.ID)
	_, err = j.recognise(c, of(append(shown.Head, shown.Body...)))
	require.ErrorContains(t, err, "its headers are in another order")
}
