package exchange

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheLastPieceWaitsForTheGate: another request is answered between the pieces.
func TestTheLastPieceWaitsForTheGate(t *testing.T) {
	gate := NewGate()
	s, c := session(t, Options{Limits: Limits{Rest: time.Minute}}, func(_ int, p *peer) {
		first, last := make([]byte, 2), make([]byte, 4)
		p.head()
		_, _ = io.ReadFull(p.in, first)
		<-gate.Held()
		assert.Zero(t, p.in.Buffered())
		gate.Open()
		_, _ = io.ReadFull(p.in, last)
		assert.Equal(t, "ab+cdef", string(first)+"+"+string(last))
		p.say(ok("got it"))
		p.gone()
	})
	r := post(c, "abcdef")
	r.Cuts, r.Gate = []int{0, 2}, gate
	require.Nil(t, s.Do(t.Context(), r, 0).Failure)
}

func TestAGateThatNobodyOpensHoldsARequestForATimeOnly(t *testing.T) {
	s, c := session(t, Options{Limits: Limits{Rest: 300 * time.Millisecond}}, func(_ int, p *peer) {
		p.request()
		p.say(ok("got it"))
		p.gone()
	})
	r := post(c, "abcdef")
	r.Cuts, r.Gate = []int{0, 2}, NewGate()
	e := s.Do(t.Context(), r, 0)
	require.Nil(t, e.Failure)
	assert.GreaterOrEqual(t, e.Took, 300*time.Millisecond)
}
