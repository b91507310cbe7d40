package conformance

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

func TestCasesLeaveTheTimeThatTheResultsTake(t *testing.T) {
	assert.Equal(t, 30*time.Second+30*time.Millisecond, keptTime(5*time.Minute, 600), "a document as most are")
	assert.Equal(t, 2*time.Second+3500*time.Millisecond, keptTime(20*time.Second, 70_000), "each circular schema has thousands of places")
	assert.Equal(t, time.Second/2, keptTime(time.Second, 175_000), "the cases have time too")
}

// lenient takes every request that has the right credential, and lacks one header field.
func lenient(d *fake.Document) func(c fake.Call) *exchange.Exchange {
	return func(c fake.Call) *exchange.Exchange {
		e := d.Conforming(c.Request)
		if s := d.Endpoint.ClassifyBytes(d.Contract.Operations[0], c.Request, c.Body).Expectation(); s == message.Refuse || s == message.RefuseNotJSON {
			e = fake.Answer(http.StatusOK, "application/json", `{"id":1}`)
		}
		return fake.Lasting(50*time.Millisecond, e)
	}
}

func TestATenthOfTheTimeIsKeptAndTheExampleOfEveryFindingOfACutRunIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 30 * time.Second
		d := fakerun.Plants(t, "baseline", "missing-members", "wrong-types", "keyword-violations", "string-values", "malformed-body", "syntax-errors", "credentials")
		j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		o := d.Over(&fake.Client{ServeCall: lenient(d)})
		o.Sending = j.Origins.Note
		to := explore.New(o)
		j.Facts = to.Facts
		began := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), limit)
		defer stop()
		run := execute.New(to, j, execute.Settings{Workers: 1}, d.Plan.Cases, to.Learn(ctx))
		j.Cover(d.Plan.Cases)
		s := setup{config: Config{MaxTime: limit}, set: d.Set}
		cases, enough := s.beforeTheEnd(ctx)
		defer enough()
		run.All(cases)
		assert.True(t, slices.ContainsFunc(d.Plan.Cases, func(c *plan.Case) bool { return run.Record(c) == nil || run.Record(c).State != judge.Tried }), "the limit cuts the run")
		assert.LessOrEqual(t, time.Since(began), 9*limit/10+100*time.Millisecond)

		_, found := diagnose.Diagnose(ctx, run)
		assert.Less(t, time.Since(began), limit+time.Second)
		explainer := diagnose.NewExplainer(run, func(id string) string { return id })
		var results []report.Result
		failures := map[int]report.Failure{}
		for i := range found {
			b := &j.Bound[found[i].At]
			f := explainer.Failure(&found[i])
			f.N = i + 1
			failures[f.N] = f
			results = append(results, report.Result{Requirement: b.ID, Level: b.Level, Operation: b.Op.Slug, Verdict: report.Fail, Failures: []report.Failure{f}})
		}
		list := report.Findings(results)
		require.Greater(t, len(list), 3)
		for _, finding := range list {
			f := failures[finding.Example]
			assert.Empty(t, f.NotTriedAgain, finding.Sentence)
			assert.True(t, f.Stable, finding.Sentence)
		}
	})
}
