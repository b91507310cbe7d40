package diagnose

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

func TestAThingThatIsNotThereExplainsThatOtherOperationsDoNotFindItEither(t *testing.T) {
	text, err := os.ReadFile("../otherservers/testdata/albums.yaml")
	require.NoError(t, err)
	d := diagnosing(fake.Of(t, string(text)))
	d.tallies = make([]tally, len(d.judge.Bound))
	finding := func(id string, statuses ...int) Finding {
		g := &group{at: d.at(id), failures: map[*plan.Case]*judge.Failure{}}
		for _, s := range statuses {
			c := &plan.Case{}
			g.cases = append(g.cases, c)
			g.failures[c] = &judge.Failure{Steps: []judge.Played{{Answer: &rule.Answer{Status: s}}}}
		}
		return Finding{At: g.at, group: g}
	}
	const read, removed, patched = "get-albums-albumid-created-readable", "delete-albums-albumid-valid-accepted", "patch-albums-albumid-valid-accepted"
	got := d.suppressLives([]Finding{finding(read, 404), finding(removed, 404, 404), finding(patched, 404, 400), finding("post-albums-valid-accepted", 404)})
	assert.True(t, fails(got, d.at(read)))
	assert.False(t, fails(got, d.at(removed)))
	assert.Equal(t, tally{suppressedBy: read}, d.tallies[d.at(removed)], "what is suppressed is not green")
	assert.True(t, fails(got, d.at(patched)), "it is also refused in another way")
	assert.True(t, fails(got, d.at("post-albums-valid-accepted")), "it does not name the thing")
	assert.True(t, fails(d.suppressLives([]Finding{finding(removed, 404)}), d.at(removed)), "nothing else explains it")
}
