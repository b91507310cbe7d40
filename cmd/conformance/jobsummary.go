package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

const (
	// summaryVariable names the file that GitHub Actions shows as the summary of a job.
	summaryVariable = "GITHUB_STEP_SUMMARY"
	// summaryMax is how much of it one step may write: more, and GitHub shows nothing.
	summaryMax = 1 << 20
)

// jobSummary appends the report to the summary of the job, if there is one. A summary
// that cannot be written changes no verdict: it is one line on standard error.
func jobSummary(stderr io.Writer, path string, r *report.Report, o formats.Options) {
	if path == "" {
		return
	}
	if err := appendSummary(path, r, o); err != nil {
		_, _ = fmt.Fprintf(stderr, "conformance: %s: %s: the summary of the job is not written\n", summaryVariable, formats.Escape(bare(err).Error()))
	}
}

func appendSummary(path string, r *report.Report, o formats.Options) (err error) {
	var text bytes.Buffer
	if err := formats.Markdown(&text, r, o); err != nil {
		return err
	}
	f, err := openNow(path, os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	room := summaryMax - info.Size()
	// What the same step wrote before may not end its last line.
	gap := ""
	if info.Size() > 0 {
		gap = "\n\n"
	}
	cut := formats.CutMarkdown(text.Bytes(), int(max(0, room-int64(len(gap)))))
	if len(cut) == 0 {
		return fmt.Errorf("it has %d bytes, and GitHub shows at most %d", info.Size(), summaryMax)
	}
	_, err = f.Write(append([]byte(gap), cut...))
	return err
}
