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

func TestEveryRetryPlaceLiesInItsRange(t *testing.T) {
	seen := map[int]bool{}
	for retry := 1; retry <= (LongOpening-LastOffset)/RetryStride; retry++ {
		n := RetryNumber(retry)
		assert.True(t, n >= LastOffset && n+RetryStride <= LongOpening && !seen[n], "place %d", retry)
		seen[n] = true
	}
	assert.Equal(t, LastOffset, RetryNumber(len(seen)+1), "then the first one comes again")
}
