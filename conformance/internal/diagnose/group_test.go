package diagnose

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// failing adds a case to a group that failed after so many steps.
func (g *group) failing(id string, steps, defects, unusual, size int) *plan.Case {
	c := &plan.Case{ID: id}
	f := &judge.Failure{Finding: judge.Finding{At: g.at}, Defects: defects}
	m := &message.Message{Raw: []byte(strings.Repeat(" ", size))}
	for range steps {
		f.Steps = append(f.Steps, judge.Played{Step: plan.Step{Message: m},
			Sent: &message.Sent{Body: &openapi.Reading{Unusual: make([]string, unusual)}}})
	}
	if g.failures == nil {
		g.failures = map[*plan.Case]*judge.Failure{}
	}
	g.cases = append(g.cases, c)
	g.failures[c] = f
	return c
}

func TestTheCaseThatShowsAFailureBestHasFewestStepsThenDefectsThenASmallBodyThenFewDifferences(t *testing.T) {
	g := &group{}
	for _, c := range []*plan.Case{
		g.failing("three steps", 3, 1, 0, 0), g.failing("two steps", 2, 1, 0, 0), g.failing("defects", 1, 3, 0, 0),
		g.failing("large", 1, 1, 0, 5000), g.failing("unmild", 1, 1, 3, 0), g.failing("simple", 1, 1, 1, 0),
	} {
		best, f := g.simplest()
		if c.ID == "simple" {
			assert.Equal(t, "simple", best.ID)
			assert.Equal(t, g.failures[best], f)
		}
	}
	for len(g.cases) > 1 {
		best, _ := g.simplest()
		last := g.cases[len(g.cases)-1]
		assert.Equal(t, last.ID, best.ID)
		g.cases = g.cases[:len(g.cases)-1]
	}
	again := g.failing("as many steps", 3, 1, 0, 0)
	best, _ := g.simplest()
	assert.NotEqual(t, again, best, "the first in the plan where nothing tells them apart")
}

func TestACaseOfSeveralRequestsThatFailsInOneShowsThemAll(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "recoveries")
	var last bool // a server that refuses what comes behind something that it refused
	d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
		e := doc.Conforming(r)
		if last && e.Response.Status == 200 {
			e, last = refuse(), false
			return e
		}
		last = e.Response.Status == 400
		return e
	})
	require.Equal(t, []string{"post-plants-valid-accepted"}, d.failed())
	f := d.finding(t, "post-plants-valid-accepted")
	assert.Len(t, f.Failure.Steps, 2)
	assert.False(t, f.Baseline, "a plain request alone is taken")
	assert.True(t, f.Stable)
}

func TestGroupsOfAMustComeFirstThenTheOrderOfTheSetThenTheLargest(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	small, large := &group{at: d.at("newplant-id-integer"), signature: "s"}, &group{at: d.at("newplant-id-integer"), signature: "l"}
	small.failing("a", 1, 1, 0, 0)
	large.failing("a", 1, 1, 0, 0)
	large.failing("b", 1, 1, 0, 0)
	should, first := &group{at: d.at("bearer-scheme-case")}, &group{at: d.at("newplant-name-required")}
	assert.Equal(t, []*group{first, large, small, should}, d.worstFirst([]*group{should, small, large, first}))
}

func TestFailuresAreGroupedByRequirementAndWayAndACaseIsInAGroupOnce(t *testing.T) {
	doc := fake.Plants(t)
	d := diagnosing(doc)
	a, b, c := &plan.Case{ID: "a", Op: doc.Op()}, &plan.Case{ID: "b", Op: doc.Op()}, &plan.Case{ID: "c", Op: doc.Op()}
	d.run.Cases = []*plan.Case{a, b, c}
	failure := func(at int, way string) judge.Failure {
		f := judge.Failure{Finding: judge.Finding{At: at}}
		f.Outcome.Signature = way
		return f
	}
	d.run.Replace(a, &judge.Record{Failures: []judge.Failure{failure(1, "x"), failure(1, "x"), failure(2, "x")}})
	d.run.Replace(b, &judge.Record{Failures: []judge.Failure{failure(1, "x"), failure(1, "y")}})
	groups := d.groups()
	require.Len(t, groups, 3)
	assert.Equal(t, []*plan.Case{a, b}, groups[0].cases)
	assert.Equal(t, []*plan.Case{a}, groups[1].cases)
	assert.Equal(t, []*plan.Case{b}, groups[2].cases)

	other := &group{at: 1, signature: "x", cases: []*plan.Case{b, c}, failures: map[*plan.Case]*judge.Failure{b: {Step: 9}, c: {}}}
	joined := merged([]*group{groups[0], groups[1], other})
	require.Len(t, joined, 2)
	assert.Equal(t, []*plan.Case{a, b, c}, joined[0].cases)
	assert.Zero(t, joined[0].failures[b].Step, "its own failure stays")
}
