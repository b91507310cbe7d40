package judge

import (
	"time"

	"plantstore/conformance/internal/plan"
)

// The one table of waits and budgets of judging; those of a single exchange
// stand in package exchange.
//
// A clock never decides a verdict. The rows in seconds are of four kinds:
//
//   - Waits of a first try (firstWait to hangTime). A time-out there makes a
//     suspect. It fails only if it comes again, alone, in the whole time that the
//     user gives an answer, while controls before and behind are answered; what is
//     waited for in vain and not confirmed stays behind the one that was, and
//     never passes.
//   - What the target itself asks for (throttle..., lockoutWait): sums of its
//     Retry-After. Beyond them a case is not tried, which is never green.
//   - Patience with a target that is away (revival, probeWait, capacityWait): a
//     target counts as lost only after two mild requests alone got no answer in
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
	lostAnswer = 64 << 10
	lostEnd    = 8 << 10
	// closedHead is the size of a request head in bytes above which a server may
	// close the connection without an answer, where it lives on.
	closedHead = 16 << 10
	// capacityWait is the least wait for an answer on a further connection while
	// others are open and idle, capacityPatience how many answers long it is.
	capacityWait     = 1500 * time.Millisecond
	capacityPatience = 20
	// witnesses is how often the connection that is served is answered, behind that
	// wait, before further ones count as not served.
	witnesses = 20
	// probed is how many connections the pre-flight opens at once, whatever the
	// number of workers, so that it learns the same from the same target.
	probed = 8
	// firstWait is the least wait for the answer to the first try of a case,
	// doubtfulWait that where a case like it got none, confirmedWait that where one
	// was confirmed to get none. No verdict comes of these: what gets no answer so
	// soon is tried again, alone, with the whole time, or not judged.
	firstWait     = 2 * time.Second
	doubtfulWait  = time.Second
	confirmedWait = 200 * time.Millisecond
	// paceFactor x the median answer is waited for in any case.
	paceFactor = 20
	// slowFactor is how many times as long as the slowest answer to such a case,
	// alone, others of its class are waited for.
	slowFactor = 3
	// widespread is how many classes with a time-out are a habit of the target.
	widespread = 3
	// hangAlarm time-out, four times as many after each false alarm, calls for a
	// look at it, alone.
	hangAlarm = 1
	// hangTime is how long a run waits in vain once a time-out was confirmed before
	// it waits half as long, and tries one case of each class, and
	// mostHangs of how many operations one is confirmed; furtherHangs more classes
	// of each are tried alone.
	hangTime     = 2 * time.Second
	mostHangs    = 3
	furtherHangs = 3
	// slowAnswer is the median answer above which sequences on one connection run
	// beside each other.
	slowAnswer = 5 * time.Millisecond
	// sequenceTime is how long a sequence of more than sequenceLeast requests may
	// take before the rest of it is left out, where it is not the first of its class
	// or the time for its phase is over. It counts as not tried then.
	sequenceTime  = 10 * time.Second
	sequenceLeast = 12
	// throttleWait is the longest that one case waits for a target that answers
	// 429 or 503 with Retry-After; throttleFirst the first wait without a hint.
	throttleWait  = 30 * time.Second
	throttleFirst = 200 * time.Millisecond
	// closingWait is the first wait where a target that serves a limited number of
	// connections turns away one more: it has not seen yet that another is closed.
	// Where it does so without a word, closingTries are made.
	closingWait  = 5 * time.Millisecond
	closingTries = 5
	// outOfTimeTries is how often a request is sent again that came too late (408).
	outOfTimeTries = 2
	// probeWait is the longest wait before a connection that was turned away in the
	// pre-flight is tried again, probeWaits how often that is done.
	probeWait  = 2 * time.Second
	probeWaits = 3
	// lockoutWait is how long a run waits in all where wrong credentials are
	// throttled: after that a 429 is their refusal.
	lockoutWait = 5 * time.Second
	// revival is how long a target that refuses connections is given to return,
	// revivalPause the pause between looks.
	revival      = 5 * time.Second
	revivalPause = 100 * time.Millisecond
	// shrinkRequests and shrinkTime bound the shrinking of one failure,
	// shrinkTotal that of a run; after shrinkSilent requests without an answer it
	// ends too.
	shrinkRequests = 400
	shrinkSilent   = 3
	shrinkTime     = 5 * time.Second
	shrinkTotal    = 20 * time.Second
	// excuseTries is how many neighbours of a refused value are tried.
	excuseTries = 2
	// flakyDrops unexplained drops start a probe of flakyProbe mild requests.
	flakyDrops = 2
	flakyProbe = 400
	// epochTries is how many epochs the pre-flight tries.
	epochTries = 20
	// renewTries is how many epochs are tried for optional members.
	renewTries = 6
	// waysKept is how many ways of failing one requirement are told apart.
	waysKept = 8
	// kept is how many bytes of an answer a failure keeps.
	kept = 8 << 10
	// suspectsJudged is how many dropped or timed-out cases of one class are
	// tried again.
	suspectsJudged = 3
)

// phaseShare is the part of the time for the run by whose end a phase stops
// trying more than one case of each class; the rest is for confirming.
var phaseShare = [...]float64{plan.Single: 0.50, plan.Sequence: 0.65, plan.Heavy: 0.72, plan.Credential: 0.92}
