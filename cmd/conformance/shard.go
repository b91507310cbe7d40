package main

import (
	"strconv"
	"strings"

	"plantstore/conformance"
	"plantstore/internal/nearest"
)

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
