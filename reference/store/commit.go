package store

import (
	"context"
	"runtime"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"plantstore/reference"
)

const constraint = sqlite3.SQLITE_CONSTRAINT

// probe writes something that is no plant.
const probe = `INSERT INTO health VALUES (1, 1) ON CONFLICT DO UPDATE SET probes = probes + 1`

// job is a plant that waits for its transaction, or without one a question
// whether storing works.
type job struct {
	plant *reference.Plant
	taken bool
	// done has room for the one answer, so that the committer never waits.
	done chan error
}

// wait puts a job into the queue and gives its answer. The queue is never
// closed, so a request that a stop overtakes is refused and nothing panics.
func (f *File) wait(ctx context.Context, j *job) error {
	select {
	case <-f.stopped:
		return stopping()
	default:
	}
	select {
	case f.queue <- j:
	default:
		return &reference.Refusal{Kind: reference.Busy, Reason: "too many plants are waiting to be stored: try again later"}
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-f.ended:
	}
	select {
	case err := <-j.done:
		return err
	default:
		return stopping()
	}
}

func stopping() error {
	return &reference.Refusal{Kind: reference.Busy, Reason: "the server is stopping; the plant is not stored"}
}

// run is the one goroutine that writes. It never waits for a batch to fill: it
// takes what is there, and what comes while it syncs is the next batch.
func (f *File) run() {
	defer close(f.ended)
	batch := make([]*job, 0, f.opts.MaxBatch)
	for {
		select {
		case j := <-f.queue:
			// Whoever can run now may still join, which costs one client alone
			// nothing.
			runtime.Gosched()
			batch = f.fill(append(batch[:0], j))
		case <-f.stopped:
			if batch = f.fill(batch[:0]); len(batch) == 0 {
				return
			}
		}
		f.commit(batch)
		clear(batch)
	}
}

func (f *File) fill(batch []*job) []*job {
	for len(batch) < f.opts.MaxBatch {
		select {
		case j := <-f.queue:
			batch = append(batch, j)
		default:
			return batch
		}
	}
	return batch
}

// commit answers every job of a batch: with nil only after the transaction is
// synced.
func (f *File) commit(batch []*job) {
	began := time.Now()
	plants, err := f.write(batch)
	switch {
	case err != nil && f.failing == nil:
		f.opts.Log.Error("storing fails", "cause", err)
	case err == nil && f.failing != nil:
		f.opts.Log.Info("storing works again")
	}
	f.failing = err
	if err == nil && plants > 0 && f.opts.Observe != nil {
		f.opts.Observe(plants, time.Since(began))
	}
	for _, j := range batch {
		switch {
		case err != nil:
			j.done <- &reference.Refusal{Kind: reference.Internal, Reason: "the plant could not be stored"}
		case j.taken:
			j.done <- &reference.Refusal{Kind: reference.Taken, At: "/id", Reason: "is used by another plant"}
		default:
			j.done <- nil
		}
	}
}

// write puts the plants of a batch into one transaction.
func (f *File) write(batch []*job) (plants int, err error) {
	ctx := context.Background()
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	// After a commit this does nothing, and after a failure there is no more to
	// be done about one of its own.
	defer func() { _ = tx.Rollback() }()
	insert := tx.StmtContext(ctx, f.insert)
	for _, j := range batch {
		if j.plant == nil {
			continue
		}
		result, err := insert.ExecContext(ctx, j.plant.ID, j.plant.Name, j.plant.Tag)
		if err != nil {
			return 0, err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return 0, err
		}
		j.taken = n == 0
		plants += int(n)
	}
	if f.failing != nil {
		if _, err := tx.ExecContext(ctx, probe); err != nil {
			return 0, err
		}
	}
	return plants, tx.Commit()
}
