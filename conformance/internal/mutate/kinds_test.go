package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

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
				out = append(out, played{s, c, c.Build(generate.Probe(s.Op), draw)})
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
	return plain(m) && (!m.Op.HasJSON() || m.Reading().Kind == openapi.MustAccept)
}

// refused reports whether a message must be refused for its body or its credential.
func refused(m *message.Message) bool {
	return m.Credentials != nil || m.Op.HasJSON() && m.Reading().Kind >= openapi.Invalid
}

func TestTheLastRequestIsWhatTheClassSays(t *testing.T) {
	for _, m := range Sequences() {
		for _, p := range playedOf(t, m) {
			switch p.class.Expected {
			case plan.ExpectMustAccept:
				assert.True(t, valid(p.last()), "%s: %s", m.Name, p.class.Kind)
			case plan.ExpectRefusedCredential:
				assert.NotNil(t, p.last().Credentials, "%s: %s", m.Name, p.class.Kind)
			}
		}
	}
}

func TestTheSameDrawGivesTheSameBytes(t *testing.T) {
	for _, s := range spaces(t) {
		for _, m := range Sequences() {
			for _, c := range m.Classes(s) {
				one, two := c.Build(generate.Probe(s.Op), 0), c.Build(generate.Probe(s.Op), 0)
				require.Len(t, two, len(one), c.Kind)
				for i := range one {
					assert.Equal(t, one[i].Message.Body(), two[i].Message.Body(), c.Kind)
				}
			}
		}
	}
}

func TestAFollowingRequestTravelsInEveryWay(t *testing.T) {
	m := generate.Probe(spaces(t)[0].Op).Baseline()
	assert.Equal(t, plan.Step{Message: m}, follow(m, 0))
	assert.Equal(t, plan.Step{Message: m, Fresh: true}, follow(m, 1))
	assert.Equal(t, plan.Step{Message: m, Connection: 1}, follow(m, 2))
	assert.Equal(t, follow(m, 0), follow(m, ways))
}
