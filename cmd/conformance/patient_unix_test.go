//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAPipeThatIsOpenButNotReadEndsTheWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	reader, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	require.NoError(t, err)
	defer reader.Close()
	f, err := openNow(path, 0)
	require.NoError(t, err)
	defer f.Close()
	_, err = patient{f, time.Millisecond}.Write(bytes.Repeat([]byte("x"), 16<<20)) // more than a pipe holds
	assert.EqualError(t, err, "the reader of the pipe does not read")
}
