// Package limits is the table of all waits and budgets of a run. Those of a single
// exchange are in package exchange.
package limits

import "time"

// A clock never decides a verdict. The limits in seconds are of four kinds:
//
//   - Waits of a first try (FirstWait to HangTime). A time-out there makes a case
//     to retry. The case fails only if it times out again, alone, with the full
//     --timeout, while the controls before and after it are answered. A time-out
//     that is not confirmed is suppressed by one that is, and never passes.
//   - Waits that the target asks for (ThrottleWait, LockoutWait): the sum of its
//     Retry-After values. Beyond them a case counts as not tried.
//   - Waits for a target that is away (Revival, ProbeWait, CapacityWait). It counts
//     as lost only if two baseline requests, each alone, get no answer in the full
//     time, or no connection. It counts as serving fewer connections only if the
//     one that it serves was answered many times more.
//   - Ends of a search (SequenceTime, ShrinkTime, ShrinkTotal, CauseTime, CauseTotal).
//     Cases then count as not tried, and a requirement does not pass if a whole
//     class was not tried. A cause is then not named.
//     An example may be larger than necessary, which the report says. Attribution
//     is bounded by requests, not by seconds.
//
// SlowAnswer changes only the order of cases.
const (
	// LostAnswer is the size of a request in bytes above which a reset may have
	// lost the answer, LostEnd that above which it may have lost the end of one.
	LostAnswer = 64 << 10
	LostEnd    = 8 << 10
	// CapacityWait is the shortest wait for an answer on one more connection while
	// others are open and idle. CapacityTimeout is that wait as a multiple of an
	// answer.
	CapacityWait    = 1500 * time.Millisecond
	CapacityTimeout = 20
	// ServedAnswers is how often the connection that is served must be answered
	// after that wait before other connections count as not served.
	ServedAnswers = 20
	// Connections that are all answered, but only after LateAnswers and LateFactor times
	// the time that as many answers take, are opened again one by one, IdleTries times: the
	// target may close idle ones to serve others.
	LateAnswers = 50 * time.Millisecond
	LateFactor  = 3
	IdleTries   = 3
	// Probed is how many connections the pre-flight opens, whatever the number of
	// workers, so that it learns the same from the same target.
	Probed = 8
	// Spare is how many more connections a run uses if the target serves them beside the Probed
	// ones and closes none: the cases that wait then take none from the others. The target has
	// SpareFactor times as long as that many answers take, and at least LateAnswers.
	Spare       = 6
	SpareFactor = 3
	// SlowSpare is how many connections a run uses beyond these if an answer takes SlowMedian or
	// longer, and that many more are answered at once within SpareFactor times that.
	SlowSpare  = 18
	SlowMedian = 20 * time.Millisecond
	// SetUpTries is how often a thing that others need is asked for, with other values each
	// time, if the target refuses it.
	SetUpTries = 6
	// PrepareTries is the same for a request that has to come before another one: its values may
	// have to fit a thing that exists.
	PrepareTries = 24
	// RefusedMembers is how many optional members are tried alone where a request with all is refused, and
	// RefusedSets how many sets of those that are taken together.
	RefusedMembers = 16
	RefusedSets    = 3
	// KeyTries is how many other keys are tried where a PUT that should create replaces.
	KeyTries = 16
	// ReachTries is how many ways to the values of an operation are tried.
	ReachTries = 16
	// ControlTries is how often controls are repeated that are refused after another request,
	// and ControlTime how long a request that sounds disruptive may take to show.
	ControlTries = 2
	ControlTime  = time.Second
	// CleanUpTime is how long the clean-up goes on while nothing more gets deleted.
	// It is no part of the verdict.
	CleanUpTime = 30 * time.Second
	// FirstWait is the shortest wait for the answer to the first try of a case,
	// DoubtfulWait that if a similar case got none, and ConfirmedWait that if one
	// was confirmed to get none. They decide no verdict: a case without an answer
	// is tried again, alone, with the full time, or not judged.
	FirstWait     = 2 * time.Second
	DoubtfulWait  = time.Second
	ConfirmedWait = 200 * time.Millisecond
	// PaceFactor times the median is the shortest wait in any case.
	PaceFactor = 20
	// SlowFactor times the slowest answer to a case of a class, tried alone, is the
	// wait for the other cases of that class.
	SlowFactor = 3
	// Widespread is how many classes with a time-out show that time-outs are common
	// for this target.
	Widespread = 3
	// HangAlarm is how many time-outs make the run try one of them alone at once.
	// After each false alarm it takes four times as many.
	HangAlarm = 1
	// HangTime is how long a run waits in vain after a confirmed time-out before it
	// waits half as long, and then tries only one case of each class. After twice that
	// time it waits an eighth. VainTimeouts is how many time-outs for each answer show that
	// cases of one mutator get none, and VainAnswers how many show it of cases that expect
	// the same answer: no more of them are tried. MaxTimeouts is for how many operations a
	// time-out is confirmed, and AdditionalTimeouts how many more classes of each are tried
	// alone.
	HangTime           = 2 * time.Second
	MaxTimeouts        = 3
	AdditionalTimeouts = 3
	VainTimeouts       = 8
	VainAnswers        = 48
	// SlowAnswer is the median answer time above which sequences on one connection
	// run in parallel.
	SlowAnswer = 5 * time.Millisecond
	// SequenceTime is how long a sequence of more than SequenceMin requests may
	// take before the rest of it is left out, if it is not the first of its class
	// or the time for the next phase is over too. It then counts as not tried.
	SequenceTime = 10 * time.Second
	SequenceMin  = 12
	// ThrottleWait is how long one case waits at most for a target that answers
	// 429, or 503 with Retry-After. ThrottleFirst is the first wait without a hint.
	ThrottleWait  = 30 * time.Second
	ThrottleFirst = 200 * time.Millisecond
	// ClosingWait is the first wait if a target with a limited number of
	// connections refuses one more: it has not noticed yet that another is closed.
	// If it refuses without an answer, there are ClosingTries tries.
	ClosingWait  = 5 * time.Millisecond
	ClosingTries = 5
	// OutOfTimeTries is how often a request that was answered with 408 is sent
	// again.
	OutOfTimeTries = 2
	// CrowdTries is how often a request is sent again after a 503 if more requests were sent
	// at the same time than the target is known to serve.
	CrowdTries = 4
	// ProbeWait is the longest wait before the pre-flight tries a refused
	// connection again, ProbeWaits how often it does.
	ProbeWait  = 2 * time.Second
	ProbeWaits = 3
	// LockoutWait is how long a run waits in total if wrong credentials are
	// throttled. After that a 429 counts as their refusal.
	LockoutWait = 5 * time.Second
	// Revival is how long a target that refuses connections may take to come back,
	// RevivalPause the pause between two checks.
	Revival      = 5 * time.Second
	RevivalPause = 100 * time.Millisecond
	// ShrinkRequests and ShrinkTime bound the shrinking of one failure, ShrinkTotal
	// that of a run. It also ends after ShrinkSilent requests without an answer.
	ShrinkRequests = 400
	ShrinkSilent   = 3
	ShrinkTime     = 5 * time.Second
	ShrinkTotal    = 20 * time.Second
	// CauseRequests and CauseTime bound the experiments that look for what one failure
	// needs, CauseTotal those of a run. CauseAlone is how often it is tried alone, and
	// CauseAgain how often each side of an experiment is repeated.
	CauseRequests = 400
	CauseTime     = 4 * time.Second
	CauseTotal    = 8 * time.Second
	CauseAlone    = 4
	CauseAgain    = 3
	// CauseRow is how many requests are sent on one connection, CauseSearch how many in
	// all if none of them fails, and CauseRows if one does, until CauseSeen have failed.
	// CauseRow is a prime: what fails at places of all requests then fails at other places
	// of the next connection. CauseLong is how many requests are sent on one connection to
	// find something that happens so rarely that CauseSearch requests do not show it.
	CauseRow    = 47
	CauseSearch = 110
	CauseRows   = 300
	CauseSeen   = 4
	CauseLong   = 1200
	// CauseInFlight is how many requests are sent at the same time at most, CauseRounds
	// how often. CausePause is how long a server may remember for a moment, and CauseIdle how
	// long it waits for a request if it has to notice that none came.
	CauseInFlight = 16
	CauseRounds   = 6
	CausePause    = 400 * time.Millisecond
	CauseIdle     = 1100 * time.Millisecond
	// CauseEarlier is how many requests of cases that passed before the first failure are
	// sent again, a quarter of them if none of those fails now.
	CauseEarlier = 120
	// RecheckTries is how many neighbours of a refused value are tried.
	RecheckTries = 2
	// SteadyMin and SteadyMax bound how often a request is sent alone that others may have
	// disturbed.
	SteadyMin = 5
	SteadyMax = 60
	// FlakyDrops unexplained drops start a test with FlakyProbe baseline requests, which ends
	// after FlakyTime.
	FlakyDrops = 2
	FlakyProbe = 600
	FlakyTime  = 5 * time.Second
	// GenerationTries is how many generations the pre-flight tries.
	GenerationTries = 20
	// RenewTries is how many generations are tried for optional members.
	RenewTries = 6
	// WaysKept is how many ways of failing one requirement are reported apart.
	WaysKept = 8
	// Kept is how many bytes of an answer are kept for a failure.
	Kept = 8 << 10
	// RetriesJudged is how many dropped or timed-out cases of one class are tried
	// again.
	RetriesJudged = 3
)
