package causes

import (
	"fmt"
	"time"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

var afterAPause = Hypothesis{
	Name: "after-a-pause",
	Doc:  "Sends the request behind another one after a pause, on the same connection and on a new one, because what was not used for a while can be closed or forgotten.",
	Find: func(l *Lab) *Cause {
		if !l.Alone().Never(limits.CauseAlone) {
			return nil
		}
		same := paused(l, limits.CauseIdle, 0, 1)
		if same.Failed == 0 || !paused(l, 0, 0, limits.CauseAgain).Never(limits.CauseAgain) {
			return nil
		}
		elsewhere := paused(l, limits.CauseIdle, 1, 1)
		again := paused(l, limits.CauseIdle, elsewhere.Failed, 1) // where it is said to fail
		if again.Failed == 0 {
			return nil
		}
		out := &Cause{Failure: again.Example, Sentence: fmt.Sprintf("fails after a pause of %v", limits.CauseIdle)}
		if elsewhere.Failed > 0 {
			out.Sentence += " in which the target got no request, on whatever connection, and not without"
		} else {
			out.Sentence += " on the same connection, and not without"
		}
		return out
	},
}

// paused sends the request several times behind a valid one and a pause. Connection is
// that of the valid one; 0 is its own.
func paused(l *Lab, idle time.Duration, connection, times int) Tally {
	var out Tally
	for range times {
		first, then := l.Valid(), l.Request()
		first.Connection, then.Idle = connection, idle
		l.Once([]plan.Step{first, then}, &out)
	}
	return out
}

var aMoment = Hypothesis{
	Name: "a-moment",
	Doc:  "Sends the request right behind another one and after a pause, because a decision can be remembered for a moment.",
	Find: func(l *Lab) *Cause {
		var soon, later Tally
		for range limits.CauseAgain {
			for _, t := range []*Tally{&soon, &later} {
				own := l.Session()
				l.Last(own, []plan.Step{l.Valid()}, new(Tally))
				own.Fresh()
				if t == &later {
					l.Pause(limits.CausePause)
				}
				l.Last(own, []plan.Step{l.Request()}, t)
				own.Close()
			}
		}
		if !soon.Always(limits.CauseAgain) || !later.Never(limits.CauseAgain) {
			return nil
		}
		return &Cause{Failure: soon.Example,
			Sentence: fmt.Sprintf("fails right behind an accepted request, and not after a pause of %v", limits.CausePause)}
	},
}

var atFirst = Hypothesis{
	Name: "at-first",
	Doc:  "Compares when cases of one kind failed and passed, and sends the request again: if only the first of them failed, something is made on demand.",
	Find: func(l *Lab) *Cause {
		h := l.History()
		if len(h.Failed) == 0 || len(h.Passed) < minimum {
			return nil
		}
		to, from := Last(h.Failed), First(h.Passed)
		if to.Sent > from.Sent && (len(h.Failed) < minimum || to.Sent > from.Sent+beside) || !l.Alone().Never(limits.CauseAlone) {
			return nil
		}
		if to.Sent*early > l.Sent() {
			return nil // some cases always come before others: that is no beginning
		}
		if to.Sent == 1 {
			return &Cause{Past: true, Sentence: "failed only in the first request of the run, and never since"}
		}
		return &Cause{Past: true, Sentence: fmt.Sprintf("failed only among the first %d requests of the run, and never since", to.Sent)}
	},
}

var sinceThen = Hypothesis{
	Name:    "since-then",
	Doc:     "Compares when cases of one kind passed and failed: if all passed first and all failed since, something is used up, and the request fails alone, too. Their order is random, so that is no chance. What passed before is sent again, and has to fail now: else the failed ones have something else in common.",
	Settled: true,
	Find: func(l *Lab) *Cause {
		from, ok := turned(l.History())
		kind := l.Case.Class.Expected
		such := "such requests"
		if !ok && !l.AboutCredential() && l.Case.Class.Expected != message.Accept {
			// Credentials are tried last. What they break for good shows best in what was
			// sent all the time.
			kind = message.Accept
			from, ok = turned(l.HistoryOf(kind))
			such = "valid requests"
		}
		if !ok || !l.Alone().Always(limits.CauseAlone) || passesStill(l, kind) {
			return nil
		}
		return &Cause{Past: true, Since: from.Sent, Sentence: fmt.Sprintf("%s passed before, and all fail since about request %d of the run, of which about %d were refused", such, from.Sent, from.Refused)}
	},
}

// passesStill reports whether a case of a kind that passed before passes when it is sent again.
func passesStill(l *Lab, kind message.Expectation) bool {
	again := 0
	for _, c := range l.Earlier() {
		if c.Class.Expected != kind || c.Steps() > 1 {
			continue
		}
		sent, failed, ok := l.Resend(c)
		if again++; ok && sent > 0 && failed == 0 {
			return true
		}
		if again == limits.CauseAlone {
			break
		}
	}
	return false
}

// turned returns when the first case failed, if enough passed before and none since.
func turned(h History) (from When, ok bool) {
	if few, many := min(len(h.Failed), len(h.Passed)), max(len(h.Failed), len(h.Passed)); few < 2 || few < minimum && many < manyMore {
		return from, false
	}
	from = First(h.Failed)
	return from, len(h.Passed) > 0 && Last(h.Passed).Sent <= from.Sent+beside
}

const (
	// least is how many cases of each kind it takes to compare when they came.
	// Two are enough if there are manyMore of the other.
	minimum  = 5
	manyMore = 150
	// enough is how many cases that passed before have to fail if they are sent again.
	enough = 3
	// early is the part of the run that is its beginning.
	early = 10
	// beside is how many requests may be under way beside one, so that their order is
	// not known.
	beside = 8
)

// distance returns what is between each place and the next, if that is always the same and
// there are at least three.
func distance(at []int) (n int, regular bool) {
	if len(at) < 3 {
		return 0, false
	}
	n = at[1] - at[0]
	for i := range at[1:] {
		if at[i+1]-at[i] != n {
			return 0, false
		}
	}
	return n, true
}

var everyNth = Hypothesis{
	Name: "every-nth",
	Doc:  "Sends the request hundreds of times and compares the distances between failures, because one instance of many can be at fault.",
	Find: func(l *Lab) *Cause {
		rows := l.Rows()
		n, regular := distance(rows.Failed())
		switch {
		case !regular || n < 2:
			return nil
		case !l.Dropped() && n < limits.CauseRow-1 && len(rows.On(1)) == 0 && len(rows.On(2)) == 0:
			return nil // only new connections fail
		}
		return &Cause{Sentence: fmt.Sprintf("every %s such request fails, on whatever connection", ordinal(n))}
	},
}

var counter = Hypothesis{
	Name:     "counter",
	Doc:      "Sends the request more than a thousand times on one connection, and then a part of that on a new one, because a counter that wraps shows only every 256 requests.",
	Requests: 2 * limits.CauseLong,
	Find: func(l *Lab) *Cause {
		if l.Dropped() || len(l.Rows().Failed()) > 2 {
			return nil
		}
		at, elsewhere := l.Counted()
		n, regular := distance(at)
		switch {
		case !regular || n < 2:
			return nil
		case elsewhere == n:
			return &Cause{Sentence: fmt.Sprintf("every %s such request on a connection fails", ordinal(n))}
		case elsewhere == n/2:
			return &Cause{Sentence: fmt.Sprintf("every %s such request fails, on whatever connection", ordinal(n))}
		}
		return nil
	},
}

var nowAndThen = Hypothesis{
	Name: "now-and-then",
	Doc:  "Counts how often the request fails if it is sent again and again. It comes last: there may be a rule that no experiment found.",
	Find: func(l *Lab) *Cause {
		rows := l.Rows()
		failed := len(rows.Failed())
		if failed < 2 || failed == len(rows.List) {
			return nil
		}
		return &Cause{Sentence: fmt.Sprintf("%d of %d such requests failed, each sent by itself, at no regular distance", failed, len(rows.List))}
	},
}

var inFlight = Hypothesis{
	Name: "in-flight",
	Doc:  "Sends more and more requests at the same time, because handlers share state. What fails one after the other needs none of them.",
	Find: func(l *Lab) *Cause {
		if !l.Alone().Never(limits.CauseAlone) || len(l.Rows().Failed()) > 0 {
			return nil
		}
		if c := together(l, l.Request); c != nil {
			return c
		}
		return together(l, l.Valid)
	},
}

// together finds the least number of requests in flight with which one fails.
func together(l *Lab, beside func() plan.Step) *Cause {
	minimum, maximum := 1, l.Connections()
	for n := 2; n <= maximum; n *= 2 {
		got := l.Rounds(n, limits.CauseRounds, beside)
		if got.Failed == 0 {
			minimum = n
			continue
		}
		return narrowed(l, minimum, n, got, beside)
	}
	return nil
}

// narrowed searches between a number with which none failed and one with which some did.
func narrowed(l *Lab, none, some int, seen Tally, beside func() plan.Step) *Cause {
	for some-none > 1 {
		n := (none + some) / 2
		if got := l.Rounds(n, limits.CauseRounds, beside); got.Failed > 0 {
			some, seen = n, got
		} else {
			none = n
		}
	}
	again := l.Rounds(some, limits.CauseRounds, beside)
	if again.Failed+seen.Failed < 2 {
		return nil
	}
	out := &Cause{Failure: seen.Example, Sentence: "fails only while another request is in flight"}
	if some > 2 {
		out.Sentence = fmt.Sprintf("fails with %d or more requests in flight", some)
		if less := l.Rounds(none, 2*limits.CauseRounds, beside); less.Failed > 0 || less.Cut {
			out.Sentence = "fails at times while others are in flight, and never alone"
		}
	}
	return out
}

// behind sends the request behind another, which goes over a connection of that number;
// 0 is its own.
func behind(l *Lab, connection int, first func() plan.Step) Tally {
	var out Tally
	for range limits.CauseAgain {
		before := first()
		before.Connection = connection
		l.Once([]plan.Step{before, l.Request()}, &out)
	}
	return out
}

// settle finds out whether the connection matters.
func settle(l *Lab, c *Cause, first func() plan.Step, name string) *Cause {
	c.Sentence = "fails only behind " + name
	elsewhere := behind(l, 1, first)
	switch {
	case elsewhere.Never(limits.CauseAgain):
		c.Sentence += " on the same connection"
	case elsewhere.Always(limits.CauseAgain):
		c.Sentence += ", on whatever connection"
	}
	if again := alone(l); !again.Never(limits.CauseAgain) {
		return nil // it does not need what was before it
	}
	return c
}

// alone sends the request by itself, with a connection of its own.
func alone(l *Lab) Tally {
	var out Tally
	for range limits.CauseAgain {
		l.Once([]plan.Step{l.Request()}, &out)
	}
	return out
}

// inTurn sends pairs of requests, the first over a connection of that number. It reports
// whether the answer to the second always has the values of the first.
func inTurn(l *Lab, connection int, pair func() []plan.Step) (bool, *judge.Failure) {
	var shown *judge.Failure
	for range limits.CauseAgain {
		steps := pair()
		steps[0].Connection = connection
		f, exchanged := l.InTurn(steps)
		if !exchanged {
			return false, nil
		}
		shown = f
	}
	return true, shown
}
