package mutate

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

const framedBody = `{"name":"a"}`

// received is what net/http reads as the body of a request that is framed so.
func received(t *testing.T, way reframed) (string, error) {
	t.Helper()
	fields, after := way([]byte(framedBody))
	head, err := exchange.BuildHead(exchange.UsualVersion, "POST", "/", append([]exchange.Field{{Name: "Host", Value: "a"}}, fields...))
	require.NoError(t, err)
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(append(head, after...))))
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r.Body)
	return string(b), err
}

// waysOf returns the framings of a kind.
func waysOf(t *testing.T, kind string) []reframed {
	t.Helper()
	for _, f := range framings {
		if f.kind == kind {
			return f.ways
		}
	}
	require.Fail(t, "no such kind", kind)
	return nil
}

func TestUnusualFramingCarriesTheWholeBody(t *testing.T) {
	for _, kind := range []string{"chunks-unusual", "length-and-chunks"} {
		for i, way := range waysOf(t, kind) {
			got, err := received(t, way)
			require.NoError(t, err, "%s %d", kind, i)
			assert.Equal(t, framedBody, got, "%s %d", kind, i)
		}
	}
	got, err := received(t, waysOf(t, "length-repeated")[0])
	require.NoError(t, err)
	assert.Equal(t, framedBody, got)
}

func TestMalformedFramingCannotBeRead(t *testing.T) {
	for _, kind := range []string{"lengths-differ", "length-too-large", "chunks-malformed", "chunks-end-early"} {
		for i, way := range waysOf(t, kind) {
			_, err := received(t, way)
			assert.Error(t, err, "%s %d", kind, i)
		}
	}
}

func TestAMalformedLengthIsNoNumber(t *testing.T) {
	for _, way := range waysOf(t, "length-malformed") {
		fields, after := way([]byte(framedBody))
		require.Len(t, fields, 1)
		_, err := strconv.ParseUint(fields[0].Value, 10, 62)
		assert.True(t, err != nil || fields[0].Value[0] == '+', "%q", fields[0].Value)
		assert.Equal(t, framedBody, string(after))
	}
}

func TestALengthThatIsTooSmallLeavesBytesBehind(t *testing.T) {
	for i, way := range waysOf(t, "length-too-small") {
		fields, after := way([]byte(framedBody))
		n := 0
		for _, f := range fields {
			n, _ = strconv.Atoi(f.Value)
		}
		assert.Less(t, n, len(after), "%d", i)
	}
}

func TestTheNextRequestTravelsApartFromBytesThatNobodyUnderstands(t *testing.T) {
	for _, p := range playedOf(t, brokenFraming) {
		require.Len(t, p.steps, 2)
		assert.Equal(t, message.AsIs, p.steps[0].Message.Framing)
		assert.Equal(t, message.Length, p.steps[1].Message.Framing)
		whole := p.class.Kind == "length-repeated" || p.class.Kind == "chunks-unusual"
		assert.Equal(t, !whole, p.steps[1].Fresh, p.class.Kind)
	}
}

func TestOnlyTheFirstClientEndsItsHalf(t *testing.T) {
	for _, p := range playedOf(t, halfClosed) {
		require.Len(t, p.steps, 2)
		assert.True(t, p.steps[0].Message.Ends)
		assert.Equal(t, p.class.Kind == "half-closed-refused", refused(p.steps[0].Message))
		assert.False(t, p.steps[1].Message.Ends)
		assert.True(t, p.steps[1].Fresh)
	}
}

func TestARowInOnePieceBeginsOnANewConnection(t *testing.T) {
	for _, p := range playedOf(t, pipelining) {
		assert.True(t, p.steps[0].Fresh, p.class.Kind)
		assert.False(t, p.steps[0].Behind, p.class.Kind)
		for _, s := range p.steps[1:] {
			assert.True(t, s.Behind, "%s: it is sent with the one before", p.class.Kind)
			assert.False(t, s.Fresh, p.class.Kind)
			assert.Zero(t, s.Connection, p.class.Kind)
		}
	}
}

