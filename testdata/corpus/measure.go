package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/goccy/go-yaml"
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

// counted is what a document says about itself.
type counted struct {
	OpenAPI string                    `json:"openapi" yaml:"openapi"`
	Swagger string                    `json:"swagger" yaml:"swagger"`
	Paths   map[string]map[string]any `json:"paths" yaml:"paths"`
}

// methods lists the members of a path item that are operations. It lacks
// additionalOperations of OpenAPI 3.2.
func methods() []string {
	return []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}
}

// count returns the version of a document and the number of its operations. It
// uses no code of the suite, so that an operation that the suite does not see is
// counted all the same.
func count(b []byte) (version string, operations int, err error) {
	var d counted
	if t := bytes.TrimSpace(b); len(t) > 0 && t[0] == '{' {
		err = json.Unmarshal(b, &d, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	} else {
		err = yaml.UnmarshalWithOptions(b, &d, yaml.AllowDuplicateMapKey())
	}
	if err != nil {
		return "", 0, err
	}
	for _, item := range d.Paths {
		for name := range item {
			if slices.Contains(methods(), name) {
				operations++
			}
		}
	}
	if d.OpenAPI == "" && d.Swagger == "" {
		return "", 0, errors.New("not an OpenAPI document: want openapi or swagger")
	}
	return d.OpenAPI + d.Swagger, operations, nil
}
