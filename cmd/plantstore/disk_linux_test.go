package main

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// disturb runs a server through a disk that stops taking writes and takes them
// again, and holds what is kept against what was acknowledged.
func disturb(t *testing.T, data string, breakIt, mendIt func(*process)) {
	t.Helper()
	p := begin(t, nil, "--data", data, "--admin", "127.0.0.1:0")
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	var kept []string
	post := func() (int, string) {
		line := fmt.Sprintf(`{"id":%d,"name":"%s"}`, len(kept), strings.Repeat("n", 300<<10))
		status, answer, err := p.post(client, line)
		require.NoError(t, err)
		if status == http.StatusOK {
			kept = append(kept, line)
		}
		return status, answer
	}
	status, _ := post()
	require.Equal(t, http.StatusOK, status)
	breakIt(p)
	for range 20 {
		if status, _ = post(); status != http.StatusOK {
			break
		}
	}
	for range 3 {
		status, answer := post()
		require.Equal(t, http.StatusBadRequest, status)
		assert.Equal(t, `{"error":500,"message":"the plant could not be stored"}`, answer)
	}
	status, page := p.ask(t, "/readyz")
	assert.Equal(t, http.StatusServiceUnavailable, status, page)
	status, _ = p.ask(t, "/healthz")
	assert.Equal(t, http.StatusOK, status)
	mendIt(p)
	status, page = p.ask(t, "/readyz")
	assert.Equal(t, http.StatusOK, status, page)
	status, _ = post()
	assert.Equal(t, http.StatusOK, status)
	assert.NoError(t, p.end(t, syscall.SIGTERM))
	assert.Equal(t, 1, strings.Count(p.log.String(), `msg="storing fails"`), p.log)
	assert.Equal(t, 1, strings.Count(p.log.String(), `msg="storing works again"`), p.log)
	assert.Equal(t, kept, export(t, data))
}

func limitFiles(t *testing.T, size uint64) func(*process) {
	return func(p *process) {
		require.NoError(t, unix.Prlimit(p.pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: size, Max: math.MaxUint64}, nil))
	}
}

func TestAFileThatTakesNoWriteRefusesPlantsUntilItDoes(t *testing.T) {
	disturb(t, filepath.Join(t.TempDir(), "plants.db"), limitFiles(t, 0), limitFiles(t, math.MaxUint64))
}

// smallDisk mounts a disk of 2 MiB that can be filled and emptied.
func smallDisk(t *testing.T) (dir string, fill, empty func(*process), ok bool) {
	t.Helper()
	dir = t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
		t.Logf("NOT TRIED: a full disk, because this user may not mount one: %v", err)
		return "", nil, nil, false
	}
	t.Cleanup(func() { assert.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	ballast := filepath.Join(dir, "ballast")
	return dir, func(*process) {
		err := os.WriteFile(ballast, make([]byte, 4<<20), 0o600)
		require.ErrorIs(t, err, unix.ENOSPC)
	}, func(*process) { require.NoError(t, os.Remove(ballast)) }, true
}

func TestAFullDiskRefusesPlantsUntilThereIsSpace(t *testing.T) {
	// The test of a file that takes no write is its twin for everybody.
	if dir, fill, empty, ok := smallDisk(t); ok {
		disturb(t, filepath.Join(dir, "plants.db"), fill, empty)
	}
}

// killed leaves a file with a log of one plant beside it.
func killed(t *testing.T, data string, before func(*process)) (line string) {
	t.Helper()
	p := begin(t, nil, "--data", data)
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	line = `{"id":1,"name":"kept"}`
	status, _, err := p.post(client, line)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, status)
	before(p)
	assert.ErrorContains(t, p.end(t, syscall.SIGKILL), "killed")
	return line
}

func TestKilledOnAFullDiskTheServerSaysThatItIsFullAndLosesNothing(t *testing.T) {
	dir, fill, empty, ok := smallDisk(t)
	if !ok {
		return // the next test comes close, for everybody
	}
	data := filepath.Join(dir, "plants.db")
	line := killed(t, data, fill)
	var errs strings.Builder
	code := run([]string{"serve", "--addr", "127.0.0.1:0", "--token", secret, "--data", data}, nil, &errs)
	assert.Equal(t, exitFailed, code)
	assert.Equal(t, "plantstore: cannot open "+data+": the disk is full: make room and start again; nothing that was answered is lost\n", errs.String())
	empty(nil)
	assert.Equal(t, []string{line}, export(t, data))
}

func TestKilledWhereNoFileMayGrowTheServerSaysSo(t *testing.T) {
	data := filepath.Join(t.TempDir(), "plants.db")
	line := killed(t, data, func(*process) {})
	file, err := binary()
	require.NoError(t, err)
	var errs strings.Builder
	again := exec.Command("sh", "-c", `ulimit -f 0 && exec "$0" "$@"`, file, "serve", "--addr", "127.0.0.1:0", "--token", secret, "--data", data)
	again.Stderr = &errs
	assert.ErrorContains(t, again.Run(), "exit status 1")
	assert.Equal(t, "plantstore: cannot open "+data+": the index of its log cannot be made beside it: look for a limit on the size of files\n", errs.String())
	assert.Equal(t, []string{line}, export(t, data))
}

// immutable is the flag FS_IMMUTABLE_FL of Linux.
const immutable = 0x10

// protect makes files unchangeable, also for the user that may do anything and
// for those who have them open, and back.
func protect(t *testing.T, on bool, files ...string) error {
	t.Helper()
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		defer f.Close()
		flags, err := unix.IoctlGetUint32(int(f.Fd()), unix.FS_IOC_GETFLAGS)
		if err != nil {
			return err
		}
		flags &^= immutable
		if on {
			flags |= immutable
		}
		if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, int(flags)); err != nil {
			return err
		}
	}
	return nil
}

func TestAFileThatBecomesReadOnlyRefusesPlantsUntilItIsWritable(t *testing.T) {
	data := filepath.Join(t.TempDir(), "plants.db")
	probe := filepath.Join(t.TempDir(), "probe")
	require.NoError(t, os.WriteFile(probe, nil, 0o600))
	if err := protect(t, true, probe); err != nil {
		t.Logf("NOT TRIED: a file that becomes read-only while it is open, because this user or file system cannot do that: %v", err)
		return
	}
	require.NoError(t, protect(t, false, probe))
	t.Cleanup(func() { assert.NoError(t, protect(t, false, data)) })
	disturb(t, data,
		func(*process) { require.NoError(t, protect(t, true, data, data+"-wal")) },
		func(*process) { require.NoError(t, protect(t, false, data, data+"-wal")) })
}

func TestAReadOnlyFileKeepsTheServerFromStartingWithOneLine(t *testing.T) {
	data := filepath.Join(t.TempDir(), "plants.db")
	p := begin(t, nil, "--data", data)
	require.NoError(t, p.end(t, syscall.SIGTERM))
	require.NoError(t, os.Chmod(data, 0o444))
	if os.Getuid() == 0 {
		// To this user a mode means nothing.
		require.NoError(t, protect(t, true, data))
		t.Cleanup(func() { assert.NoError(t, protect(t, false, data)) })
	}
	var errs strings.Builder
	code := run([]string{"serve", "--addr", "127.0.0.1:0", "--token", secret, "--data", data}, nil, &errs)
	assert.Equal(t, exitFailed, code)
	assert.Equal(t, "plantstore: cannot open "+data+": it is read-only: this user must be able to write the file and its folder\n", errs.String())
}
