package diagnose

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

func TestWhatFailedOnlyBesideOthersIsSuppressedWhereAnswersGoToTheWrongRequest(t *testing.T) {
	for name, c := range map[string]struct {
		belongs, other Finding
		workers        int
		kept           bool
	}{
		"neither came again":                   {workers: 8},
		"it came again":                        {other: Finding{Stable: true}, workers: 8, kept: true},
		"it could not be tried again":          {other: Finding{NotTriedAgain: execute.EndedReason}, workers: 8, kept: true},
		"it needs something that is known":     {other: Finding{Cause: &causes.Cause{Name: "every-nth"}}, workers: 8, kept: true},
		"it needs others, too":                 {other: Finding{Cause: &causes.Cause{Name: "in-flight"}}, workers: 8},
		"nothing was under way beside it":      {workers: 1, kept: true},
		"the wrong answers need a predecessor": {belongs: Finding{Cause: &causes.Cause{Name: "request-before"}}, workers: 8, kept: true},
		"the wrong answers need others":        {belongs: Finding{Cause: &causes.Cause{Name: "in-flight"}}, workers: 8},
	} {
		d := diagnosing(fake.Plants(t))
		d.tallies = make([]tally, len(d.judge.Bound))
		d.run.Workers, d.target.Facts.Connections = c.workers, 8
		found := among(d, []string{"answer-belongs", "post-plants-valid-accepted"})
		for i, with := range []Finding{c.belongs, c.other} {
			found[i].Stable, found[i].NotTriedAgain, found[i].Cause = with.Stable, with.NotTriedAgain, with.Cause
		}
		got := d.suppressMixed(slices.Clone(found))
		assert.True(t, fails(got, d.at("answer-belongs")), name)
		assert.Equal(t, c.kept, fails(got, d.at("post-plants-valid-accepted")), name)
		if !c.kept {
			assert.Equal(t, "answer-belongs", d.tallies[d.at("post-plants-valid-accepted")].suppressedBy, "what is suppressed is not green")
		}
		assert.Len(t, d.suppressMixed(found[1:]), 1, "%s: nothing else explains it", name)
	}
}

func TestALostAnswerIsNotExplainedByAnswersThatGoToTheWrongRequest(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	d.run.Workers, d.target.Facts.Connections = 8, 8
	assert.Len(t, d.suppressMixed(among(d, []string{"answer-belongs", "post-plants-answered"})), 2)
}

func TestARaceOfCredentialsExplainsRefusalsOfTheRightOneAndNothingElse(t *testing.T) {
	for status, kept := range map[int]bool{401: false, 400: true} {
		d := diagnosing(fake.Plants(t))
		d.tallies = make([]tally, len(d.judge.Bound))
		d.run.Workers, d.target.Facts.Connections = 8, 8
		found := among(d, []string{"bearer-token", "post-plants-valid-accepted"}, "at times")
		c := &plan.Case{}
		found[1].group.cases = []*plan.Case{c}
		found[1].group.failures = map[*plan.Case]*judge.Failure{c: {Steps: []judge.Played{{Answer: &rule.Answer{Status: status}}}}}
		assert.Equal(t, kept, fails(d.suppressMixed(slices.Clone(found)), found[1].At), status)
		found[0].Cause = &causes.Cause{Name: "sent-before"}
		assert.Len(t, d.suppressMixed(found), 2, "it is no race")
	}
}
