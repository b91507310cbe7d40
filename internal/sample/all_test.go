//go:build slow

package sample_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/internal/sample"
)

func TestWithTheTagEveryEntryIsTried(t *testing.T) {
	sample.Long(t)
	assert.Equal(t, names(), sample.Of(names(), 10))
	ran := false
	t.Run("slow", func(t *testing.T) {
		sample.Slow(t)
		ran = true
	})
	assert.True(t, ran)
}
