package client

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

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
	for range stuckMost + 1 {
		served(throttle, now, 1)
		now = now.Add(10 * time.Second)
		throttle.Limited(now, now, time.Second, true)
	}
	assert.Equal(t, 1000, inASecond(throttle, now.Add(time.Second)), "it does not limit a rate")
	d, _ := throttle.Patience(limited(""), 0)
	assert.Equal(t, hopelessWait, d)
}
