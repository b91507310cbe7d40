package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestARunOfManyCasesMayTakeMoreMemory(t *testing.T) {
	before := ceiling.Load()
	defer ceiling.Store(before)
	for cases, want := range map[int]int64{0: roomy, manyCases: roomy, manyCases + 1000: roomy + 1000*perCase, 10_000_000: maxCases} {
		ceiling.Store(roomy)
		busier(cases)
		assert.Equal(t, want, ceiling.Load(), cases)
	}
	ceiling.Store(generousHeap)
	busier(10_000_000)
	assert.Equal(t, int64(generousHeap), ceiling.Load(), "the self-test has its own")
}

func TestTheLimitIsThatOfTheWorkAndNeverBelowTheLiveData(t *testing.T) {
	assert.EqualValues(t, heap, limitFor(1<<20, maxCases))
	assert.EqualValues(t, maxCases, limitFor(400<<20, maxCases), "twice the live data would be more than 512 MiB")
	assert.EqualValues(t, 900<<20, limitFor(800<<20, maxCases))
}
