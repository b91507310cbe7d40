// Package release reads the configuration of the release as goreleaser does. It is a
// module of its own, so that the suite does not depend on goreleaser.
package release

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGoreleaserKnowsEachKeyOfTheConfiguration(t *testing.T) {
	project, err := config.Load("../../.ci/goreleaser.yaml") // refuses a key that it does not know
	require.NoError(t, err)
	assert.Equal(t, 2, project.Version)
	require.Len(t, project.Builds, 1)
	assert.DirExists(t, "../../"+project.Builds[0].Main)
	require.Len(t, project.Casks, 1)
	assert.Equal(t, project.ProjectName, project.Casks[0].Name)
	for _, file := range project.Archives[0].Files {
		found, err := filepath.Glob("../../" + file.Source)
		require.NoError(t, err)
		assert.NotEmpty(t, found, file.Source)
	}
}

// TestTheCaskAndTheGuideNameOneRepository: the page of the cask is where the guide says
// that the action is.
func TestTheCaskAndTheGuideNameOneRepository(t *testing.T) {
	project, err := config.Load("../../.ci/goreleaser.yaml")
	require.NoError(t, err)
	page, err := os.ReadFile("../../conformance/guide/ci.md")
	require.NoError(t, err)
	name := regexp.MustCompile("`your-organisation/([a-z]+)`").FindSubmatch(page)
	require.NotNil(t, name)
	assert.Equal(t, "https://github.com/{{ .Env.HOMEBREW_TAP }}/"+string(name[1]), project.Casks[0].Homepage)
}
