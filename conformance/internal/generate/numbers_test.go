package generate

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheRangesOfFreshNumbersFillAWindowAndNeverOverlap(t *testing.T) {
	end := 0
	for _, r := range Ranges() {
		assert.Equal(t, end, r.First, r.Purpose)
		assert.Greater(t, r.End, r.First, r.Purpose)
		end = r.End
	}
	assert.Equal(t, window, end)
}

func TestEveryTwinPlaceLiesInItsRange(t *testing.T) {
	seen := map[int]bool{}
	for twin := 1; twin <= (LongOpening-LastOffset)/TwinStride; twin++ {
		n := TwinNumber(twin)
		assert.True(t, n >= LastOffset && n+TwinStride <= LongOpening && !seen[n], "place %d", twin)
		seen[n] = true
	}
	assert.Equal(t, LastOffset, TwinNumber(len(seen)+1), "then the first one comes again")
}
