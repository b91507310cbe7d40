package diagnose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// filed gives a diagnosis of cases, one of each class, with these records.
func filed(doc *fake.Document, records ...*judge.Record) (*Diagnosis, []*plan.Case) {
	d := diagnosing(doc)
	for i, r := range records {
		slug := string(rune('a' + i))
		c := &plan.Case{ID: slug + "/0", Class: &plan.Class{Slug: slug}, Op: doc.Op()}
		d.run.Cases = append(d.run.Cases, c)
		if r != nil {
			d.run.Replace(c, r)
		}
	}
	return d, d.run.Cases
}

// record is that of a case that was judged; each requirement it names passed, but
// for the suppressed one.
func (d *Diagnosis) record(suppressed string, passed ...string) *judge.Record {
	r := d.judge.TriedRecord(d.judge.Bound[0].Op)
	for _, id := range passed {
		r.Passed.Add(d.at(id))
	}
	if suppressed != "" {
		r.Suppressed.Add(d.at(suppressed))
	}
	return r
}

const someID = "newplant-id-accepted"

// integersBut is a run in which the cases of one class have a record that a function gives, and how
// many these are.
func integersBut(t *testing.T, record func() *judge.Record) (run *execute.Run, replaced int) {
	t.Helper()
	doc := fakerun.Plants(t, "baseline", "integers")
	run = fakerun.Of(t, doc, doc.Conforming)
	for _, c := range run.Cases {
		if c.Class.Kind == "near-int64" {
			replaced++
			run.Replace(c, record())
		}
	}
	require.NotZero(t, replaced)
	return run, replaced
}

func noRecord() *judge.Record { return nil }

func TestAClassOfWhichNothingWasTriedIsNotGreenThoughOthersPass(t *testing.T) {
	run, _ := integersBut(t, func() *judge.Record { return &judge.Record{Why: execute.LostReason} })
	r := finish(t, run).results[someID]
	assert.Equal(t, report.Inconclusive, r.Verdict)
	assert.Equal(t, "no case of one of its classes could be tried: "+execute.LostReason, r.Reason)
	assert.NotZero(t, r.Cases.NotTried)
	assert.Equal(t, r.Cases.Planned, r.Cases.Judged+r.Cases.NotTried)
}

func TestACaseThatThisTargetCannotBeAskedIsNotCounted(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	planned := finish(t, fakerun.Of(t, doc, doc.Conforming)).results[someID].Cases.Planned
	run, gone := integersBut(t, func() *judge.Record { return &judge.Record{State: judge.Inapplicable} })
	r := finish(t, run).results[someID]
	assert.Equal(t, report.Pass, r.Verdict)
	assert.Equal(t, planned-gone, r.Cases.Planned)
}

func TestACaseWithoutARecordIsNotGreen(t *testing.T) {
	run, _ := integersBut(t, noRecord)
	r := finish(t, run).results[someID]
	assert.Equal(t, report.Inconclusive, r.Verdict)
	assert.Contains(t, r.Reason, execute.EndedReason)
}

func TestWhatIsSuppressedEverywhereNamesTheRequirementThatSuppressesItMost(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types")
	d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
		e := doc.Conforming(r)
		if e.Response.Status == 400 {
			return fake.Answer(400, "text/plain", "no")
		}
		return e
	})
	assert.Equal(t, []string{"post-plants-400-media-type"}, d.failed())
	r := d.results["error-error-required"]
	assert.Equal(t, report.Inconclusive, r.Verdict)
	assert.Equal(t, "suppressed by post-plants-400-media-type", r.Reason)
	assert.NotZero(t, r.Cases.Suppressed)
	assert.Equal(t, report.Pass, d.results["newplant-id-integer"].Verdict, "that it is refused was seen")
}

func TestACaseWithOneCorrectAnswerOutweighsManyThatMayBeRefused(t *testing.T) {
	doc := fake.Plants(t)
	d := diagnosing(doc)
	failing := func(id string) *judge.Record {
		r := d.record(someID)
		r.Failures = []judge.Failure{{Finding: judge.Finding{At: d.at(id)}}}
		return r
	}
	var records []*judge.Record
	for range 9 {
		records = append(records, failing("post-plants-answered"))
	}
	d, cases := filed(doc, append(records, failing("post-plants-framing"))...)
	for _, c := range cases[:9] {
		c.Class.Expected = message.Either
	}
	tallies := make([]tally, len(d.judge.Bound))
	suppressors := make([]map[string]int, len(d.judge.Bound))
	at := d.at(someID)
	for _, c := range cases {
		d.count(&tallies[at], at, c, d.run.Record(c), suppressors)
	}
	assert.Equal(t, map[string]int{"post-plants-answered": 9, "post-plants-framing": sureWeight}, suppressors[at])
	assert.Equal(t, tally{planned: 10, suppressed: 10}, tallies[at])
}

