package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The corpus itself is not read here; go run ./testdata/corpus does.
func TestTheTotalsAreThoseOfTheRows(t *testing.T) {
	text, err := os.ReadFile("../corpus.md")
	require.NoError(t, err)
	_, rows, found := strings.Cut(string(text), rowHead+"\n")
	require.True(t, found)
	var all []measured
	for line := range strings.Lines(rows) {
		f := strings.Split(strings.Trim(line, "|\n"), "|")
		if len(f) != 7 || strings.HasPrefix(f[0], "---") {
			continue
		}
		m := measured{document: document{name: strings.TrimSpace(f[0])}}
		m.operations, err = strconv.Atoi(strings.TrimSpace(f[3]))
		require.NoError(t, err)
		if m.tried, err = strconv.Atoi(strings.TrimSpace(f[4])); err != nil {
			m.failed = map[bool]string{true: none, false: "yes"}[strings.TrimSpace(f[4]) == "none"]
		}
		assert.LessOrEqual(t, m.tried, m.operations, "%s: operations that nobody counted", m.name)
		all = append(all, m)
	}
	assert.Contains(t, string(text), "\n"+totals(all)+"\n")

	documents, err := readList(list)
	require.NoError(t, err)
	require.Len(t, all, len(documents))
	for i, d := range documents {
		assert.Equal(t, d.name, all[i].name)
	}
}

func TestReasonsAreCountedWithoutTheNamesInThem(t *testing.T) {
	got := group([]measured{
		{document: document{name: "a"}, left: []string{
			"3 operations, such as GET /a: security scheme OAuth2 is not supported yet",
			"GET /b/{c}: query parameter limit is never sent",
			"POST /b: query parameter page is never sent",
			"POST /b: request media type text/csv is never sent"}},
		{document: document{name: "b"}, failed: "document: no operation of the document can be tested: 2 operations, such as GET /z: security scheme key is not supported yet; GET /y: query parameter x is never sent; and 31 more"},
		{document: document{name: "c"}, failed: "document:7:3: #/components/schemas/A: type is 'file'"},
	})
	assert.Equal(t, []reason{
		{"security scheme … is not supported yet", 5, []string{"a", "b"}, "a: 3 operations, such as GET /a: security scheme OAuth2 is not supported yet"},
		{"query parameter … is never sent", 3, []string{"a", "b"}, "a: GET /b/{c}: query parameter limit is never sent"},
		{"not loaded: /…: type is …", 1, []string{"c"}, "c: not loaded: document:7:3: #/components/schemas/A: type is 'file'"},
		{"request media type text/csv is never sent", 1, []string{"a"}, "a: POST /b: request media type text/csv is never sent"},
	}, got)
}

func TestOperationsAreCountedInYAMLAndJSON(t *testing.T) {
	version, operations, err := count([]byte("openapi: 3.1.0\npaths:\n  /a:\n    parameters: []\n    get: {}\n    put: {}\n  /b:\n    query: {}\n"))
	require.NoError(t, err)
	assert.Equal(t, "3.1.0", version)
	assert.Equal(t, 3, operations)
	version, operations, err = count([]byte(`{"swagger": "2.0", "paths": {"/a": {"post": {}, "x-get": {}}}}`))
	require.NoError(t, err)
	assert.Equal(t, "2.0", version)
	assert.Equal(t, 1, operations)
	_, _, err = count([]byte("{}"))
	assert.Error(t, err)
}

func TestAnotherDocumentThanTheListedOneIsRefused(t *testing.T) {
	dir := t.TempDir()
	d := document{"a.json", "npm:a@1", "b.json", strings.Repeat("0", 64)}
	assert.ErrorContains(t, d.check(dir), "a.json is missing: fetch b.json of npm:a@1")
	require.NoError(t, os.WriteFile(dir+"/a.json", []byte("{}"), 0o600))
	assert.ErrorContains(t, d.check(dir), "a.json is not the listed document")
}
