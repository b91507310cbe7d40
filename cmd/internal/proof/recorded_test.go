package proof_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/internal/sample"
	"plantstore/reference/faults"
)

// Of the faults one in so many has its failures sent again, and so many
// failures there are at least.
const (
	recordedSampled  = 80
	recordedFailures = 5
)

// TestTheFailuresOfAReportAreRecognisedAsThePlansOwn: shrinking and repeating
// change a request, and what they may change is no reason to refuse it.
func TestTheFailuresOfAReportAreRecognisedAsThePlansOwn(t *testing.T) {
	t.Parallel()
	sample.Slow(t)
	replayed := 0
	for _, f := range faults.List() {
		if proof.Part(proof.Fault, f.Name, recordedSampled) != 1 {
			continue
		}
		s, err := proof.StartFault(f.Name)
		require.NoError(t, err)
		c := conformance.Config{Target: s.URL, Token: s.Token, Draws: 1, Cache: shared}
		r, err := conformance.Run(context.Background(), c)
		require.NoError(t, err)
		for _, x := range r.Results {
			for _, fail := range x.Failures {
				_, err := conformance.ReplayFailure(context.Background(), c, r, fail.N, false)
				if err != nil && strings.Contains(err.Error(), "too large for the report") {
					continue
				}
				replayed++
				if !assert.NoError(t, err, f.Name) {
					for _, st := range fail.Steps {
						t.Logf("%s %.1500q", fail.Case, st.Request.Data)
					}
				}
			}
		}
		s.Close()
	}
	assert.GreaterOrEqual(t, replayed, recordedFailures)
}
