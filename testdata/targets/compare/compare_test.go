package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheRelayCountsAnswersAndChangesNoByte(t *testing.T) {
	body := strings.Repeat("x", 100_000)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, _ := io.ReadAll(r.Body)
		w.Write(got)
	}))
	defer server.Close()
	p, err := listen(server.Listener.Addr().String())
	require.NoError(t, err)
	defer p.Close()
	for range 3 {
		answer, err := http.Post("http://"+p.Addr().String(), "text/plain", strings.NewReader(body))
		require.NoError(t, err)
		got, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		answer.Body.Close()
		assert.Equal(t, body, string(got))
	}
	assert.EqualValues(t, 3, p.answers.Load())
}

func TestAStatusLineInPiecesIsCountedOnce(t *testing.T) {
	answers := "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nHTTP/1.0 500 No\r\n\r\n"
	for size := 1; size <= len(answers); size++ {
		var n atomic.Int64
		c := counter{n: &n}
		for rest := answers; rest != ""; {
			piece := rest[:min(size, len(rest))]
			rest = rest[len(piece):]
			c.Write([]byte(piece))
		}
		assert.EqualValues(t, 2, n.Load(), "in pieces of %d bytes", size)
	}
}

// baseline is how the st of the tests says its version and writes a baseline.
const baseline = `[ "$1" != --version ] || { echo st, version 0.1.2; exit; }
while [ "$1" != --baseline ]; do shift; done
printf '{"entries":[{"operation":"GET /a","check":"c","failure":"UndefinedStatusCode","signature":"404"}]}' >"$2"
`

func script(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := dir + "/" + name
	require.NoError(t, os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o700))
	return file
}

func TestBothToolsAreRunAndTheirFailuresFound(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	dir := t.TempDir()
	suite := script(t, dir, "suite", "printf 'FAIL b (MUST)\\nFAIL a (MUST)\\n'; exit 1")
	other := script(t, dir, "st", baseline+"printf 'Errors:\\n  🚫 Network Error: 2\\n'; exit 1")
	var out, errs strings.Builder
	code := run(t.Context(), []string{"--name", "x", "--spec", "a.yaml", "--target", server.URL, "--conformance", suite, "--schemathesis", other}, &out, &errs)
	assert.Equal(t, 0, code, errs.String())
	assert.Contains(t, out.String(), "| x | conformance | exit 1 | a, b | 0 |")
	assert.Contains(t, out.String(), "| x | schemathesis | exit 1 | GET /a UndefinedStatusCode 404, Network Error: 2 | 0 |")
	assert.Equal(t, 2, run(t.Context(), []string{"--spec", "a.yaml"}, &out, &errs))
	assert.Contains(t, errs.String(), "give --spec and --target")
}
