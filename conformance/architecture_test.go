package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestArchitectureNamesFilesThatExist checks every path in ARCHITECTURE.md.
func TestArchitectureNamesFilesThatExist(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	require.NoError(t, err)
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^` ]+)`|\\]\\(([^)#]+)\\)").FindAllStringSubmatch(string(text), -1) {
		if path := m[1] + m[2]; isPath(path) {
			named[path] = true
		}
	}
	require.Greater(t, len(named), 40, "the paths were not found")
	for path := range named {
		_, err := os.Stat(filepath.FromSlash(path))
		assert.NoError(t, err, "ARCHITECTURE.md names %s: write where it is now", path)
	}
}

// isPath reports whether a quoted text names a file or a folder of ours, and not
// a case, a pointer or a package of others.
func isPath(s string) bool {
	first, _, nested := strings.Cut(s, "/")
	if !nested {
		return strings.HasSuffix(s, ".go") || strings.HasSuffix(s, ".md")
	}
	return first == "internal" || first == "report" || first == "formats" || first == "conformancetest" || first == ".."
}