func TestEachCaseCountsAsJudgedFailedSuppressedOrNotTried(t *testing.T) {
	doc := fake.Plants(t)
	at := diagnosing(doc).at(someID)
	probe := diagnosing(doc)
	failed, provisional := probe.record(""), probe.record("")
	failed.Failures = []judge.Failure{{Finding: judge.Finding{At: at}}}
	provisional.Provisional = failed.Failures
	odd := probe.record("", someID)
	odd.OwnFault = "a fault of ours"
	for name, c := range map[string]struct {
		record *judge.Record
		want   tally
	}{
		"passed":          {probe.record("", someID), tally{planned: 1, judged: 1}},
		"failed":          {failed, tally{planned: 1, judged: 1, failed: 1}},
		"weakly failed":   {provisional, tally{planned: 1, judged: 1}},
		"nothing said":    {probe.record(""), tally{planned: 1}},
		"suppressed":      {probe.record(someID), tally{planned: 1, suppressed: 1}},
		"not tried":       {&judge.Record{Why: "time"}, tally{planned: 1, untried: 1, why: "time"}},
		"a case to retry": {&judge.Record{State: judge.ToRetry, Why: "no answer"}, tally{planned: 1, untried: 1, why: "no answer"}},
		"without record":  {nil, tally{planned: 1, untried: 1, why: execute.EndedReason}},
		"a fault of ours": {odd, tally{planned: 1, judged: 1, wrong: "a fault of ours"}},
	} {
		d, cases := filed(doc, c.record)
		var got tally
		d.count(&got, at, cases[0], c.record, make([]map[string]int, len(d.judge.Bound)))
		assert.Equal(t, c.want, got, name)
	}
}

func TestAVerdictNeverSaysMoreThanWasTried(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	must, should := d.at(someID), d.at("bearer-challenge")
	failure := []report.Failure{{Case: "a"}}
	for name, c := range map[string]struct {
		at       int
		t        tally
		failures []report.Failure
		want     report.Verdict
		reason   string
	}{
		"a failure takes precedence":      {must, tally{planned: 2, untried: 2, why: "time"}, failure, report.Fail, ""},
		"a fault of ours":                 {must, tally{planned: 2, wrong: "bytes"}, nil, report.Error, "bytes"},
		"a fault of ours beside a result": {must, tally{planned: 2, judged: 1, wrong: "bytes"}, nil, report.Pass, ""},
		"not planned":                     {must, tally{}, nil, report.Inapplicable, "the plan has no case for it"},
		"no case applies":                 {must, tally{unplayed: "a step was refused"}, nil, report.Inapplicable, "a step was refused"},
		"suppressed before not tried":     {must, tally{planned: 2, suppressed: 1, untried: 1, suppressedBy: "x", why: "time"}, nil, report.Inconclusive, "suppressed by x"},
		"not tried, no reason":            {must, tally{planned: 2, untried: 1}, nil, report.Inconclusive, "no case could be tried"},
		"a MUST that nothing showed":      {must, tally{planned: 2}, nil, report.Inconclusive, "no exchange could be judged"},
		"a SHOULD that nothing showed":    {should, tally{planned: 2}, nil, report.Inapplicable, "no exchange tested it"},
		"a class missing":                 {must, tally{planned: 3, judged: 2, untriedClass: "c", why: "time"}, nil, report.Inconclusive, "no case of one of its classes could be tried: time"},
		"some not tried":                  {must, tally{planned: 3, judged: 2, untried: 1, why: "time"}, nil, report.Pass, "1 of 3 cases not tried: time"},
		"all judged":                      {must, tally{planned: 3, judged: 3}, nil, report.Pass, ""},
	} {
		r := d.result(c.at, c.t, c.failures, "")
		assert.Equal(t, c.want, r.Verdict, name)
		assert.Equal(t, c.reason, r.Reason, name)
	}
}

func TestARefusalIsOwedOnlyWhereARequestMustBeRefused(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	at := d.at("post-plants-400-json")
	r := d.result(at, tally{planned: 2}, nil, "")
	assert.Equal(t, report.Inapplicable, r.Verdict)
	assert.Equal(t, "no request was tried that must be refused", r.Reason)
	undocumented := fake.Of(t, `openapi: 3.0.3
info: {title: Blob, version: "1"}
paths:
  /blob:
    put:
      requestBody: {required: true, content: {application/octet-stream: {schema: {type: string, format: binary}}}}
      responses: {"204": {description: ok}}
`)
	blob := diagnosing(undocumented)
	blob.tallies = make([]tally, len(blob.judge.Bound))
	assert.Equal(t, report.Inapplicable, blob.result(blob.at("put-blob-refusal-status"), tally{planned: 2}, nil, "").Verdict)
	d.tallies[d.at("post-plants-body-json")].judged = 1
	assert.Equal(t, report.Inconclusive, d.result(at, tally{planned: 2}, nil, "").Verdict)
}

