package client

import (
	"math/rand"
	"testing"
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
		most     time.Duration // far below what sleeping takes
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
		assert.Less(t, all, c.most, name)
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
		_, got := new(Throttle).Patience(e, 0)
		assert.Equal(t, c.want, got, "%d %s", c.status, c.after)
	}
}
