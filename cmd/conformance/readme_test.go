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

func readme(t *testing.T) string {
	t.Helper()
	return source(t, "README.md")
}

// fenced gives the blocks of one language.
func fenced(t *testing.T, text, language string) []string {
	t.Helper()
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	require.NotEmpty(t, out, "no %s block", language)
	return out
}

// TestReadmeCommandsDoWhatItSays runs the shell blocks of the README and the
// steps of its workflow, top to bottom, as one session.
func TestReadmeCommandsDoWhatItSays(t *testing.T) {
	sample.Slow(t)
	bash, err := exec.LookPath("bash")
	require.NoError(t, err, "the README's commands are for bash")
	text := readme(t)
	lines := strings.Split(strings.Join(fenced(t, text, "sh"), ""), "\n")
	for _, m := range regexp.MustCompile(`(?m)^ +- run: (.*)$`).FindAllStringSubmatch(readmeWorkflow(t, text), -1) {
		lines = append(lines, m[1])
	}
	var script strings.Builder
	script.WriteString(prelude)
	for _, line := range lines {
		command, comment, _ := strings.Cut(line, " # ")
		want := 0
		if comment != "" {
			_, err := fmt.Sscanf(comment, "exits %d", &want)
			require.NoError(t, err, line)
		}
		if command != "" {
			fmt.Fprintf(&script, "%s\nexited $? %d %q\n", command, want, strings.ReplaceAll(command, "$", `\$`))
		}
	}
	script.WriteString("exit $bad\n")

	dir := t.TempDir()
	require.NoError(t, os.Symlink(filepath.Join(root(t), "testdata"), filepath.Join(dir, "testdata")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "suite"), 0o777))
	moved := elsewhere(t)
	start := "#!/bin/sh\nexec bin/plantstore serve --addr localhost:8082 --token open-sesame-42\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "start-your-server"), []byte(moved.Replace(start)), 0o777))
	cmd := exec.Command(bash, "-c", moved.Replace(script.String()))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "ROOT="+root(t))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))

	for _, path := range []string{"report.json", "report.xml", "conformance.xml"} {
		assert.FileExists(t, filepath.Join(dir, path))
	}
	for _, line := range strings.Split(fenced(t, text, "text")[0], "\n") {
		if tellsTheFailure(line) {
			assert.Contains(t, string(out), line, "the pasted report is out of date")
		}
	}
}

// readmeWorkflow is the block of the README that is a workflow of GitHub.
func readmeWorkflow(t *testing.T, text string) string {
	t.Helper()
	for _, block := range fenced(t, text, "yaml") {
		if strings.Contains(block, "\njobs:\n") {
			return block
		}
	}
	require.Fail(t, "the README has no workflow")
	return ""
}

// prelude stands in for go where the real one would test itself or write into
// the checkout, and notes exit codes.
const prelude = `
bad=0
exited() { [ "$1" -eq "$2" ] || { printf 'README: %s: exit code %s, want %s\n' "$3" "$1" "$2"; bad=1; }; }
go() {
  case "$1 $2" in
  "run ./cmd/"*) local program=${2##*/}; shift 2; built && "$PWD/bin/$program" "$@" ;;
  "test ./...") grep -qF "go test ./..." "$ROOT/.ci/run" && command go list -C "$ROOT" ./... >/dev/null ;;
  "build -o") built ;;
  "build -C") command go build -C "$ROOT" -o "$PWD/$3/$5" "${@:6}" ;;
  *) echo "what is go $*?"; return 99 ;;
  esac
}
built() { [ -x bin/plantstore ] || command go build -C "$ROOT" -o "$PWD/bin/" ./cmd/...; }
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
`

// elsewhere moves the servers of the README to ports that are free here.
func elsewhere(t *testing.T) *strings.Replacer {
	t.Helper()
	var pairs []string
	for _, port := range []string{"8080", "8081", "8082"} {
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
	for _, label := range []string{"FAIL ", "     sentence ", "     clause ", "     expected ", "     got ", "NOT CONFORMANT"} {
		if strings.HasPrefix(line, label) {
			return true
		}
	}
	return false
}

func TestReadmeLinksLeadSomewhere(t *testing.T) {
	for _, file := range []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"} {
		for _, m := range regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(source(t, file), -1) {
			if !strings.Contains(m[1], "://") {
				_, err := os.Stat(filepath.Join(root(t), m[1]))
				assert.NoError(t, err, file)
			}
		}
	}
}

// TestReadmeShowsTheTestThatThePackageDocuments: the example there is compiled.
func TestReadmeShowsTheTestThatThePackageDocuments(t *testing.T) {
	doc := source(t, "conformance/conformancetest/doc.go")
	for _, line := range strings.Split(strings.TrimSpace(fenced(t, readme(t), "go")[0]), "\n") {
		assert.Contains(t, doc, "//\t"+line)
	}
}
