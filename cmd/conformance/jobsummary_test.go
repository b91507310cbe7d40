package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/report"
)

// summarised runs with a job summary and returns what it then holds.
func summarised(t *testing.T, before string, d *desk) string {
	t.Helper()
	path := keep(t, "summary", before)
	d.env[summaryVariable] = path
	d.exec("run", target)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func TestTheJobSummaryIsAppended(t *testing.T) {
	assert.True(t, strings.HasPrefix(summarised(t, "", newDesk()), "# conformant\n"))
	assert.True(t, strings.HasPrefix(summarised(t, "first", newDesk().answer(report.NotConformant)), "first\n\n# NOT CONFORMANT: "))
}

func TestALongJobSummaryIsCutToWhatGitHubShows(t *testing.T) {
	before := strings.Repeat("x", summaryMax-150)
	text := summarised(t, before, newDesk())
	assert.LessOrEqual(t, len(text), summaryMax)
	assert.True(t, strings.HasPrefix(text[len(before):], "\n\n# conformant\n"), text[len(before):])
	assert.Contains(t, text[len(before):], "was cut here.")
}

func TestAJobSummaryThatCannotBeWrittenChangesNoVerdict(t *testing.T) {
	for path, want := range map[string]string{
		t.TempDir(): "is a directory",
		filepath.Join(t.TempDir(), "no", "summary"):      "no such file or directory",
		keep(t, "full", strings.Repeat("x", summaryMax)): "it has 1048576 bytes, and GitHub shows at most 1048576",
	} {
		d := newDesk()
		d.env[summaryVariable] = path
		assert.Equal(t, exitConformant, d.exec("run", target))
		assert.Equal(t, "conformance: GITHUB_STEP_SUMMARY: "+want+": the summary of the job is not written\n", d.stderr.String())
	}
}

func TestNoJobSummaryIsWrittenWithoutAReport(t *testing.T) {
	d := newDesk()
	path := filepath.Join(t.TempDir(), "summary")
	d.env[summaryVariable] = path
	assert.Equal(t, exitUsage, d.exec("run", target, "--report", "xml=x"))
	assert.NoFileExists(t, path)
}