func TestRefusedRequestsStandWhereTheirKindSays(t *testing.T) {
	list := playedOf(t, pipelining)
	for name, want := range map[string][]bool{ // whether each is refused
		"pipelined":                  {false, false, false},
		"pipelined-after-refused":    {true, false},
		"pipelined-mixed":            {false, true, false},
		"pipelined-credentials":      {false, true, false},
		"pipelined-then-credentials": {false, true},
	} {
		require.NotEmpty(t, kind(list, name), name)
		for _, p := range kind(list, name) {
			var got []bool
			for _, s := range p.steps {
				got = append(got, refused(s.Message))
			}
			assert.Equal(t, want, got, name)
		}
	}
}

// played is a case of a sequence for one operation.
type played struct {
	op    *plan.Space
	class plan.Class
	steps []plan.Step
}

// of returns all cases of a sequence for the documents of the tests.
func playedOf(t *testing.T, m plan.Mutator) []played {
	t.Helper()
	var out []played
	for _, s := range spaces(t) {
		for _, c := range m.Classes(s) {
			for draw := range c.Cases {
				out = append(out, played{s, c, c.Build(plan.Probe(s.Op), draw)})
			}
		}
	}
	require.NotEmpty(t, out, "no document has a case of %s", m.Name)
	return out
}

// kind returns the cases of one kind.
func kind(list []played, name string) []played {
	var out []played
	for _, p := range list {
		if p.class.Kind == name {
			out = append(out, p)
		}
	}
	return out
}

func (p played) last() *message.Message { return p.steps[len(p.steps)-1].Message }

// plain reports whether a message is sent as usual and with the right credential.
func plain(m *message.Message) bool {
	return m.Credentials == nil && m.Raw == nil && m.Framing == message.Length && !m.Ends && m.Rest == message.RestNever
}

// valid reports whether a message must be accepted, as far as its body says.
func valid(m *message.Message) bool {
	return plain(m) && (!m.Op.HasJSON() || m.Reading().Kind == schema.MustAccept)
}

// refused reports whether a message must be refused for its body or its credential.
func refused(m *message.Message) bool {
	return m.Credentials != nil || m.Op.HasJSON() && m.Reading().Kind >= schema.Invalid
}

func TestTheLastRequestIsWhatTheClassSays(t *testing.T) {
	for _, m := range Sequences() {
		for _, p := range playedOf(t, m) {
			switch p.class.Expected {
			case message.Accept:
				assert.True(t, valid(p.last()), "%s: %s", m.Name, p.class.Kind)
			case message.RefuseCredential:
				assert.NotNil(t, p.last().Credentials, "%s: %s", m.Name, p.class.Kind)
			}
		}
	}
}

func TestTheSameDrawGivesTheSameBytes(t *testing.T) {
	for _, s := range spaces(t) {
		for _, m := range Sequences() {
			for _, c := range m.Classes(s) {
				one, two := c.Build(plan.Probe(s.Op), 0), c.Build(plan.Probe(s.Op), 0)
				require.Len(t, two, len(one), c.Kind)
				for i := range one {
					assert.Equal(t, one[i].Message.Body(), two[i].Message.Body(), c.Kind)
				}
			}
		}
	}
}

func TestAFollowingRequestTravelsInEveryWay(t *testing.T) {
	m := plan.Probe(spaces(t)[0].Op).Baseline()
	assert.Equal(t, plan.Step{Message: m}, follow(m, 0))
	assert.Equal(t, plan.Step{Message: m, Sending: plan.Sending{Fresh: true}}, follow(m, 1))
	assert.Equal(t, plan.Step{Message: m, Sending: plan.Sending{Connection: 1}}, follow(m, 2))
	assert.Equal(t, follow(m, 0), follow(m, ways))
}
