// Package store keeps plants in a SQLite file, so that a plant that was
// answered 200 is on disk.
//
// A request waits in a queue. One goroutine takes whatever waits there, at once
// and without a timer, into one transaction, and answers all of them when its
// sync is done: one client alone waits for one sync, 64 share one.
//
// The file is in WAL mode with synchronous=FULL and is locked for this process
// as long as it is open. Every plant has a sequence number of its own.
package store
