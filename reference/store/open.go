package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// pragmas are part of the data source name, so that a connection that
// database/sql opens anew has them too. The lock comes first: with it, WAL
// needs no shared memory file. A busy file is refused at once.
func pragmas() []string {
	return []string{"busy_timeout(0)", "locking_mode(EXCLUSIVE)", "journal_mode(WAL)", "synchronous(FULL)", "trusted_schema(OFF)"}
}

// mark is the application id that tells a file of ours from other SQLite
// files: "plnt". The user version counts changes of the schema.
const (
	mark    = 0x706c6e74
	version = 1
	schema  = `
		PRAGMA application_id = 0x706c6e74;
		PRAGMA user_version = 1;
		CREATE TABLE plants (seq INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL, tag TEXT) STRICT;
		CREATE TABLE health (one INTEGER PRIMARY KEY, probes INTEGER NOT NULL) STRICT;`
)

// openFile opens a file that exists, takes its lock and makes it a file of
// ours where it is empty.
func openFile(file string) (*sql.DB, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: %w", file, err)
	}
	name := url.URL{
		Scheme:   "file",
		Path:     "/" + strings.TrimPrefix(filepath.ToSlash(path), "/"),
		RawQuery: url.Values{"_pragma": pragmas(), "_txlock": {"immediate"}, "mode": {"rw"}}.Encode(),
	}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: %w", file, err)
	}
	db.SetMaxOpenConns(1)
	if err = prepare(db); err != nil {
		return nil, errors.Join(explain(file, err), db.Close())
	}
	return db, nil
}

var errForeign = errors.New("it is a SQLite file of another program")

func prepare(db *sql.DB) error {
	var objects, id, ver int
	var journal string
	var synchronous int
	row := db.QueryRow(`SELECT (SELECT count(*) FROM sqlite_schema), a.application_id, v.user_version, j.journal_mode, s.synchronous
		FROM pragma_application_id a, pragma_user_version v, pragma_journal_mode j, pragma_synchronous s`)
	if err := row.Scan(&objects, &id, &ver, &journal, &synchronous); err != nil {
		return err
	}
	switch {
	case journal != "wal" || synchronous != 2:
		return fmt.Errorf("no write-ahead log with full syncs there (journal %s, synchronous %d): use a local disk", journal, synchronous)
	case objects == 0 && id == 0:
		return inTransaction(db, schema)
	case id != mark:
		return errForeign
	case ver > version:
		return fmt.Errorf("it was written by a newer plantstore (version %d, known is %d)", ver, version)
	}
	return nil
}

func inTransaction(db *sql.DB, statements string) error {
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	if _, err = tx.Exec(statements); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// create makes an empty file that only its owner reads. An existing one is not
// touched: closing it here would drop a lock that this process has on it.
func create(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return fmt.Errorf("cannot open %s: it is a device or a pipe: give a file", file)
		}
		return nil
	case err != nil:
		return fmt.Errorf("cannot create %s: %w", file, errors.Unwrap(err))
	}
	return f.Close()
}

// explain says in one line what keeps a file from being opened.
func explain(file string, err error) error {
	why := strings.ReplaceAll(err.Error(), "\n", " ")
	switch code(err) {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		why = "it is in use by another process: stop that one, or use another file"
	case sqlite3.SQLITE_NOTADB:
		why = "it is not a plantstore data file"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		why = "it is read-only: this user must be able to write the file and its folder"
	case sqlite3.SQLITE_CANTOPEN:
		why = "it is no file that this user can read and write, or its folder is not"
	case sqlite3.SQLITE_FULL:
		why = diskFull
	}
	// After a crash the log is read with an index in a file beside it.
	switch extended(err) {
	case sqlite3.SQLITE_IOERR_SHMSIZE:
		why = diskFull
	case sqlite3.SQLITE_IOERR_SHMOPEN:
		why = "the index of its log cannot be made beside it: look for a limit on the size of files"
	}
	return fmt.Errorf("cannot open %s: %s", file, why)
}

const diskFull = "the disk is full: make room and start again; nothing that was answered is lost"

// code is SQLite's primary result code, 0 for errors of others.
func code(err error) int { return extended(err) & 0xff }

// extended is SQLite's extended result code, 0 for errors of others.
func extended(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}
