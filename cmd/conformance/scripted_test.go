package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryFlagHasAScript(t *testing.T) {
	parser, err := kong.New(&grammar{}, vars())
	require.NoError(t, err)
	files, err := filepath.Glob("../../testdata/script/conformance_*.txtar")
	require.NoError(t, err)
	calls := map[string]string{} // the lines of scripts that call a command
	for _, path := range files {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, line := range strings.Split(string(text), "\n") {
			for _, m := range regexp.MustCompile(`conformance ([a-z-]+)`).FindAllStringSubmatch(line, -1) {
				calls[m[1]] += line + "\n"
			}
		}
	}
	// A flag that several commands share is tried with one of them.
	tried := map[string]bool{}
	for _, command := range parser.Model.Children {
		for _, f := range command.Flags {
			forms := "--" + f.Name
			if f.Short != 0 {
				forms += "|-" + string(f.Short)
			}
			flag := "--" + f.Name + ": " + f.Help
			tried[flag] = tried[flag] || regexp.MustCompile(`(?m)[ '](`+forms+`)([ =']|$)`).MatchString(calls[command.Name])
		}
	}
	for flag, is := range tried {
		assert.True(t, is, "no script calls a command with %s", flag)
	}
}
