package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAFileIsNamedFromTheTopOfTheCheckout(t *testing.T) {
	top := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.MkdirAll(filepath.Join(top, "api"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(top, "api", "a.yaml"), nil, 0o600))
	require.NoError(t, os.Symlink(top, link))
	inside := filepath.Join(top, "api", "a.yaml")
	assert.Equal(t, "api/a.yaml", below(top, inside))
	assert.Equal(t, "api/a.yaml", below(link, inside), "the system may name the checkout by a link")
	assert.Equal(t, "/elsewhere/a.yaml", below(top, "/elsewhere/a.yaml"))
	assert.Equal(t, "..a.yaml", below(top, filepath.Join(top, "..a.yaml")))
	assert.Empty(t, below(top, ""))
	assert.Nil(t, inRepository(func(string) string { return "" }))
}
