package proof_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
)

func TestAWholeTableSaysWhatEachMutatorAndRuleFindsAlone(t *testing.T) {
	rows := []proof.Row{
		{Kind: proof.Fault, Name: "one", Mutators: []string{"bounds"}, Rules: []string{"refused"}},
		{Kind: proof.Fault, Name: "two", Mutators: []string{"bounds", "nulls"}, Rules: []string{"refused"}},
		{Kind: proof.Variant, Name: "warned", Mutators: []string{"nulls"}, Rules: []string{"refused"}},
	}
	all := &report.Listing{
		Mutators:     []report.ListedMutator{{Name: "idle"}, {Name: "nulls"}, {Name: "bounds"}},
		Requirements: []report.ListingEntry{{Rule: "refused"}, {Rule: "listed"}},
	}
	s := proof.Summarise(rows, nil)
	s.Ablation = proof.Ablate(rows, all)
	assert.Equal(t, []proof.Finder{{"bounds", 2, []string{"one"}}, {"nulls", 1, nil}, {"idle", 0, nil}}, s.Ablation.Mutators)
	assert.Equal(t, []proof.Finder{{"refused", 2, []string{"one", "two"}}, {"listed", 0, nil}}, s.Ablation.Rules)
	var b strings.Builder
	require.NoError(t, proof.Write(&b, "markdown", rows, s))
	assert.Contains(t, b.String(), "\n| bounds | 2 | 1: one |\n\nFound by others too: nulls (1).\n\nNothing of this service: idle.\n")
}

func TestAFailedCaseNamesTheMutatorThatMadeIt(t *testing.T) {
	rows, err := proof.Table(t.Context(), proof.Options{Keep: func(k proof.Kind, name string) bool { return k == proof.Fault && name == "long-header-500" },
		Config: conformance.Config{Cache: shared, Only: []string{"*header*"}}})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	assert.Equal(t, []string{"answered"}, rows[0].Rules)
	assert.NotEmpty(t, rows[0].Mutators)
}
