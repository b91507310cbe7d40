package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"plantstore/cmd/internal/watch"
	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/fetch"
)

// watcher is what run --watch keeps from one run to the next.
type watcher struct {
	settings string // the settings file; empty for none

	mu     sync.Mutex
	files  *watch.Files    // nil until a run watches
	target string          // of the last run; empty for the embedded server
	failed []report.Result // what failed in the last report
}

// again runs a command line until the user ends it, if its command watches. A mistake in
// a file that is being edited does not end it; a mistake on the command line does.
func (w *watcher) again(ctx context.Context, stderr io.Writer, command func() exitCode) exitCode {
	for {
		code := command()
		if w.files == nil || ctx.Err() != nil || code == exitBug {
			return code
		}
		// There is nobody left to tell when standard error is closed.
		_, _ = fmt.Fprintln(stderr, "conformance: watching "+w.watched()+"; press Ctrl-C to stop")
		why, ok := watch.Wait(ctx, w.files, w.target)
		if !ok {
			return code
		}
		_, _ = fmt.Fprintln(stderr, "conformance: "+formats.Escape(why)+": running again")
	}
}

// watched names what is watched.
func (w *watcher) watched() string {
	list := w.files.Paths()
	for i := range list {
		list[i] = formats.Escape(list[i])
	}
	files := strings.Join(list, ", ")
	switch {
	case w.target == "":
		return files
	case files == "":
		return "the server"
	}
	return files + " and the server"
}

// begin remembers the files of a run before it begins, and those that the document
// leads to. The error is a *usageError.
func (w *watcher) begin(o runOptions, c *conformance.Config) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.files == nil {
		w.files = watch.Remember()
	}
	if w.target = c.Target; c.Embedded {
		w.target = ""
	}
	d := o.Send.Document
	for _, path := range []*string{d.Spec, d.Requirements, d.Values, o.Known, &w.settings} {
		if path != nil && *path != "" && !fetch.IsAddress(*path) {
			w.files.Add(*path)
		}
	}
	if c.Files != nil {
		c.Files = noting{c.Files, func(name string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.files.Add(filepath.Join(filepath.Dir(*d.Spec), filepath.FromSlash(name)))
		}}
	}
	c.First = w.failed
	if c.Embedded && len(w.files.Paths()) == 0 {
		w.files = nil
		return usagef("add --target URL", "--watch: there is no file and no server that could change")
	}
	return nil
}

// ended remembers what failed, and prints what became of the failures of the last run.
func (w *watcher) ended(out io.Writer, r *report.Report) error {
	if !r.Header.Embedded {
		w.target = r.Header.Target // also that of --server
	}
	var lines strings.Builder
	before := w.failed
	w.failed = nil
	for _, x := range r.Results {
		now := string(x.Verdict)
		switch x.Verdict {
		case report.Fail:
			now = "fails again"
			w.failed = append(w.failed, x)
		case report.Pass:
			now = "passes now"
		}
		if slices.ContainsFunc(before, func(old report.Result) bool { return old.Requirement == x.Requirement }) {
			fmt.Fprintf(&lines, "failed last time: %s: %s\n", formats.Escape(x.Requirement), now)
		}
	}
	_, err := io.WriteString(out, lines.String())
	return err
}

// noting is a folder that notes which files are opened.
type noting struct {
	fs.FS
	note func(name string)
}

func (n noting) Open(name string) (fs.File, error) {
	f, err := n.FS.Open(name)
	if !errors.Is(err, fs.ErrInvalid) {
		n.note(name)
	}
	return f, err
}
