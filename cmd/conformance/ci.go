package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/nearest"
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

// inRepository names files as the system that runs the job does, which shows them at their
// lines: from the top of the checkout, and not from the folder of the step. It is nil where
// no system says where the top is.
func inRepository(getenv func(string) string) func(file string) string {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		if top := getenv(name); top != "" {
			return func(file string) string { return below(top, file) }
		}
	}
	return nil
}

// below is the path of a file from the top, with slashes. A file that is not below it keeps
// its path.
func below(top, file string) string {
	if file == "" {
		return file
	}
	whole, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return file
	}
	for _, way := range []func(string) (string, error){filepath.Abs, filepath.EvalSymlinks} {
		from, err := way(top)
		to, other := way(whole)
		if err != nil || other != nil {
			continue
		}
		if rel, err := filepath.Rel(from, to); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return path.Clean(filepath.ToSlash(rel))
		}
	}
	return file
}

// shardOf is the part of a plan that a run takes: the given one, or the one that the
// environment names.
type shardOf struct {
	shard
	auto bool
}

func (s *shardOf) UnmarshalText(text []byte) error {
	if s.auto = string(text) == "auto"; s.auto {
		return nil
	}
	err := s.shard.UnmarshalText(text)
	if hint := nearest.Hint(string(text), []string{"auto"}); err != nil && hint != "" {
		return usagef(hint, "%q is not a shard", text)
	}
	return err
}

// apply puts the shard into the configuration. The error is a *usageError.
func (s *shardOf) apply(c *conformance.Config, getenv func(string) string) error {
	if s == nil {
		return nil
	}
	from := s.shard
	if s.auto {
		var err error
		if from, err = shardFrom(getenv); err != nil {
			return err
		}
	}
	c.Shard, c.Shards = from.number, from.of
	return nil
}

// numbering is how a CI system tells each of several equal jobs its number.
type numbering struct {
	index, total string // environment variables
	first        int    // the index of the first job
}

// numberings lists the systems, the user's own variables first.
func numberings() []numbering {
	return []numbering{
		{"CONFORMANCE_SHARD", "CONFORMANCE_SHARDS", 1},                // for a matrix of GitHub Actions, and others
		{"CI_NODE_INDEX", "CI_NODE_TOTAL", 1},                         // GitLab, parallel:
		{"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0},                 // CircleCI, parallelism:
		{"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0}, // Buildkite, parallelism:
		{"JOB_COMPLETION_INDEX", "CONFORMANCE_SHARDS", 0},             // Kubernetes, an indexed Job
	}
}

// shardFrom finds the shard in the environment. The error says what is missing.
func shardFrom(getenv func(string) string) (shard, error) {
	var names, half []string
	for _, n := range numberings() {
		index, total := getenv(n.index), getenv(n.total)
		names = append(names, n.index+" and "+n.total)
		switch {
		case index != "" && total == "":
			half = append(half, "set "+n.total+", the number of shards, beside "+n.index)
			continue
		case index == "":
			continue
		}
		var s shard
		i, err := strconv.Atoi(index)
		if err != nil || s.UnmarshalText([]byte(strconv.Itoa(i+1-n.first)+"/"+total)) != nil {
			last := "from 1 to " + n.total
			if n.first == 0 {
				last = "from 0, below " + n.total
			}
			return shard{}, usagef(n.index+" is a number "+last, "--shard auto: %s=%s and %s=%s name no shard", n.index, quoteShort(index), n.total, quoteShort(total))
		}
		return s, nil
	}
	if len(half) > 0 {
		return shard{}, usagef(half[0], "--shard auto finds no number of shards")
	}
	return shard{}, usagef("write --shard 3/8, or set one of these pairs: "+strings.Join(names, ", "), "--shard auto finds no shard in the environment")
}

// quoteShort quotes a value of the environment, and cuts it so that a message stays short.
func quoteShort(s string) string {
	if len(s) > 20 {
		s = s[:20] + "…"
	}
	return strconv.Quote(s)
}
