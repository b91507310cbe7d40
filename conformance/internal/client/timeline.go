package client

import (
	"sync"
	"time"

	"plantstore/conformance/report"
)

const (
	intervals = 60               // of a timeline at most
	narrowest = time.Millisecond // interval
)

// Timeline counts what happens while a run lasts. Nobody knows before how long that is,
// so it begins with short intervals and joins each two of them when it has too many. The
// zero value is empty.
type Timeline struct {
	mu    sync.Mutex
	start time.Time
	width time.Duration
	list  []report.Interval // one after the other, from 0
}

// Sent counts a request. The first one begins the timeline.
func (t *Timeline) Sent(at time.Time, answered bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.start.IsZero() {
		t.start = at
	}
	x := report.Interval{From: at.Sub(t.start), Requests: 1}
	if !answered {
		x.Unanswered = 1
	}
	t.add(x)
}

// Failed counts a case that failed.
func (t *Timeline) Failed(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.start.IsZero() { // else nothing was sent
		t.add(report.Interval{From: at.Sub(t.start), FailedCases: 1})
	}
}

// AddAll counts what another timeline has, as if both had begun together.
func (t *Timeline) AddAll(other report.Timeline) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(other.Intervals) > 0 {
		t.widen(other.Width)
	}
	for _, x := range other.Intervals {
		t.add(x)
	}
}

// Report returns the intervals in which something happened.
func (t *Timeline) Report() report.Timeline {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := report.Timeline{Width: t.width}
	for i, x := range t.list {
		if x.Requests+x.FailedCases > 0 {
			x.From = time.Duration(i) * t.width
			out.Intervals = append(out.Intervals, x)
		}
	}
	return out
}

// add counts in the interval of x.From. What came before the first request, which another
// goroutine may have counted later, belongs to the first interval.
func (t *Timeline) add(x report.Interval) {
	x.From = max(x.From, 0)
	t.width = max(t.width, narrowest)
	for x.From/t.width >= intervals {
		t.widen(2 * t.width)
	}
	i := int(x.From / t.width)
	for len(t.list) <= i {
		t.list = append(t.list, report.Interval{})
	}
	t.list[i].Requests += max(x.Requests, 0)
	t.list[i].Unanswered += max(x.Unanswered, 0)
	t.list[i].FailedCases += max(x.FailedCases, 0)
}

// widen makes the intervals at least so wide.
func (t *Timeline) widen(width time.Duration) {
	t.width = max(t.width, narrowest)
	for t.width < width {
		var joined []report.Interval
		for i, x := range t.list {
			if i%2 == 0 {
				joined = append(joined, x)
				continue
			}
			last := &joined[len(joined)-1]
			last.Requests += x.Requests
			last.Unanswered += x.Unanswered
			last.FailedCases += x.FailedCases
		}
		t.list = joined
		if t.width > 1<<61 {
			return // as wide as a Duration can say
		}
		t.width *= 2
	}
}
