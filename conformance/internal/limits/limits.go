// Package limits is the one table of waits and budgets of a run. Those of a single
// exchange are in package exchange.
package limits

import "time"

// A clock never decides a verdict. The rows in seconds are of four kinds:
//
//   - Waits of a first try (firstWait to hangTime). A time-out there makes a
//     case to retry. It fails only if it comes again, alone, in the whole time that the
//     user gives an answer, while controls before and behind are answered; what is
//     waited for in vain and not confirmed stays behind the one that was, and
//     never passes.
//   - What the target itself asks for (throttle..., lockoutWait): sums of its
//     Retry-After. Beyond them a case is not tried, which is never green.
//   - Patience with a target that is away (revival, probeWait, capacityWait): a
//     target counts as lost only after two baseline requests alone got no answer in
//     the whole time, or no connection; as serving fewer connections only after
//     the one that it serves was answered many times more.
//   - Ends of a search (phaseShare, sequenceTime, shrinkTime, shrinkTotal): cases
//     are then not tried, which the report says and which is never green for a
//     whole class; an example may be larger than it need be, which it says too.
//     Which requirement a failure is charged to is counted in requests.
//
// slowAnswer orders cases and changes none.
const (
	// lostAnswer is the size of a request in bytes above which a reset may have
	// lost the answer, lostEnd that above which it may have lost the end of one.
	LostAnswer = 64 << 10
	LostEnd    = 8 << 10
	// closedHead is the size of a request head in bytes above which a server may
	// close the connection without an answer, where it lives on.
	ClosedHead = 16 << 10
	// capacityWait is the least wait for an answer on a further connection while
	// others are open and idle, capacityPatience how many answers long it is.
	CapacityWait     = 1500 * time.Millisecond
	CapacityPatience = 20
	// witnesses is how often the connection that is served is answered, behind that
	// wait, before further ones count as not served.
	ServedAnswers = 20
	// probed is how many connections the pre-flight opens at once, whatever the
	// number of workers, so that it learns the same from the same target.
	Probed = 8
	// firstWait is the least wait for the answer to the first try of a case,
	// doubtfulWait that where a case like it got none, confirmedWait that where one
	// was confirmed to get none. No verdict comes of these: what gets no answer so
	// soon is tried again, alone, with the whole time, or not judged.
	FirstWait     = 2 * time.Second
	DoubtfulWait  = time.Second
	ConfirmedWait = 200 * time.Millisecond
	// paceFactor x the median answer is waited for in any case.
	PaceFactor = 20
	// slowFactor is how many times as long as the slowest answer to such a case,
	// alone, others of its class are waited for.
	SlowFactor = 3
	// widespread is how many classes with a time-out are a habit of the target.
	Widespread = 3
	// hangAlarm time-out, four times as many after each false alarm, calls for a
	// look at it, alone.
	HangAlarm = 1
	// hangTime is how long a run waits in vain once a time-out was confirmed before
	// it waits half as long, and tries one case of each class, and
	// mostHangs of how many operations one is confirmed; furtherHangs more classes
	// of each are tried alone.
	HangTime     = 2 * time.Second
	MostHangs    = 3
	FurtherHangs = 3
	// slowAnswer is the median answer above which sequences on one connection run
	// beside each other.
	SlowAnswer = 5 * time.Millisecond
	// sequenceTime is how long a sequence of more than sequenceLeast requests may
	// take before the rest of it is left out, where it is not the first of its class
	// or the time for its phase is over. It counts as not tried then.
	SequenceTime  = 10 * time.Second
	SequenceLeast = 12
	// throttleWait is the longest that one case waits for a target that answers
	// 429 or 503 with Retry-After; throttleFirst the first wait without a hint.
	ThrottleWait  = 30 * time.Second
	ThrottleFirst = 200 * time.Millisecond
	// closingWait is the first wait where a target that serves a limited number of
	// connections turns away one more: it has not seen yet that another is closed.
	// Where it does so without a word, closingTries are made.
	ClosingWait  = 5 * time.Millisecond
	ClosingTries = 5
	// OutOfTimeTries is how often a request is sent again that came too late (408).
	OutOfTimeTries = 2
	// probeWait is the longest wait before a connection that was turned away in the
	// pre-flight is tried again, probeWaits how often that is done.
	ProbeWait  = 2 * time.Second
	ProbeWaits = 3
	// lockoutWait is how long a run waits in all where wrong credentials are
	// throttled: after that a 429 is their refusal.
	LockoutWait = 5 * time.Second
	// revival is how long a target that refuses connections is given to return,
	// revivalPause the pause between looks.
	Revival      = 5 * time.Second
	RevivalPause = 100 * time.Millisecond
	// shrinkRequests and shrinkTime bound the shrinking of one failure,
	// shrinkTotal that of a run; after shrinkSilent requests without an answer it
	// ends too.
	ShrinkRequests = 400
	ShrinkSilent   = 3
	ShrinkTime     = 5 * time.Second
	ShrinkTotal    = 20 * time.Second
	// excuseTries is how many neighbours of a refused value are tried.
	RecheckTries = 2
	// flakyDrops unexplained drops start a probe of flakyProbe baseline requests.
	FlakyDrops = 2
	FlakyProbe = 400
	// epochTries is how many generations the pre-flight tries.
	GenerationTries = 20
	// renewTries is how many generations are tried for optional members.
	RenewTries = 6
	// waysKept is how many ways of failing one requirement are told apart.
	WaysKept = 8
	// kept is how many bytes of an answer a failure keeps.
	Kept = 8 << 10
	// suspectsJudged is how many dropped or timed-out cases of one class are
	// tried again.
	RetriesJudged = 3
)
