package conformance

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestAfterTheTimeLimitThereIsTimeToDeleteWhatWasMadeUnlessTheUserInterrupts(t *testing.T) {
	outer, interrupt := context.WithCancel(t.Context())
	run, cancel := context.WithDeadline(outer, time.Now().Add(-time.Second))
	defer cancel()
	after, done := afterwards(run, outer, time.Hour)
	defer done()
	assert.NoError(t, after.Err())
	interrupt()
	assert.ErrorIs(t, after.Err(), context.Canceled)
	late, done := afterwards(run, outer, time.Hour)
	defer done()
	assert.Error(t, late.Err())
	running, done := afterwards(t.Context(), t.Context(), time.Hour)
	defer done()
	assert.NoError(t, running.Err())
}
