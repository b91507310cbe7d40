package client

import (
	"slices"
	"sync"
	"time"

	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// bounds are where the buckets of a histogram begin: ten for each power of ten, at the
// preferred numbers R10 of ISO 3, so that a bucket is at most 28 percent wider than its
// begin and a reader sees round numbers. The first bucket begins at 0, and the last one,
// at 2.7 hours, has no end.
var bounds = preferred(time.Microsecond, 10)

func preferred(first time.Duration, powers int) []time.Duration {
	out := []time.Duration{0}
	for range powers {
		for _, percent := range []time.Duration{100, 125, 160, 200, 250, 315, 400, 500, 630, 800} {
			out = append(out, first*percent/100)
		}
		first *= 10
	}
	return append(out, first)
}

// Histogram counts times in buckets. The zero value is empty. It is not safe for
// concurrent use.
type Histogram struct{ counts []int }

// Add counts a time n times.
func (h *Histogram) Add(d time.Duration, n int) {
	if h.counts == nil {
		h.counts = make([]int, len(bounds))
	}
	at, exact := slices.BinarySearch(bounds, max(d, 0))
	if !exact {
		at--
	}
	h.counts[at] += max(n, 0)
}

// AddAll counts what another histogram has.
func (h *Histogram) AddAll(list []report.AnswerTimes) {
	for _, b := range list {
		h.Add(b.From, b.Count)
	}
}

// Buckets returns the buckets that have a count, the shortest times first.
func (h *Histogram) Buckets() []report.AnswerTimes {
	var out []report.AnswerTimes
	for i, n := range h.counts {
		if n > 0 {
			out = append(out, report.AnswerTimes{From: bounds[i], Below: end(i), Count: n})
		}
	}
	return out
}

// Report writes the percentiles and the buckets into the times of a report, which has the
// slowest answer already.
func (h *Histogram) Report(into *report.Times) {
	into.Answers = h.Buckets()
	into.Median, into.P90, into.P99 = h.Percentile(50, into.Slowest), h.Percentile(90, into.Slowest), h.Percentile(99, into.Slowest)
}

// end is where a bucket ends. The last one ends where a Duration does.
func end(i int) time.Duration {
	if i+1 < len(bounds) {
		return bounds[i+1]
	}
	return 1<<63 - 1
}

// Percentile returns a time that p percent of the times do not exceed, or 0 if there are
// none. It supposes that the times of a bucket lie evenly in it. The slowest time, which
// the caller knows, is never exceeded.
func (h *Histogram) Percentile(p int, slowest time.Duration) time.Duration {
	total := 0
	for _, n := range h.counts {
		total += n
	}
	rank := float64(total) * float64(p) / 100
	for i, n := range h.counts {
		if n > 0 && rank <= float64(n) {
			share := float64(end(i)-bounds[i]) * max(rank, 0) / float64(n)
			return min(bounds[i]+time.Duration(share), slowest)
		}
		rank -= float64(n)
	}
	return 0
}

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

// Meter measures how fast the target answers.
type Meter struct {
	mu      sync.Mutex
	took    []time.Duration
	all     Histogram
	slowest time.Duration
	// justified caches the result of Justifies when looked answers were known.
	justified time.Duration
	looked    int
	lockouts  time.Duration // waited for targets that throttle wrong credentials
}

const (
	paceKept = 512 // answers that are remembered
	paceStep = 32  // further ones after which the pace is looked at anew
)

// Answered records how long an answer took.
func (p *Meter) Answered(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slowest = max(p.slowest, d)
	p.all.Add(d, 1)
	if len(p.took) < paceKept {
		p.took = append(p.took, d)
	}
}

// Median returns the median of the recorded times, or 0 if there are none.
func (p *Meter) Median() time.Duration {
	if len(p.took) == 0 {
		return 0
	}
	s := slices.Clone(p.took)
	slices.Sort(s)
	return s[len(s)/2]
}

// Summary returns the median and the longest time.
func (p *Meter) Summary() (median, slowest time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Median(), p.slowest
}

// Report writes how long all answers took into the times of a report.
func (p *Meter) Report(into *report.Times) {
	p.mu.Lock()
	defer p.mu.Unlock()
	into.Slowest = p.slowest
	p.all.Report(into)
}

// Affords reports whether the run may wait so long for a target that throttles
// wrong credentials, and adds the wait to the total.
func (p *Meter) Affords(d time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lockouts+d > limits.LockoutWait {
		return false
	}
	p.lockouts += d
	return true
}

// Justifies returns a wait within which nearly every answer so far came.
func (p *Meter) Justifies() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.took); n >= p.looked+paceStep || p.looked == 0 && n > 0 {
		s := slices.Clone(p.took)
		slices.Sort(s)
		p.justified, p.looked = max(limits.PaceFactor*s[n/2], 2*s[n*99/100]), n
	}
	return p.justified
}
