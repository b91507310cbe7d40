package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"plantstore/reference"
)

// Options say how a file is kept. The zero value is the default.
type Options struct {
	// UniqueIDs refuses an id used before, in this run or an earlier one.
	UniqueIDs bool
	// MaxBatch is the most plants in one transaction; 0 means 256.
	MaxBatch int
	// MaxQueue is the most plants that wait for a transaction, above which
	// they are refused; 0 means 1024.
	MaxQueue int
	// Observe, if set, is told of every transaction that was committed.
	Observe func(plants int, took time.Duration)
	// Log is told when storing begins to fail and when it works again. Nil
	// discards.
	Log *slog.Logger
}

// File is a [reference.Store] in a SQLite file. It is for one process at a time
// and for any number of goroutines.
type File struct {
	opts   Options
	db     *sql.DB
	insert *sql.Stmt
	queue  chan *job
	stop   func()
	// stopped tells the committer to finish, ended that it did.
	stopped, ended chan struct{}
	// failing belongs to the committer alone.
	failing error
}

// Open opens a file, or makes it, and locks it until Close.
func Open(file string, opts Options) (*File, error) {
	if opts.MaxBatch <= 0 {
		opts.MaxBatch = 256
	}
	if opts.MaxQueue <= 0 {
		opts.MaxQueue = 1024
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if err := create(file); err != nil {
		return nil, err
	}
	db, err := openFile(file)
	if err != nil {
		return nil, err
	}
	f := &File{opts: opts, db: db, queue: make(chan *job, opts.MaxQueue), stopped: make(chan struct{}), ended: make(chan struct{})}
	f.stop = sync.OnceFunc(func() { close(f.stopped) })
	if err := f.setUp(); err != nil {
		return nil, errors.Join(explain(file, err), db.Close())
	}
	go f.run()
	return f, nil
}

func (f *File) setUp() (err error) {
	index := `DROP INDEX IF EXISTS unique_ids`
	if f.opts.UniqueIDs {
		index = `CREATE UNIQUE INDEX IF NOT EXISTS unique_ids ON plants (id)`
	}
	// The write shows here, and not at the first plant, that there is no way.
	if _, err = f.db.Exec(probe); err != nil {
		return err
	}
	_, err = f.db.Exec(index)
	switch {
	case code(err) == constraint:
		return errors.New("it has ids that are used more than once: start without --unique-ids")
	case err != nil:
		return err
	}
	f.insert, err = f.db.Prepare(`INSERT INTO plants (id, name, tag) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`)
	return err
}

// Append implements [reference.Store]: it returns when the plant is on disk. A
// plant that is refused because storing failed may still be found later.
func (f *File) Append(_ context.Context, p reference.Plant) error {
	// The client may leave while its plant waits; the plant is kept anyway, as
	// it would be had the client left a moment later.
	return f.wait(context.Background(), &job{plant: &p, done: make(chan error, 1)})
}

// Ready asks the committer whether it can write. While storing fails that takes
// a write of its own, so that it becomes ready again without any plant.
func (f *File) Ready(ctx context.Context) error {
	return f.wait(ctx, &job{done: make(chan error, 1)})
}

// Queued is how many plants wait for a transaction.
func (f *File) Queued() int { return len(f.queue) }

// Last is the sequence number of the last plant, 0 where there is none.
func (f *File) Last() (seq int64, err error) {
	err = f.db.QueryRow(`SELECT coalesce(max(seq), 0) FROM plants`).Scan(&seq)
	return seq, err
}

// Close commits what waits, writes the log back into the file and closes it.
// Plants that come later are refused.
func (f *File) Close() error {
	f.stop()
	<-f.ended
	var busy, pages, written int
	err := f.db.QueryRow(`PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &written)
	if err != nil {
		err = fmt.Errorf("the data is safe, but part of it is still in the -wal file beside it: %w", err)
	}
	return errors.Join(err, f.insert.Close(), f.db.Close())
}

// line is a plant as it was sent: a NewPlant, so that a line can be sent again.
type line struct {
	ID   int64   `json:"id"`
	Name string  `json:"name"`
	Tag  *string `json:"tag,omitzero"`
}

// Export writes every plant of a file as a line of JSON, in the order in which
// they were accepted. No server may be using the file.
func Export(file string, w io.Writer) (err error) {
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("cannot open %s: %w", file, errors.Unwrap(err))
	}
	db, err := openFile(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.Query(`SELECT id, name, tag FROM plants ORDER BY seq`)
	if err != nil {
		return explain(file, err)
	}
	defer rows.Close()
	out := jsontext.NewEncoder(w)
	for rows.Next() {
		var l line
		if err := rows.Scan(&l.ID, &l.Name, &l.Tag); err != nil {
			return explain(file, err)
		}
		if err := json.MarshalEncode(out, l); err != nil {
			return fmt.Errorf("cannot write the export: %w", err)
		}
	}
	if err := rows.Err(); err != nil {
		return explain(file, err)
	}
	return nil
}
