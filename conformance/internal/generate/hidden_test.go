package generate

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAFreshNumberTellsNothingAboutItsPlaceInThePlan(t *testing.T) {
	for _, seed := range []uint64{1, 2, 1 << 52} {
		g := &Gen{id: Identity{Seed: seed}}
		seen := make([]bool, window)
		below, rising := 0, 0
		var before int64
		for i := range int64(window) {
			n := g.hidden(5*window + i + 1)
			at := n - 1 - 5*window
			if !assert.True(t, at >= 0 && at < window && !seen[at], "%d is outside, or there already", n) {
				return
			}
			seen[at] = true
			if i < window/2 && at < window/2 {
				below++
			}
			if n > before {
				rising++
			}
			before = n
		}
		// Half of the first half lies below the middle, and every second number
		// is larger than the one before.
		assert.InDelta(t, window/4, below, window/100)
		assert.InDelta(t, window/2, rising, window/100)
	}
	a, b := &Gen{id: Identity{Seed: 1}}, &Gen{id: Identity{Seed: 2}}
	assert.NotEqual(t, a.hidden(1), b.hidden(1))
}
