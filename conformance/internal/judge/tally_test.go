package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// TestAClassWhoseValuesAreTakenHoldsWhatIsOwedToThemAlone has two classes: of one
// everything was judged and passed, of the other nothing.
func TestAClassWhoseValuesAreTakenHoldsWhatIsOwedToThemAlone(t *testing.T) {
	for why, held := range map[string]bool{usedReason: false, countedReason: false, slowReason: true} {
		j := plants(t)
		op := j.Contract.Operations[0]
		passed := j.triedRecord()
		for at := range j.bound {
			passed.passed.set(at)
		}
		judged := &plan.Case{ID: "a/0", Class: &plan.Class{Slug: "a"}, Op: op}
		hollow := &plan.Case{ID: "b/0", Class: &plan.Class{Slug: "b"}, Op: op}
		j.Cases = []*plan.Case{judged, hollow}
		j.records = map[*plan.Case]*record{judged: passed, hollow: {why: why}}
		j.aims = map[*plan.Case]bits{judged: passed.passed, hollow: passed.passed}
		tallies := j.tally()
		verdicts := map[string]report.Result{}
		for at := range j.bound {
			r := j.result(at, tallies[at], nil)
			verdicts[r.Requirement] = r
		}
		assert.Equal(t, report.Inconclusive, verdicts["newplant-name-accepted"].Verdict, "what is owed to the values was not tried")
		framing := verdicts["post-plants-framing"]
		require.NotEmpty(t, framing.Requirement)
		assert.Equal(t, held, framing.Verdict == report.Inconclusive, why)
		if !held {
			assert.Equal(t, "1 of 2 not tried: "+why, framing.Reason)
		}
	}
}
