package diagnose

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

// TestFailuresBehindUnaskedBytesAreChargedToThem: a second answer that comes late
// is taken for the answer to the next request on the connection.
func TestFailuresBehindUnaskedBytesAreChargedToThem(t *testing.T) {
	doc := fake.Plants(t)
	d := diagnosing(doc)
	d.tallies = make([]tally, len(d.judge.Bound))
	at := map[string]int{}
	for i := range d.judge.Bound {
		at[d.judge.Bound[i].ID] = i
	}
	finding := func(id, signature string, fresh, stable bool) Finding {
		c := &plan.Case{ID: id}
		f := &judge.Failure{Finding: judge.Finding{At: at[id]}, Steps: []judge.Played{{Exchange: &exchange.Exchange{Fresh: fresh}}}}
		return Finding{At: at[id], Case: c, Failure: f, Stable: stable,
			group: &group{at: at[id], signature: signature, cases: []*plan.Case{c}, failures: map[*plan.Case]*judge.Failure{c: f}}}
	}
	ids := func(list []Finding) (out []string) {
		for _, f := range list {
			out = append(out, d.judge.Bound[f.At].ID)
		}
		return out
	}
	others := []Finding{
		finding("bearer-required", "200", false, false), // once, behind another request
		finding("echo-name", "other", false, true),      // it came again
		finding("newplant-id-required", "200", true, false),
	}
	for _, signature := range []string{rule.Unasked, rule.Surplus} {
		got := d.suppressMisread(append([]Finding{finding("post-plants-framing", signature, false, false)}, others...))
		assert.Equal(t, []string{"post-plants-framing", "echo-name", "newplant-id-required"}, ids(got), signature)
		assert.Equal(t, "post-plants-framing", d.tallies[at["bearer-required"]].suppressedBy, "it is not green")
	}
	for _, none := range [][]Finding{others, append([]Finding{finding("post-plants-framing", "malformed", false, false)}, others...)} {
		assert.Equal(t, ids(none), ids(d.suppressMisread(none)), "no bytes that nobody asked for")
	}
}
