package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThePageHasTheStacksOfThePublishedMatrix(t *testing.T) {
	page := filepath.Join(t.TempDir(), "MATRIX.html")
	require.NoError(t, write("../matrix.json", page))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(text), `<bdi class="id">fastapi-careful</bdi>`)
	assert.Contains(t, string(text), "Implementations of Plant Store")
	assert.Error(t, write(page, page), "a page is no matrix")
}
