package client

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestEachPauseOfARetryIsTwiceAsLongAndNoneEndsTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRetry()
		var took []time.Duration
		for r.Within(300 * time.Millisecond) {
			assert.True(t, r.Pause(t.Context()))
			took = append(took, r.Took())
		}
		assert.Equal(t, []time.Duration{20 * time.Millisecond, 60 * time.Millisecond, 140 * time.Millisecond, 300 * time.Millisecond}, took)
	})
}

func TestARetryEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	assert.False(t, NewRetry().Pause(ctx))
	assert.False(t, NewRetry().Within(0))
}
