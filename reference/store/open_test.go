package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func open(t *testing.T, file string, opts Options) *File {
	t.Helper()
	f, err := Open(file, opts)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, f.Close()) })
	return f
}

func fresh(t *testing.T) string { return filepath.Join(t.TempDir(), "plants.db") }

func ask(t *testing.T, db *sql.DB, question string) (answer string) {
	t.Helper()
	require.NoError(t, db.QueryRow(question).Scan(&answer))
	return answer
}

func TestTheOpenedConnectionSyncsEveryCommitOfAWriteAheadLogThatItAloneHolds(t *testing.T) {
	db := open(t, fresh(t), Options{}).db
	assert.Equal(t, "wal", ask(t, db, `PRAGMA journal_mode`))
	assert.Equal(t, "2", ask(t, db, `PRAGMA synchronous`), "FULL")
	assert.Equal(t, "exclusive", ask(t, db, `PRAGMA locking_mode`))
	assert.Equal(t, 1, db.Stats().MaxOpenConnections)
	// A connection that database/sql opens anew is set up the same.
	db.SetMaxIdleConns(0)
	assert.Equal(t, "wal", ask(t, db, `PRAGMA journal_mode`))
	assert.Equal(t, "2", ask(t, db, `PRAGMA synchronous`))
}

func TestTheEngineHasTheFixForLogsThatAreResetWhileTheyAreWritten(t *testing.T) {
	db := open(t, fresh(t), Options{}).db
	assert.Equal(t, "1", ask(t, db, `SELECT (3, 51, 3) <= (substr(v, 1, 1) + 0, substr(v, 3, 2) + 0, substr(v, 6) + 0) FROM (SELECT sqlite_version() v)`),
		ask(t, db, `SELECT sqlite_version()`))
}

func TestASecondServerOnAFileIsToldSoInOneLine(t *testing.T) {
	file := fresh(t)
	first := open(t, file, Options{})
	_, err := Open(file, Options{})
	require.EqualError(t, err, "cannot open "+file+": it is in use by another process: stop that one, or use another file")
	assert.ErrorContains(t, Export(file, nil), "in use")
	require.NoError(t, first.Ready(t.Context()), "the first one goes on")
	_, err = os.Stat(file + "-shm")
	assert.ErrorIs(t, err, os.ErrNotExist, "the lock needs no shared memory")
}

func TestAFileOfAnotherKindIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	text, other, newer := filepath.Join(dir, "text"), filepath.Join(dir, "other"), filepath.Join(dir, "newer")
	require.NoError(t, os.WriteFile(text, []byte(strings.Repeat("not a database ", 10)), 0o600))
	db, err := sql.Open("sqlite", other)
	require.NoError(t, err)
	_, err = db.Exec(`CREATE TABLE accounts (n)`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	f, err := Open(newer, Options{})
	require.NoError(t, err)
	_, err = f.db.Exec(`PRAGMA user_version = 2`)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for file, want := range map[string]string{
		text:                       "it is not a plantstore data file",
		other:                      "it is a SQLite file of another program",
		newer:                      "it was written by a newer plantstore (version 2, known is 1)",
		filepath.Join(dir, "a/b"):  "no such file or directory",
		dir:                        "it is no file that this user can read and write",
		filepath.Join(text, "sub"): "not a directory",
	} {
		_, err := Open(file, Options{})
		require.ErrorContains(t, err, want)
		assert.True(t, strings.HasPrefix(err.Error(), "cannot "), err)
		assert.NotContains(t, err.Error(), "\n")
	}
	kept, err := os.ReadFile(text)
	require.NoError(t, err)
	assert.Equal(t, strings.Repeat("not a database ", 10), string(kept))
}

func TestAnyFileNameIsTakenAsItIsAndReadByItsOwnerOnly(t *testing.T) {
	for _, name := range []string{"a b", "a?mode=memory", "a#b", "100%41", "é", "a&_pragma=x"} {
		file := filepath.Join(t.TempDir(), name)
		open(t, file, Options{})
		info, err := os.Stat(file)
		require.NoError(t, err)
		if runtime.GOOS != "windows" {
			assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		}
	}
}
