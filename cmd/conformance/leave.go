package main

import (
	"context"
	"errors"
	"runtime/debug"
)

// errLeft is the end of a command by a signal before it judged anything.
var errLeft = errors.New("interrupted: nothing was judged")

// leaving calls a function that holds nothing which must be put in order, and
// leaves it where it is when the context ends: a huge document or a file that
// never ends keeps nobody waiting. A panic goes on in the caller.
func leaving(ctx context.Context, f func() error) error {
	var cause *bugError
	done := make(chan error, 1)
	go func() {
		completed := false
		defer func() {
			if !completed {
				cause = bugOf(recover(), debug.Stack())
				close(done)
			}
		}()
		err := f()
		completed = true
		done <- err
	}()
	select {
	case err, ok := <-done:
		if !ok {
			panic(cause)
		}
		return err
	case <-ctx.Done():
		return errLeft
	}
}
