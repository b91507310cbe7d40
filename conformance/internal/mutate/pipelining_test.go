package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
