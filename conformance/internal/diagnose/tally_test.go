package diagnose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// TestAClassOfAcceptedValuesTestsOnlyWhatIsExpectedOfThem has two classes: of one
// everything was judged and passed, of the other nothing.
func TestAClassOfAcceptedValuesTestsOnlyWhatIsExpectedOfThem(t *testing.T) {
	for why, held := range map[string]bool{usedReason: false, countedReason: false, execute.LostReason: true} {
		doc := fake.Plants(t)
		d := diagnosing(doc)
		passed := d.judge.TriedRecord(doc.Op())
		for at := range d.judge.Bound {
			passed.Passed.Add(at)
		}
		judged := &plan.Case{ID: "a/0", Class: &plan.Class{Slug: "a"}, Op: doc.Op()}
		untried := &plan.Case{ID: "b/0", Class: &plan.Class{Slug: "b"}, Op: doc.Op()}
		d.run.Cases = []*plan.Case{judged, untried}
		d.run.Replace(judged, passed)
		again := *passed
		again.State, again.Why = 0, why
		d.run.Replace(untried, &again)
		tallies := d.tally()
		verdicts := map[string]report.Result{}
		for at := range d.judge.Bound {
			r := d.result(at, tallies[at], nil, "")
			verdicts[r.Requirement] = r
		}
		assert.Equal(t, report.Inconclusive, verdicts["newplant-name-accepted"].Verdict, "what is expected of the values was not tested")
		assert.Equal(t, held, verdicts["newplant-tag-optional"].Verdict == report.Inconclusive, "%s: every other class leaves the tag out too", why)
		framing := verdicts["post-plants-framing"]
		require.NotEmpty(t, framing.Requirement)
		assert.Equal(t, held, framing.Verdict == report.Inconclusive, why)
		if !held {
			assert.Equal(t, "1 of 2 cases not tried: "+why, framing.Reason)
		}
	}
}

func TestARequirementWithoutAJudgedCaseIsNeverGreen(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	for name, c := range map[string]tally{
		"suppressed":  {planned: 3, suppressed: 3, suppressedBy: "post-plants-answered"},
		"not tried":   {planned: 3, untried: 3, why: "the run ended before it was tried"},
		"not judged":  {planned: 3},
		"class empty": {planned: 3, judged: 2, untriedClass: "post-plants/valid/x", why: "time"},
	} {
		r := d.result(0, c, nil, "")
		assert.Equal(t, "inconclusive", strings.ToLower(string(r.Verdict)), name)
	}
	assert.Equal(t, "pass", strings.ToLower(string(d.result(0, tally{planned: 3, judged: 3}, nil, "").Verdict)))
	assert.Equal(t, "1 of 3 cases not tried: time", d.result(0, tally{planned: 3, judged: 2, untried: 1, why: "time"}, nil, "").Reason)
}

// diagnosing gives a diagnosis of a run in which nothing was sent.
func diagnosing(doc *fake.Document) *Diagnosis {
	j := judge.New(doc.Set, doc.Rules, doc.Plan, doc.Endpoint)
	t := doc.Target(nil)
	return &Diagnosis{target: t, judge: j, run: execute.New(t, j, execute.Settings{}, nil, true)}
}
