package conformance_test

import (
	"bytes"
	"context"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
)

func TestThePageOfTheCatalogueOfRequirementsIsWhatTheCommandPrints(t *testing.T) {
	t.Parallel()
	l, err := conformance.List(context.Background(), conformance.Config{Cache: plantPlans})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, formats.ListingMarkdown(&b, l))
	recorded, err := os.ReadFile("REQUIREMENTS.md")
	require.NoError(t, err)
	require.Equal(t, string(recorded), b.String(),
		"conformance/REQUIREMENTS.md is out of date: go run ./cmd/conformance list --format markdown > REQUIREMENTS.new && mv REQUIREMENTS.new conformance/REQUIREMENTS.md")
}

// TestAListingNamesFirstWhatIsMadeForARequirement: what tests nearly everything says
// little about one requirement.
func TestAListingNamesFirstWhatIsMadeForARequirement(t *testing.T) {
	t.Parallel()
	l, err := conformance.List(context.Background(), conformance.Config{Cache: plantPlans})
	require.NoError(t, err)
	var known []string
	for _, m := range l.Mutators {
		known = append(known, m.Name)
	}
	for _, r := range l.Requirements {
		assert.Equal(t, r.Cases > 0, len(r.Sent) > 0, r.Requirement)
		for _, name := range r.Sent {
			assert.Contains(t, known, name, r.Requirement)
		}
		switch r.Requirement {
		case "newplant-id-integer":
			assert.Equal(t, "numeric-strings", r.Sent[0])
		case "post-plants-answered":
			assert.ElementsMatch(t, known, r.Sent)
		case "bearer-scheme-case":
			assert.Equal(t, []string{"credentials"}, r.Sent)
		}
	}
	assert.True(t, slices.Contains(known, "credentials"))
}
