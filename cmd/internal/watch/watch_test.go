package watch_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/watch"
)

// timeout is what a test waits for at most.
const timeout = 20 * time.Second

type end struct {
	why string
	ok  bool
}

// waiting waits in the background.
func waiting(t *testing.T, f *watch.Files, server string) (done <-chan end, stop func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	out := make(chan end, 1)
	go func() {
		why, ok := watch.Wait(ctx, f, server)
		out <- end{why, ok}
	}()
	t.Cleanup(cancel)
	return out, cancel
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestAChangeOfContentEndsTheWait(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, a, "1")
	f := watch.Remember(a, b, a)
	assert.Equal(t, []string{a, b}, f.Paths())
	// Changed before the wait began, as while a run went on.
	write(t, a, "22")
	done, _ := waiting(t, f, "")
	assert.Equal(t, end{a + " changed", true}, <-done)
	done, _ = waiting(t, f, "")
	write(t, b, "new")
	assert.Equal(t, end{b + " changed", true}, <-done)
}

func TestTheSameContentAndAFileThatIsAwayEndNoWait(t *testing.T) {
	a := filepath.Join(t.TempDir(), "a")
	write(t, a, "1")
	f := watch.Remember(a)
	done, stop := waiting(t, f, "")
	require.NoError(t, os.Remove(a))
	time.Sleep(500 * time.Millisecond)
	write(t, a, "1")
	require.NoError(t, os.Chtimes(a, time.Now(), time.Now().Add(time.Hour)))
	time.Sleep(500 * time.Millisecond)
	stop()
	assert.Equal(t, end{"", false}, <-done)
}

func TestAServerThatIsBackEndsTheWait(t *testing.T) {
	first, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := first.Addr().String()
	done, _ := waiting(t, watch.Remember(), "http://"+address+"/base")
	time.Sleep(500 * time.Millisecond)
	assert.Empty(t, done, "it was there all the time")
	require.NoError(t, first.Close())
	time.Sleep(700 * time.Millisecond)
	assert.Empty(t, done, "it is away")
	again, err := net.Listen("tcp", address)
	require.NoError(t, err)
	defer again.Close()
	assert.Equal(t, end{"the server is back", true}, <-done)
}
