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
			if strings.Contains(line, "conformance -") {
				calls[""] += line + "\n"
			}
			for _, m := range regexp.MustCompile(`conformance ([a-z][a-z-]*)`).FindAllStringSubmatch(line, -1) {
				calls[m[1]] += line + "\n"
			}
		}
	}
	for _, command := range append([]*kong.Node{{Flags: parser.Model.Flags}}, parser.Model.Children...) {
		for _, f := range command.Flags {
			forms := "--" + f.Name
			if f.Short != 0 {
				forms += "|-" + string(f.Short)
			}
			assert.Regexp(t, `(?m)[ '"](`+forms+`)([ =']|$)`, calls[command.Name], "no script calls conformance %s with --%s", command.Name, f.Name)
		}
	}
}
