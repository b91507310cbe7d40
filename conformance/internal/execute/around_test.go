package execute_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// TestRequestsAreAnsweredBetweenTheHalvesOfAnother: what a server keeps of the half that
// is there must not depend on which connection it happens to serve first.
func TestRequestsAreAnsweredBetweenTheHalvesOfAnother(t *testing.T) {
	var order []bool // whether each answer is that to the half
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if of(c, "half") {
			order = append(order, c.Request.Gate != nil)
		}
		return d.Conforming(c.Request)
	}
	half := sequence("half", 1, 3, func(steps []plan.Step) {
		for i := range steps {
			steps[i].Connection, steps[i].Parallel = i, true
		}
		steps[0].Message.Framing = message.Pieces
	})
	play(t, script{serve: serve, cases: []plan.Mutator{half}}, func(t *testing.T, s scene) {
		assert.Equal(t, []bool{false, false, true}, order)
		assert.Less(t, s.took, time.Second)
		r := s.Record(s.of("half")[0])
		assert.Empty(t, r.Failures)
	})
}

func TestARequestInPiecesThatNothingIsBesideIsNotHeld(t *testing.T) {
	held := false
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		held = held || c.Request.Gate != nil
		return d.Conforming(c.Request)
	}
	alone := sequence("alone", 1, 2, func(steps []plan.Step) { steps[0].Message.Framing = message.Pieces })
	play(t, script{serve: serve, cases: []plan.Mutator{alone}}, func(t *testing.T, s scene) {
		require.Len(t, s.sent("alone"), 2)
		assert.False(t, held)
	})
}
