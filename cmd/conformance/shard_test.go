package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestShardAutoReadsWhatEachSystemSays(t *testing.T) {
	for _, x := range []struct {
		env  map[string]string
		want [2]int
	}{
		{map[string]string{"CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "8"}, [2]int{3, 8}},
		{map[string]string{"CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "4"}, [2]int{1, 4}},
		{map[string]string{"BUILDKITE_PARALLEL_JOB": "3", "BUILDKITE_PARALLEL_JOB_COUNT": "4"}, [2]int{4, 4}},
		{map[string]string{"JOB_COMPLETION_INDEX": "1", "CONFORMANCE_SHARDS": "2"}, [2]int{2, 2}},
		{map[string]string{"CONFORMANCE_SHARD": "1", "CONFORMANCE_SHARDS": "2", "CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "2"}, [2]int{1, 2}},
	} {
		d := newDesk()
		d.env = x.env
		require.Equal(t, exitConformant, d.exec("run", target, "--shard", "auto"), d.stderr.String())
		assert.Equal(t, x.want, [2]int{d.got.Shard, d.got.Shards}, x.env)
	}
	d := newDesk()
	d.env = map[string]string{"CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "8"}
	require.Equal(t, exitConformant, d.exec("run", target))
	assert.Zero(t, d.got.Shards, "only on demand")
	require.Equal(t, exitConformant, d.exec("run", target, "--shard", "2/5"))
	assert.Equal(t, [2]int{2, 5}, [2]int{d.got.Shard, d.got.Shards})
}

func TestShardAutoSaysWhatIsWrongOnOneLine(t *testing.T) {
	for hint, env := range map[string]map[string]string{
		"finds no shard in the environment":                             {},
		"set CONFORMANCE_SHARDS, the number of shards, beside":          {"JOB_COMPLETION_INDEX": "1"},
		"set CI_NODE_TOTAL, the number of shards":                       {"CI_NODE_INDEX": "1"},
		"CI_NODE_INDEX is a number from 1 to CI_NODE_TOTAL":             {"CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "2"},
		"CIRCLE_NODE_INDEX is a number from 0, below CIRCLE_NODE_TOTAL": {"CIRCLE_NODE_INDEX": "2", "CIRCLE_NODE_TOTAL": "2"},
		`CONFORMANCE_SHARD="one\ntwo"`:                                  {"CONFORMANCE_SHARD": "one\ntwo", "CONFORMANCE_SHARDS": "2"},
	} {
		d := newDesk()
		d.env = env
		assert.Equal(t, exitUsage, d.exec("run", target, "--shard", "auto"))
		assert.Contains(t, d.stderr.String(), hint)
		line(t, d.stderr.String())
	}
}
