package sample_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/internal/sample"
)

// names are as the lists have them.
func names() []string {
	var out []string
	for i := range 1000 {
		out = append(out, fmt.Sprintf("entry %d", i))
	}
	return out
}

func TestAnEntryStaysInTheSampleWhateverOthersThereAre(t *testing.T) {
	sample.Long(t)
	all := names()
	some := sample.Of(all, 10)
	assert.Subset(t, some, sample.Of(all[:500], 10))
	assert.Contains(t, some, "entry 18", "the hash of a name is the same today and tomorrow")
	for _, name := range some {
		assert.True(t, sample.Has(name, 10), name)
	}
	assert.Equal(t, all, sample.Of(all, 1))
	assert.Equal(t, names(), all, "the list itself is kept")
}

func TestOneTestInSoManyIsRunByItsName(t *testing.T) {
	sample.Long(t)
	var ran []string
	for _, name := range names()[:100] {
		t.Run(name, func(t *testing.T) {
			sample.OneIn(t, 10)
			ran = append(ran, t.Name())
		})
	}
	for _, name := range ran {
		assert.True(t, sample.Has(name, 10), name)
	}
	assert.NotEmpty(t, ran)
}
