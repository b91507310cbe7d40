// Package workflows reads the workflows of GitHub Actions with actionlint: those of this
// repository, the examples and that of the guide. It is a module of its own, so that the
// suite does not depend on actionlint.
package workflows

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rhysd/actionlint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lint wants that actionlint finds nothing. It runs no other program.
func lint(t *testing.T, name string, text []byte) {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	require.NoError(t, err)
	found, err := linter.Lint(name, text, nil)
	require.NoError(t, err)
	for _, e := range found {
		t.Errorf("%s:%d: %s", name, e.Line, e.Message)
	}
}

func TestActionlintFindsNothingInAnyWorkflow(t *testing.T) {
	n := 0
	for _, pattern := range []string{"../../.github/workflows/*.yml", "../examples/github/*.yml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			lint(t, file, text)
			n++
		}
	}
	assert.Equal(t, 4, n)
}

func TestActionlintFindsNothingInTheWorkflowOfTheGuide(t *testing.T) {
	page, err := os.ReadFile("../../conformance/guide/ci.md")
	require.NoError(t, err)
	m := regexp.MustCompile("(?s)```yaml\n(on: .*?)```").FindAllSubmatch(page, -1)
	require.Len(t, m, 1)
	lint(t, "ci.md", m[0][1])
}

func TestActionlintFindsAMistake(t *testing.T) {
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	require.NoError(t, err)
	found, err := linter.Lint("wrong.yml", []byte("on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.evnt }}\n"), nil)
	require.NoError(t, err)
	assert.NotEmpty(t, found)
}
