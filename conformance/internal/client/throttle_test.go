package client

import (
	"context"
	"math/rand"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/internal/limits"
)

// server tells at a time whether a request is served, and what to wait if not.
type server func(now time.Duration) (ok bool, wait time.Duration)

// perSecond serves so many requests in each second of the clock.
func perSecond(n int, wait time.Duration) server {
	second, count := time.Duration(-1), 0
	return func(now time.Duration) (bool, time.Duration) {
		if s := now / time.Second; s != second {
			second, count = s, 0
		}
		count++
		return count <= n, wait
	}
}

// bucket serves a burst, and then so many a second.
func bucket(burst, rate float64, wait time.Duration) server {
	tokens, last := burst, time.Duration(0)
	return func(now time.Duration) (bool, time.Duration) {
		tokens, last = min(burst, tokens+(now-last).Seconds()*rate), now
		if tokens < 1 {
			return false, wait
		}
		tokens--
		return true, 0
	}
}

// took plays requests by eight workers in a time of its own: each answer takes a
// millisecond.
func took(t *Throttle, serves server, requests int) (all time.Duration, limited int) {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var free [8]time.Duration
	tries := [8]int{}
	for done := 0; done < requests; {
		w := 0
		for i := range free {
			if free[i] < free[w] {
				w = i
			}
		}
		now := free[w]
		if d := t.wait(began.Add(now)); d > 0 {
			free[w] += d
			continue
		}
		free[w] += time.Millisecond
		ok, wait := serves(now)
		t.Landed()
		if ok {
			t.Answered(began.Add(free[w]))
			done, tries[w] = done+1, 0
			continue
		}
		limited++
		if wait == 0 {
			wait = limits.ThrottleFirst << min(tries[w], 6)
			if t.hopeless {
				wait = hopelessWait << min(tries[w], 6)
			}
		}
		tries[w]++
		t.Limited(began.Add(free[w]), began.Add(now), wait, true)
	}
	for _, f := range free {
		all = max(all, f)
	}
	return all, limited
}

func TestALimitOnRequestsIsPacedAndNotSleptThrough(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	busy := time.Second
	for name, c := range map[string]struct {
		serves   server
		requests int
		maximum  time.Duration // far below what sleeping takes
	}{
		"400 a second, Retry-After":     {perSecond(400, time.Second), 7500, 30 * time.Second},
		"400 a second":                  {perSecond(400, 0), 7500, 30 * time.Second},
		"600 a second, Retry-After":     {perSecond(600, time.Second), 7500, 22 * time.Second},
		"bucket of 100, 50 a second":    {bucket(100, 50, time.Second), 2000, 60 * time.Second},
		"bucket of 1, 20 a second":      {bucket(1, 20, time.Second), 500, 75 * time.Second},
		"bucket of 20, 200 a second":    {bucket(20, 200, 0), 5000, 40 * time.Second},
		"one in ten, whatever the rate": {func(time.Duration) (bool, time.Duration) { return random.Intn(10) > 0, 0 }, 7500, 60 * time.Second},
		"busy for a second":             {func(now time.Duration) (bool, time.Duration) { return now > busy, time.Second }, 7500, 10 * time.Second},
		"busy once": {func(now time.Duration) (bool, time.Duration) {
			return now < 10*time.Millisecond || now > busy, time.Second
		}, 7500, 15 * time.Second},
	} {
		all, limited := took(new(Throttle), c.serves, c.requests)
		t.Logf("%s: %s, %d limited", name, all.Round(10*time.Millisecond), limited)
		assert.Less(t, all, c.maximum, name)
	}
}

func TestOnly429And503WithRetryAfterAskToWait(t *testing.T) {
	for _, c := range []struct {
		status int
		after  string
		want   bool
	}{{429, "", true}, {429, "2", true}, {503, "2", true}, {503, "", false}, {500, "2", false}, {200, "", false}} {
		e := &exchange.Exchange{Response: &exchange.Response{Status: c.status}}
		if c.after != "" {
			e.Response.Fields = []exchange.Field{{Name: "Retry-After", Value: c.after}}
		}
		_, got := new(Throttle).Timeout(e, 0)
		assert.Equal(t, c.want, got, "%d %s", c.status, c.after)
	}
}

// clock starts at a second that means nothing.
func clock() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) }

// served sends and answers n requests at one moment.
func served(t *Throttle, now time.Time, n int) {
	for range n {
		t.wait(now)
		t.Landed()
		t.Answered(now)
	}
}

