//go:build !slow

package sample_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/internal/sample"
)

func TestTheSampleOfALongListIsAboutOneInSoMany(t *testing.T) {
	sample.Long(t)
	assert.InDelta(t, 100, len(sample.Of(names(), 10)), 30)
	ran := t.Run("slow", func(t *testing.T) {
		sample.Slow(t)
		t.Error("it is run without the tag")
	})
	assert.True(t, ran)
}
