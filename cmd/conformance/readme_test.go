package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/internal/sample"
)

// root is the top of the checkout.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	return dir
}

// source is the text of a file of the checkout.
func source(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(path)))
	require.NoError(t, err)
	return string(text)
}

const (
	readme = "README.md"
	// guide is the folder of the pages, and guideIndex says which servers they need.
	guide      = "conformance/guide"
	guideIndex = guide + "/README.md"
)

// pages are those of the guide but for the index.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root(t), guide, "*.md"))
	require.NoError(t, err)
	var out []string
	for _, path := range found {
		if page := guide + "/" + filepath.Base(path); page != guideIndex {
			out = append(out, page)
		}
	}
	require.Greater(t, len(out), 6, "the pages were not found")
	return out
}

// fenced gives the blocks of one language.
func fenced(t *testing.T, text, language string) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// TestReadmeCommandsDoWhatItSays runs the shell blocks of the README and the
// steps of the workflow of the guide, top to bottom, as one session.
func TestReadmeCommandsDoWhatItSays(t *testing.T) {
	sample.Slow(t)
	blocks := fenced(t, source(t, readme), "sh")
	for _, m := range regexp.MustCompile(`(?m)^ +- run: (.*)$`).FindAllStringSubmatch(workflow(t), -1) {
		blocks = append(blocks, m[1]+"\n")
	}
	dir := t.TempDir()
	shows(t, readme, session(t, dir, blocks))
	for _, path := range []string{"report.json", "report.xml", "conformance.xml"} {
		assert.FileExists(t, filepath.Join(dir, path))
	}
}

// session runs shell blocks in a folder as one session and gives what they print. A
// command ends with 0, or as its comment says: # exits N.
func session(t *testing.T, dir string, blocks []string) string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the commands are for bash")
	var script strings.Builder
	script.WriteString(prelude)
	for _, line := range strings.Split(strings.Join(blocks, ""), "\n") {
		command, comment, _ := strings.Cut(line, " # ")
		want := 0
		if comment != "" {
			_, err := fmt.Sscanf(comment, "exits %d", &want)
			require.NoError(t, err, line)
		}
		if command != "" {
			fmt.Fprintf(&script, "%s\nexited $? %d '%s'\n", command, want, strings.ReplaceAll(command, "'", `'\''`))
		}
	}
	script.WriteString("exit $bad\n")

	for _, folder := range []string{"testdata", "reference"} {
		require.NoError(t, os.Symlink(filepath.Join(root(t), folder), filepath.Join(dir, folder)))
	}
	moved := elsewhere(t)
	start := "#!/bin/sh\nexec bin/plantstore serve --addr localhost:8082 --token open-sesame-42\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "start-your-server"), []byte(moved.Replace(start)), 0o777))
	cmd := exec.Command(bash, "-c", moved.Replace(script.String()))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "ROOT="+root(t))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// shows compares what a page pastes from reports with what its commands print.
func shows(t *testing.T, page, out string) {
	t.Helper()
	for _, pasted := range fenced(t, source(t, page), "text") {
		for _, line := range strings.Split(pasted, "\n") {
			if tellsTheFailure(line) {
				assert.Contains(t, out, line, "what %s pastes is out of date", page)
			}
		}
	}
}

// workflow is the block of the guide that is a workflow of GitHub.
func workflow(t *testing.T) string {
	t.Helper()
	for _, block := range fenced(t, source(t, guide+"/ci.md"), "yaml") {
		if strings.Contains(block, "\njobs:\n") {
			return block
		}
	}
	require.Fail(t, "the guide has no workflow")
	return ""
}

// prelude stands in for go where the real one would test itself or write into
// the checkout, and notes exit codes.
const prelude = `
bad=0
exited() { [ "$1" -eq "$2" ] || { printf 'page: %s: exit code %s, want %s\n' "$3" "$1" "$2"; bad=1; }; }
go() {
  case "$1 $2" in
  "run ./cmd/"*) local program=${2##*/}; shift 2; command go build -C "$ROOT" -o "$PWD/bin/" ./cmd/... && "$PWD/bin/$program" "$@" ;;
  "test ./...") grep -qF "go test ./..." "$ROOT/.ci/run" && command go list -C "$ROOT" ./... >/dev/null ;;
  "build -o") command go build -C "$ROOT" -o "$PWD/$3" "${@:4}" ;;
  "-C testdata/"*) command go -C "$ROOT/$2" "${@:3}" ;;
  *) echo "what is go $*?"; return 99 ;;
  esac
}
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
`

// elsewhere moves the servers of the pages to ports that are free here.
func elsewhere(t *testing.T) *strings.Replacer {
	t.Helper()
	var pairs []string
	for _, port := range []string{"8080", "8081", "8082", "8090", "8091", "8092"} {
		ln, err := net.Listen("tcp", "localhost:0")
		require.NoError(t, err)
		defer ln.Close() // all are held until each has one of its own
		_, free, err := net.SplitHostPort(ln.Addr().String())
		require.NoError(t, err)
		pairs = append(pairs, "localhost:"+port, "localhost:"+free)
	}
	return strings.NewReplacer(pairs...)
}

// tellsTheFailure picks the lines of a report that no new case changes.
func tellsTheFailure(line string) bool {
	for _, label := range []string{"FAIL ", "     rule ", "     clause ", "     expected ", "     got ", "NOT CONFORMANT", "incomplete"} {
		if strings.HasPrefix(line, label) {
			return true
		}
	}
	return false
}

// TestLinksOfThePagesLeadSomewhere checks files, and the headings that # names.
func TestLinksOfThePagesLeadSomewhere(t *testing.T) {
	n := 0
	for _, page := range append(pages(t), readme, guideIndex, "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "reference/README.md", "testdata/examples/README.md") {
		for _, m := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(source(t, page), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			n++
			path, heading, _ := strings.Cut(m[1], "#")
			to := page
			if path != "" {
				to = filepath.ToSlash(filepath.Join(filepath.Dir(page), path))
			}
			_, err := os.Stat(filepath.Join(root(t), to))
			if assert.NoError(t, err, page) && heading != "" {
				assert.Contains(t, anchors(source(t, to)), heading, "%s: %s", page, m[1])
			}
		}
	}
	assert.Greater(t, n, 50)
}

// anchors are the names of the headings of a page, as GitHub makes them.
func anchors(page string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		out = append(out, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return out
}
