package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The mutants are not run here; go run ./testdata/mutants does.
func TestEveryMutantStillFitsTheCode(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	list, err := choose(packages(), options{})
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, m := range list {
		_, err := mutate(root, m)
		assert.NoError(t, err, m.Name)
		assert.NotEqual(t, m.Old, m.New, m.Name)
		assert.NotEmpty(t, m.Why, m.Name)
		assert.False(t, seen[m.Name], "two mutants are called %s", m.Name)
		seen[m.Name] = true
	}
}

func TestAMutantThatDoesNotFitIsAnErrorAndNoDeath(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	l := lab{root: root, dir: t.TempDir()}
	_, err = l.try(t.Context(), placed{mutant{Name: "gone", File: "pace.go", Old: "no such text", New: "x"}, "conformance/internal/pace"})
	assert.ErrorContains(t, err, "the old text occurs 0 times in conformance/internal/pace/pace.go, not once")
	_, err = l.try(t.Context(), placed{mutant{Name: "broken", File: "pace.go", Old: "paceStep = 32", New: "paceStep = ="}, "conformance/internal/pace"})
	assert.ErrorContains(t, err, "the mutant does not compile")
}

func TestAnUnknownNameOrPackageIsAnError(t *testing.T) {
	for _, args := range [][]string{{"none"}, {"--package", "none"}, {"--bad"}} {
		var stdout, stderr strings.Builder
		assert.Equal(t, 2, run(args, &stdout, &stderr), args)
		assert.Empty(t, stdout.String())
		assert.NotEmpty(t, stderr.String())
	}
}

func TestWhatNoticedAMutantIsNamed(t *testing.T) {
	assert.Equal(t, "TestOne/row", noticed("    --- FAIL: TestOne/row (0.00s)\n--- FAIL: TestOne (0.00s)\nFAIL\n"))
	assert.Equal(t, "panic: test timed out after 2m0s", noticed("panic: test timed out after 2m0s\n\tgoroutine 1\n"))
	assert.Equal(t, "the tests fail", noticed("exit status 2\n"))
}
