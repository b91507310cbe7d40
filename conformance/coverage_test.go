package conformance_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/internal/sample"
)

func TestTheCoverageTableIsWhatTheCommandPrints(t *testing.T) {
	sample.Slow(t)
	t.Parallel()
	c, err := conformance.Coverage()
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, formats.CoverageMarkdown(&b, c))
	recorded, err := os.ReadFile("COVERAGE.md")
	require.NoError(t, err)
	require.Equal(t, string(recorded), b.String(),
		"conformance/COVERAGE.md is out of date: go run ./cmd/conformance list --coverage > COVERAGE.new && mv COVERAGE.new conformance/COVERAGE.md")
}
