//go:build linux && !race

// The race detector multiplies the memory of what it watches.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/internal/sample"
)

// What listing a large document may take, in bytes: one of real schemas, and one
// that is large in a single way.
const (
	maxOfDocument = 512 << 20
	maxOfOddOne   = 256 << 20
)

const tail = `      requestBody: {content: {application/json: {schema: {type: object, properties: {a: {type: string, maxLength: 5}}}}}}
      responses: {"200": {description: taken}, "400": {description: refused}}
`

// jsonOf is a document of about so many values.
func jsonOf(values int) string {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{` +
		`"schema":{"type":"object","properties":{"a":{"type":"string","maxLength":5}}}}}},"responses":{"200":{"description":"taken"},"400":{"description":"refused"}}}}},"x-data":[0`)
	for i := range values / 8 {
		fmt.Fprintf(&b, `,{"a":%d,"b":"v%d","c":[true,null,1.5],"d":0}`, i, i)
	}
	return b.String() + "]}"
}

// comments is a document of so many bytes, nearly all of them comments.
func comments(size int) string {
	const head = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    post:\n"
	line := "# " + strings.Repeat("x", 77) + "\n"
	return head + strings.Repeat(line, (size-len(head)-len(tail))/len(line)) + tail
}

// entries is a document of many small entries, as generators write them.
func entries(size int) string {
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    post:\n" + tail + "x-data:\n")
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "  entry%d:\n    description: 'What this member holds, when it is there, and who may change it.'\n    type: string\n    items:\n      - one\n      - two: 2\n", i)
	}
	return b.String()
}

// JSON of 900,000 values once took 861 MB, and 54 MB of YAML comments 859 MB.
func TestTheLargestDocumentsAreListedWithin512MiB(t *testing.T) {
	sample.Slow(t)
	for _, d := range []struct {
		name, text string
		maximum    int
	}{
		{"values.json", jsonOf(900_000), maxOfOddOne},
		{"comments.yaml", comments(largestDocument), maxOfOddOne},
		{"entries.yaml", entries(16 << 20), maxOfDocument},
	} {
		path := filepath.Join(t.TempDir(), d.name)
		require.NoError(t, os.WriteFile(path, []byte(d.text), 0o600))
		exit, said, took := listed(t, path)
		assert.Zero(t, exit, "%s: %s", d.name, said)
		assert.Less(t, took, d.maximum, "%s: %d MB", d.name, took>>20)
	}
}

func TestALargerDocumentIsRefusedByItsSizeBeforeItIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.yaml")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, os.Truncate(path, 8<<30)) // a hole: it takes no room on the disk
	exit, said, took := listed(t, path)
	assert.Equal(t, 2, exit)
	assert.Equal(t, 1, strings.Count(said, "8589934592 bytes, longer than 40 MiB"), said)
	assert.Less(t, took, maxMemory, "%d MB", took>>20)
}

// listed runs list and gives its exit code, what it said and the most that it
// had in memory.
func listed(t *testing.T, path string) (exit int, said string, took int) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "conformance", "list", "--spec", path)
	cmd.Stderr = &stderr
	took, err := watched(t, cmd)
	var code *exec.ExitError
	if err != nil {
		require.True(t, errors.As(err, &code), "%v", err)
	}
	return cmd.ProcessState.ExitCode(), stderr.String(), took
}
