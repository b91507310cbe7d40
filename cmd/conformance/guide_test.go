package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/internal/sample"
)

// TestGuideCommandsDoWhatItSays runs the shell blocks of each page behind those of the
// index, as one session.
func TestGuideCommandsDoWhatItSays(t *testing.T) {
	sample.Slow(t) // the gate runs it
	programs := t.TempDir()
	for _, page := range pages(t) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.Symlink(programs, filepath.Join(dir, "bin")))
			commands := fenced(t, source(t, page), "sh")
			require.NotEmpty(t, commands, "the page has no command")
			shows(t, page, session(t, dir, append(fenced(t, source(t, guideIndex), "sh"), commands...)))
		})
	}
}

// TestReadmeLeadsToEachPageOfTheGuide: no page is lost.
func TestReadmeLeadsToEachPageOfTheGuide(t *testing.T) {
	for _, page := range pages(t) {
		assert.Contains(t, source(t, guideIndex), "| ["+heading(source(t, page))+"]("+filepath.Base(page)+") |")
	}
	assert.Contains(t, source(t, readme), "("+guideIndex+")")
	assert.LessOrEqual(t, strings.Count(source(t, readme), "\n"), 200, "the README is what one reads first: write it into the guide")
}

// heading is the first line of a page.
func heading(page string) string {
	line, _, _ := strings.Cut(page, "\n")
	return strings.TrimPrefix(line, "# ")
}

// TestTheGuideShowsTheTestThatThePackageDocuments: the example there is compiled.
func TestTheGuideShowsTheTestThatThePackageDocuments(t *testing.T) {
	doc := source(t, "conformance/conformancetest/run.go")
	blocks := fenced(t, source(t, guide+"/go.md"), "go")
	require.NotEmpty(t, blocks)
	for _, line := range strings.Split(strings.TrimSpace(blocks[0]), "\n") {
		assert.Contains(t, doc, "//\t"+line)
	}
}

// TestTheFilesOfTheGuideAreRead: a line of the requirements files and of the values file
// there is about operations and members of the document, and written as the suite reads it.
func TestTheFilesOfTheGuideAreRead(t *testing.T) {
	file := func(page string) []byte {
		blocks := fenced(t, source(t, guide+"/"+page), "yaml")
		require.NotEmpty(t, blocks, page)
		return []byte(blocks[0])
	}
	polls, tasks := source(t, "cmd/conformance/testdata/polls.yaml"), source(t, "reference/services/crud/openapi.yaml")
	for page, c := range map[string]conformance.Config{
		"requirements.md": {Spec: []byte(polls), Requirements: file("requirements.md"), RequirementsName: "requirements.yaml"},
		"lists.md":        {Spec: []byte(tasks), Requirements: file("lists.md"), RequirementsName: "requirements.yaml"},
		"values.md":       {Spec: []byte(tasks), ValuesFile: file("values.md"), ValuesName: "values.yaml"},
	} {
		c.SpecName = "openapi.yaml"
		_, err := conformance.Operations(context.Background(), c)
		assert.NoError(t, err, page)
	}
}

func TestTheSettingsOfTheGuideAreRead(t *testing.T) {
	d := newDesk()
	d.env["STAGING_URL"] = "http://staging.example"
	settings := keep(t, "settings.yaml", fenced(t, source(t, guide+"/ci.md"), "yaml")[1])
	assert.Equal(t, exitConformant, d.exec("run", "--config", settings, "--profile", "ci", "--print-config"), d.stderr.String())
	assert.Regexp(t, `(?m)^target +http://staging\.example +.*settings\.yaml:6 \(profile ci\)$`, d.stdout.String())
}
