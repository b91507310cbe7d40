package client

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/internal/limits"
)

// sized is an answer with a body of so many bytes.
func sized(n int) *exchange.Exchange {
	return &exchange.Exchange{Response: &exchange.Response{Content: make([]byte, n)}}
}

func TestLargeAnswersAreReadOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // which ends where nothing goes on
		f := NewFlight()
		soon, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		leave, ok := f.Enter(t.Context(), sized(maxRead+1))
		assert.True(t, ok, "an answer above the whole bound is read too")
		_, ok = f.Enter(soon, sized(smallRead))
		assert.True(t, ok, "a small one does not count")
		_, ok = f.Enter(soon, &exchange.Exchange{})
		assert.True(t, ok, "nor does none")
		_, ok = f.Enter(soon, sized(smallRead+1))
		assert.False(t, ok, "the bound is reached")
		leave()
		for range 3 {
			leave, ok = f.Enter(t.Context(), sized(maxRead))
			assert.True(t, ok, "leave frees it")
			leave()
		}
	})
}

func TestOnlySoManyAnswersAreReceivedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFlight()
		var leave func()
		for range maxExchanges {
			l, ok := f.Exchange(t.Context())
			assert.True(t, ok)
			leave = l
		}
		soon, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		_, ok := f.Exchange(soon)
		assert.False(t, ok)
		leave()
		_, ok = f.Exchange(t.Context())
		assert.True(t, ok)
	})
}

func TestAWaitIsJustifiedByThePaceAndByTheSlowestInAHundred(t *testing.T) {
	var even, uneven Meter
	for n := range 200 {
		even.Answered(10 * time.Millisecond)
		uneven.Answered(10 * time.Millisecond)
		if n%50 == 0 {
			uneven.Answered(3 * time.Second)
		}
	}
	assert.Equal(t, limits.PaceFactor*10*time.Millisecond, even.Justifies())
	assert.Equal(t, 6*time.Second, uneven.Justifies(), "twice what one in fifty takes")
	median, slowest := uneven.Summary()
	assert.Equal(t, []time.Duration{10 * time.Millisecond, 3 * time.Second}, []time.Duration{median, slowest})
}

func TestTheMedianIsInTheMiddle(t *testing.T) {
	var m Meter
	assert.Zero(t, m.Median())
	for _, d := range []time.Duration{9, 1, 5} {
		m.Answered(d)
	}
	assert.Equal(t, time.Duration(5), m.Median())
}

func TestARunWaitsForThrottledCredentialsForALimitedTimeInAll(t *testing.T) {
	var m Meter
	assert.True(t, m.Affords(limits.LockoutWait/2))
	assert.False(t, m.Affords(limits.LockoutWait), "what is not waited does not count")
	assert.True(t, m.Affords(limits.LockoutWait/2))
	assert.False(t, m.Affords(time.Millisecond))
}
