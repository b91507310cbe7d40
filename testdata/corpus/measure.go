package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// measured is what is known about one document.
type measured struct {
	document
	version           string
	bytes             int64
	operations, tried int
	seconds           float64
	mebibytes         int64
	failed            string   // why it did not load
	left              []string // what is not tried, and why
}

// measure reads one document in processes of its own.
func measure(ctx context.Context, o options, d document) (measured, error) {
	m := measured{document: d, version: "?"}
	info, err := os.Stat(filepath.Join(o.dir, d.name))
	if err != nil {
		return m, err
	}
	m.bytes = info.Size()
	if _, err := m.child(ctx, o, "count"); err != nil {
		return m, err
	}
	m.failed = "" // a document that cannot be counted may load
	state, err := m.child(ctx, o, "list")
	if err != nil {
		return m, err
	}
	m.seconds = (state.UserTime() + state.SystemTime()).Seconds()
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		m.mebibytes = int64(u.Maxrss) >> 10 // Linux counts KiB
	}
	return m, nil
}

// child runs this program for one document and takes what it says.
func (m *measured) child(ctx context.Context, o options, what string) (*os.ProcessState, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, 4*o.limit) // a limit of CPU time does not end one that waits
	defer stop()
	c := exec.CommandContext(ctx, self, "--child", what, "--time", o.limit.String(), "--memory", strconv.Itoa(o.memory), m.name)
	c.Dir = o.dir
	var stdout, stderr strings.Builder
	c.Stdout, c.Stderr = &stdout, &stderr
	c.WaitDelay = time.Second
	err = c.Run()
	if c.ProcessState == nil {
		return nil, fmt.Errorf("%s: %w", m.name, err)
	}
	if ctx.Err() != nil && ctx.Err() != context.DeadlineExceeded {
		return nil, ctx.Err()
	}
	for line := range strings.Lines(stdout.String()) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "version":
			m.version = value
		case "operations":
			m.operations, err = strconv.Atoi(value)
		case "tried":
			m.tried, err = strconv.Atoi(value)
		case "error":
			m.failed = value
		case "left":
			m.left = append(m.left, value)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	if !c.ProcessState.Success() {
		m.failed = ended(c.ProcessState, stderr.String(), o)
	}
	return c.ProcessState, nil
}

// ended says why a process ended early.
func ended(p *os.ProcessState, stderr string, o options) string {
	first, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	switch s, _ := p.Sys().(syscall.WaitStatus); {
	case s.Signaled():
		return fmt.Sprintf("the process was ended after %s of CPU time: %s", (p.UserTime() + p.SystemTime()).Round(time.Second), s.Signal())
	case strings.Contains(stderr, "out of memory") || strings.Contains(stderr, "cannot allocate memory"):
		return fmt.Sprintf("the process needs more than %d MiB", o.memory)
	default:
		return "the process failed: " + first
	}
}
