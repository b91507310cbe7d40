package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/internal/limits"
)

// limited is a 429, with a Retry-After where one is given.
func limited(after string) *exchange.Exchange {
	e := &exchange.Exchange{Response: &exchange.Response{Status: 429}}
	if after != "" {
		e.Response.Fields = []exchange.Field{{Name: "Retry-After", Value: after}}
	}
	return e
}

func TestTheWaitIsAsLongAsRetryAfterSays(t *testing.T) {
	wait := func(after string) time.Duration {
		d, asked := new(Throttle).Patience(limited(after), 0)
		assert.True(t, asked)
		return d
	}
	assert.Equal(t, 7*time.Second, wait("7"))
	assert.Equal(t, time.Duration(0), wait("0"))
	assert.Equal(t, time.Hour, wait("999999999"), "no hint makes the wait overflow")
	assert.Equal(t, limits.ThrottleFirst, wait("-5"), "a number below 0 is no hint")
	assert.Equal(t, limits.ThrottleFirst, wait("soon"), "nor is a word")
	later := time.Now().Add(time.Minute).UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT")
	assert.LessOrEqual(t, wait(later), time.Minute, "a date (RFC 9110, 10.2.3)")
	assert.NotEqual(t, limits.ThrottleFirst, wait(later))
	assert.Equal(t, time.Duration(0), wait("Wed, 21 Oct 2015 07:28:00 GMT"), "a date that has passed")
}

func TestTheWaitWithoutAHintDoublesUpToALimit(t *testing.T) {
	throttle := new(Throttle)
	for tries, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64, 64, 64} {
		d, _ := throttle.Patience(limited(""), tries)
		assert.Equal(t, want*limits.ThrottleFirst, d, tries)
	}
}
