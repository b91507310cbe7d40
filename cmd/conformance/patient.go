package main

import (
	"errors"
	"os"
	"time"
)

// readerTimeout is how long the reader of a pipe may take for what is written
// at once; one that never reads would hold a run beyond its time.
const readerTimeout = 20 * time.Second

// patient writes to a file, and waits only so long for the reader of a pipe.
type patient struct {
	file *os.File
	wait time.Duration
}

// Write implements io.Writer.
func (p patient) Write(b []byte) (int, error) {
	// Regular files know no deadline, and do not wait either.
	_ = p.file.SetWriteDeadline(time.Now().Add(p.wait))
	n, err := p.file.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errors.New("the reader of the pipe does not read")
	}
	return n, err
}
