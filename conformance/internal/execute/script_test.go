package execute_test

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// answerer is a scripted server that sees the call.
type answerer func(d *fake.Document, c fake.Call) *exchange.Exchange

// script is a run against a scripted server.
type script struct {
	serve   answerer
	cases   []plan.Mutator
	workers int           // 1 where it is 0
	spare   bool          // the run may use more if the target serves them
	timeout time.Duration // of an answer; 10 s where it is 0
	ends    time.Duration // when the run ends; never where it is 0
	trace   func(c *plan.Case, step int, p *judge.Played)
	noted   func(caseID string, p *judge.Played)
}

// scene is the run that a script made.
type scene struct {
	*fake.Document
	*fake.Client
	*execute.Run
	to   *explore.Target
	took time.Duration
}

// play makes the run, in a bubble where waiting takes no time, and looks at it.
func play(t *testing.T, s script, look func(t *testing.T, s scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		// What the pre-flight sent is filed with the first case.
		d := fake.Plants(t, append([]plan.Mutator{singles(opening, 1)}, s.cases...)...)
		d.Endpoint.NameCases = true
		c := &fake.Client{ServeCall: func(call fake.Call) *exchange.Exchange { return s.serve(d, call) }}
		j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		j.Noted = s.noted
		o := d.Over(c)
		o.Timeout, o.Sending = cmp.Or(s.timeout, 10*time.Second), j.Origins.Note
		to := explore.New(o)
		j.Facts = to.Facts
		ctx := t.Context()
		if s.ends > 0 {
			var stop context.CancelFunc
			ctx, stop = context.WithTimeout(ctx, s.ends)
			defer stop()
		}
		began := time.Now()
		run := execute.New(to, j, execute.Settings{Workers: cmp.Or(s.workers, 1), Spare: s.spare, Trace: s.trace}, d.Plan.Cases, to.Learn(ctx))
		j.Cover(d.Plan.Cases)
		run.All(ctx)
		look(t, scene{d, c, run, to, time.Since(began)})
	})
}

// opening is the mutator of the case that the requests of the pre-flight are filed
// with.
const opening = "opening"

// of lists the cases of a mutator.
func (s scene) of(mutator string) []*plan.Case {
	var out []*plan.Case
	for _, c := range s.Run.Cases {
		if c.Class.Mutator == mutator {
			out = append(out, c)
		}
	}
	return out
}

// ways lists how the cases of a mutator failed, by the case; those that did not
// are left out.
func (s scene) ways(mutator string) map[string]string {
	out := map[string]string{}
	for _, c := range s.of(mutator) {
		if r := s.Record(c); r != nil {
			for _, f := range r.Failures {
				out[c.ID] += s.Judge.Bound[f.At].ID + ": " + f.Outcome.Signature + "\n"
			}
		}
	}
	return out
}

// why lists what is said of the cases of a mutator that were not tried.
func (s scene) why(mutator string) []string {
	var out []string
	for _, c := range s.of(mutator) {
		if r := s.Record(c); r != nil && r.Why != "" {
			out = append(out, r.Why)
		}
	}
	return out
}

// passes asserts that every case was judged and none failed.
func (s scene) passes(t *testing.T) {
	t.Helper()
	for _, c := range s.Run.Cases {
		r := s.Record(c)
		if assert.NotNil(t, r, c.ID) {
			assert.Equal(t, judge.Tried, r.State, "%s: %s", c.ID, r.Why)
			assert.Empty(t, r.Failures, c.ID)
			assert.Empty(t, r.OwnFault, c.ID)
		}
	}
	assert.Empty(t, s.to.Reasons)
}

// of reports whether a call is of a case of a mutator.
func of(c fake.Call, mutator string) bool { return strings.Contains(c.Case, "/"+mutator+"/") }

// sent lists the calls of the cases of a mutator.
func (s scene) sent(mutator string) []fake.Call {
	var out []fake.Call
	for _, c := range s.Calls() {
		if of(c, mutator) {
			out = append(out, c)
		}
	}
	return out
}

// making makes one class of a mutator.
func making(name string, class plan.Class) plan.Mutator {
	class.Kind = "kind"
	return plan.Mutator{Name: name, Doc: "For tests.", Classes: func(*plan.Space) []plan.Class { return []plan.Class{class} }}
}

// singles are n cases of one baseline request each.
func singles(name string, n int) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilyValid, Cases: n, Expected: plan.ExpectMustAccept, Build: func(g *generate.Gen, _ int) []plan.Step {
		return []plan.Step{{Message: g.Baseline()}}
	}})
}

// sequence is n cases of several baseline requests on a connection each; shape,
// where there is one, changes the steps.
func sequence(name string, n, requests int, shape func(steps []plan.Step)) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilySequence, Phase: plan.Sequence, Cases: n, Build: func(g *generate.Gen, _ int) []plan.Step {
		var steps []plan.Step
		for range requests {
			steps = append(steps, plan.Step{Message: g.Baseline()})
		}
		if shape != nil {
			shape(steps)
		}
		return steps
	}})
}

// heavy is n cases of one request with so many blanks behind it.
func heavy(name string, n, size int) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilyMayRefuse, Phase: plan.Heavy, Cases: n, Build: func(g *generate.Gen, _ int) []plan.Step {
		m := g.Baseline()
		m.Raw = append(m.Body(), strings.Repeat(" ", size)...)
		return []plan.Step{{Message: m}}
	}})
}

// wrongTokens is n cases of one request with a wrong token.
func wrongTokens(name string, n int) plan.Mutator {
	return making(name, plan.Class{Family: plan.FamilyCredential, Phase: plan.Credential, Cases: n, Expected: plan.ExpectRefusedCredential,
		Build: func(g *generate.Gen, _ int) []plan.Step {
			m := g.Baseline()
			m.Credentials = []message.Presented{{Field: "Authorization", Value: func(string) string { return "Bearer other" }}}
			return []plan.Step{{Message: m}}
		}})
}

// conforming is the server that the document describes.
func conforming(d *fake.Document, c fake.Call) *exchange.Exchange { return d.Conforming(c.Request) }

// hanging is an exchange that never ends.
func hanging() *exchange.Exchange { return fake.Lasting(1000*time.Hour, fake.Answer(500, "", "")) }
