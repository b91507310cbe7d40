package proof_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
)

func TestAFaultThatFailsAnotherRequirementIsNotFoundAndNotMissed(t *testing.T) {
	rows := []proof.Row{
		{Kind: proof.Fault, Name: "named", Breaks: "a", Tripped: []string{"a"}, Findings: []string{"x"}, Seed: 1, Seeds: 1, Requests: 30},
		{Kind: proof.Fault, Name: "other", Breaks: "a", Tripped: []string{"b"}, Findings: []string{"y", "z"}, Seed: 1, Seeds: 2, Requests: 20},
		{Kind: proof.Fault, Name: "silent", Breaks: "a", Outcome: report.Conformant, Seed: 1, Seeds: 1, Requests: 40},
	}
	var b strings.Builder
	require.NoError(t, proof.Write(&b, "markdown", rows, proof.Summarise(rows, nil)))
	for _, line := range []string{
		"- exchanges of a run against a fault or a variant: median 30, most 40",
		"- faults found: 1 of 3 (33.3 %)",
		"- faults that fail only other MUSTs than the one they name: 1 more",
		"- faults that trip something unrelated: other",
		"- findings for one fault: median 2, most 2",
		"| named |  | a | a | 1 | ok |",
		"| other |  | a | b | 2 | ELSEWHERE (seed 1) |",
		"| silent |  | a | conformant | 0 | MISSED (seed 1) |",
	} {
		assert.Contains(t, b.String(), line+"\n")
	}
	for _, silence := range []string{"hostile", "requirements without", "## Variants"} {
		assert.NotContains(t, b.String(), silence, "nobody asked")
	}
}

func TestAWholeTableSaysWhichRequirementsHaveNoFault(t *testing.T) {
	rows := []proof.Row{{Kind: proof.Fault, Name: "named", Breaks: "a", Tripped: []string{"a"}, Seeds: 1}}
	all := &report.Listing{Requirements: []report.ListingEntry{{Requirement: "a", Level: report.Must}, {Requirement: "b", Level: report.Must}}}
	var b strings.Builder
	require.NoError(t, proof.Write(&b, "text", rows, proof.Summarise(rows, all)))
	assert.Contains(t, b.String(), "requirements without a fault or variant that shows them: b\n")
}

func TestEachRequirementOfThePlantStoreHasAServerThatIsSaidToShowIt(t *testing.T) {
	all, err := conformance.List(context.Background(), conformance.Config{})
	require.NoError(t, err)
	rows := proof.Catalogue(proof.PlantStore)
	for i := range rows {
		rows[i].Tripped, rows[i].Warned = []string{rows[i].Breaks}, rows[i].Also
	}
	assert.Empty(t, proof.Summarise(rows, all).Unkilled, "without one the self-test of the gate fails after a quarter of an hour")
}
