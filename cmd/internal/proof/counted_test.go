package proof_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference"
)

// TestNumbersThatAStoreUsedBeforeTheRunAreNoFailure has a store that numbered its
// own plants from 1 to 5000 and refuses an id used before, twice with the same data.
func TestNumbersThatAStoreUsedBeforeTheRunAreNoFailure(t *testing.T) {
	sample.OneIn(t, 4)
	var used sync.Map
	s, err := reference.New(reference.Config{Tokens: []string{proof.Token}, Alter: func(s *reference.Stages) {
		s.Append = func(_ context.Context, p reference.Plant) error {
			_, taken := used.LoadOrStore(p.ID, true)
			if taken || p.ID >= 1 && p.ID <= 5000 {
				return &reference.Refusal{Kind: reference.Taken, At: "/id", Reason: "is used by another plant"}
			}
			return nil
		}
	}}).Start()
	require.NoError(t, err)
	defer s.Close()
	for range 2 {
		r, err := conformance.Run(context.Background(), conformance.Config{Target: s.URL, Token: proof.Token, Seed: 1, Draws: 1, Cache: shared})
		require.NoError(t, err)
		for _, q := range r.Results {
			assert.NotEqual(t, report.Fail, q.Verdict, "%s", q.Requirement)
			switch q.Requirement {
			case "newplant-id-accepted":
				assert.Equal(t, report.Inconclusive, q.Verdict)
				assert.Contains(t, q.Reason, "use a fresh store")
			case "post-plants-answered":
				assert.Equal(t, report.Pass, q.Verdict)
			}
		}
	}
}