func TestNothingIsSentWhileTheTargetAsksToWait(t *testing.T) {
	var throttle Throttle
	now := clock()
	throttle.Limited(now, now, 5*time.Second, true)
	assert.Equal(t, 4*time.Second, throttle.wait(now.Add(time.Second)))
	throttle.Limited(now, now, time.Second, true)
	assert.Equal(t, 5*time.Second, throttle.wait(now), "a shorter wait does not end a longer one")
	assert.Zero(t, throttle.wait(now.Add(5*time.Second)))
	assert.Equal(t, 5*time.Second, throttle.Told().Waited, "waits at the same time count once")
	assert.Equal(t, 2, throttle.Told().Answers)
}

func TestOnceTheTargetAskedToWaitOneRequestIsInFlightAtATime(t *testing.T) {
	var throttle Throttle
	now := clock()
	served(&throttle, now, 3)
	throttle.Limited(now, now, time.Second, true)
	later := now.Add(time.Second)
	assert.Zero(t, throttle.wait(later))
	assert.Equal(t, landingPause, throttle.wait(later), "one is under way")
	throttle.Landed()
	assert.Zero(t, throttle.wait(later))
}

func TestTheRefusalsOfOneMomentCountOnce(t *testing.T) {
	var throttle Throttle
	now := clock()
	served(&throttle, now, 3)
	at := now.Add(time.Second)
	throttle.Limited(at, now, time.Second, true)
	throttle.Answered(at)
	throttle.Limited(at, now, time.Second, true) // it was sent before the first refusal came
	assert.Zero(t, throttle.Told().Rate, "no rate is learned before one at a time was too much")
}

func TestWhatSaysNothingAboutARateTeachesNone(t *testing.T) {
	var throttle Throttle
	now := clock()
	for range 3 {
		served(&throttle, now, 3)
		throttle.Limited(now, now, growPause/10, false)
		now = now.Add(growPause / 10)
	}
	assert.Zero(t, throttle.Told().Rate)
	assert.Zero(t, throttle.wait(now))
	assert.Zero(t, throttle.wait(now), "any number may be under way")
}

// learned is a throttle that learned a rate of some ten a second, and the time.
func learned(t *testing.T) (*Throttle, time.Time) {
	throttle, now := new(Throttle), clock()
	for range 2 {
		served(throttle, now, 10)
		throttle.Limited(now, now, growPause-1, true)
		now = now.Add(growPause - 1) // it grows again after that
	}
	assert.InDelta(t, 10, throttle.Told().Rate, 3)
	return throttle, now
}

// inASecond is how many requests a throttle lets pass in a second, up to 1000.
func inASecond(throttle *Throttle, from time.Time) (n int) {
	for now := from; n < 1000 && now.Before(from.Add(time.Second)); {
		if d := throttle.wait(now); d > 0 {
			now = now.Add(d)
			continue
		}
		throttle.Landed()
		n++
	}
	return n
}

func TestALearnedRateIsKept(t *testing.T) {
	throttle, now := learned(t)
	assert.InDelta(t, throttle.Told().Rate, inASecond(throttle, now), 5)
}

func TestARateThatWasTooMuchIsApproachedSlowlyAndForgottenInTime(t *testing.T) {
	throttle, now := learned(t)
	served(throttle, now, 20)
	now = now.Add(time.Second)
	throttle.Limited(now, now, time.Second, true)
	ceiling := throttle.ceiling
	for range 10 {
		now = now.Add(growPause)
		throttle.Answered(now)
		assert.LessOrEqual(t, throttle.rate, ceiling, "it is known to be too much")
	}
	now = now.Add(ceilingKept)
	for range 5 {
		now = now.Add(growPause)
		throttle.Answered(now)
	}
	assert.Greater(t, throttle.rate, 2*ceiling, "a target that was busy once is fast again")
}

func TestWhereALowerRateServesNoMoreNoneIsKept(t *testing.T) {
	throttle, now := learned(t)
	for range stuckMax + 1 {
		served(throttle, now, 1)
		now = now.Add(10 * time.Second)
		throttle.Limited(now, now, time.Second, true)
	}
	assert.Equal(t, 1000, inASecond(throttle, now.Add(time.Second)), "it does not limit a rate")
	d, _ := throttle.Timeout(limited(""), 0)
	assert.Equal(t, hopelessWait, d)
}

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
		d, asked := new(Throttle).Timeout(limited(after), 0)
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
		d, _ := throttle.Timeout(limited(""), tries)
		assert.Equal(t, want*limits.ThrottleFirst, d, tries)
	}
}

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
