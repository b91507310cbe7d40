package conformance_test

import (
	"debug/buildinfo"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheReleaseBuildIsStripped builds a program of three lines by the command
// that CONTRIBUTING.md names: that of the suite would be compiled for minutes.
func TestTheReleaseBuildIsStripped(t *testing.T) {
	text, err := os.ReadFile("../CONTRIBUTING.md")
	require.NoError(t, err)
	require.Contains(t, string(text), "`.ci/release`")
	script, err := filepath.Abs("../.ci/release")
	require.NoError(t, err)

	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module tiny\n\ngo 1.26\n",
		"main.go": "package main\n\nfunc main() { println(\"here\") }\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	build := exec.Command(script, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "GOFLAGS=", "GOWORK=off")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))

	program := filepath.Join(dir, "bin", "tiny")
	file, err := elf.Open(program)
	require.NoError(t, err)
	defer file.Close()
	_, err = file.Symbols()
	assert.ErrorIs(t, err, elf.ErrNoSymbols)
	for _, section := range file.Sections {
		assert.False(t, strings.HasPrefix(section.Name, ".debug") || strings.HasPrefix(section.Name, ".zdebug"), section.Name)
	}
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	assert.NotContains(t, string(data), dir, "a path of this machine")
	info, err := buildinfo.ReadFile(program)
	require.NoError(t, err)
	assert.Equal(t, "tiny", info.Main.Path, "what version prints stays")
}