func TestFailuresAreNumberedMustsFirst(t *testing.T) {
	results := []report.Result{{Level: report.Should, Failures: make([]report.Failure, 1)}, {Level: report.Must, Failures: make([]report.Failure, 2)},
		{Level: report.Must, Failures: make([]report.Failure, 1)}}
	Number(results, diagnosing(fake.Plants(t)).belonging)
	var got []int
	for _, r := range results {
		for _, f := range r.Failures {
			got = append(got, f.N)
		}
	}
	assert.Equal(t, []int{4, 1, 2, 3}, got)
}

func TestWhatOthersMayFollowFromIsNumberedFirst(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	one := func(id string, f report.Failure) report.Result {
		return report.Result{Requirement: id, Level: report.Must, Failures: []report.Failure{f}}
	}
	results := []report.Result{one("echo-name", report.Failure{}), one("post-plants-body-json", report.Failure{Steps: []report.Step{{Failure: "reset"}}}),
		one("newplant-name-string", report.Failure{Cause: "fails with 5 or more requests in flight"}), one("answer-belongs", report.Failure{})}
	Number(results, d.belonging)
	var got []int
	for _, r := range results {
		got = append(got, r.Failures[0].N)
	}
	assert.Equal(t, []int{4, 2, 3, 1}, got)
}

func TestOnlyWhatIsSelectedIsReportedAndOpenPointsAreObserved(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	d := diagnose(t, doc, doc.Conforming)
	assert.Len(t, d.seen, len(d.judge.Bound)-len(d.results))
	list, seen := d.Results(nil, func(id string) bool { return id == someID })
	require.Len(t, list, 1)
	assert.Empty(t, seen)
	assert.Equal(t, someID, list[0].Requirement)
}

func TestAnIncompleteRunSaysWhyOnce(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	d.incomplete([]report.Result{
		{Requirement: "a", Level: report.Must, Verdict: report.Inconclusive, Reason: "time"},
		{Requirement: "b", Level: report.Must, Verdict: report.Inconclusive, Reason: "mask"},
		{Requirement: "c", Level: report.Must, Verdict: report.Error, Reason: "time"},
		{Requirement: "d", Level: report.Should, Verdict: report.Inconclusive, Reason: "else"},
		{Requirement: "e", Level: report.Must, Verdict: report.Pass, Reason: "1 of 2 not tried"},
	})
	assert.Equal(t, []string{"2 MUST requirements are inconclusive: time", "b is inconclusive: mask"}, d.target.Reasons)
}

// A class that was sent is examined when its first answer is judged.
func TestWhatTimeDidNotAllowToExamineIsNotGreen(t *testing.T) {
	run, _ := integersBut(t, noRecord)
	run.Judge.Cover(run.Cases)
	for _, c := range run.Cases {
		if run.Record(c) != nil {
			run.Judge.Covers(c)
		}
	}
	over := make(chan struct{})
	close(over)
	run.Judge.Enough = over
	run.Judge.Examine()
	d := finish(t, run)
	assert.Equal(t, report.Inconclusive, d.results[someID].Verdict)
	assert.Equal(t, unexamined, d.results[someID].Reason)
	other := d.results["newplant-name-string"]
	assert.Equal(t, report.Inconclusive, other.Verdict, "its cases may be among those")
	assert.Equal(t, unexamined, other.Reason)

	run.Judge.Enough = nil
	assert.Equal(t, report.Inapplicable, finish(t, run).results["newplant-name-string"].Verdict, "with time it is known that they are not")
}

func TestAMemberBesideOneThatExplainsARefusalIsNotNamed(t *testing.T) {
	d := &Diagnosis{judge: &judge.Judge{}}
	failure := func(got string, members ...string) *judge.Failure {
		f := &judge.Failure{}
		f.Outcome = requirement.Outcome{Got: got, Members: strings.Join(members, "\n")}
		return f
	}
	got := d.evidence([]*judge.Failure{failure("400 a", "query/size", "query/name"), failure("400 b", "query/name"), failure("400 c", "query/from", "query/to")})
	assert.Equal(t, []report.Evidence{
		{Fact: "values of query/from are refused: 400 c"},
		{Fact: "values of query/name are refused: 400 b"},
		{Fact: "values of query/to are refused: 400 c"},
	}, got)
}
