package proof

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// shardRun runs a shard against a server of its own, or the whole plan for 0 of 0. The
// report went through a file, as in a job of a CI system.
func shardRun(t *testing.T, cache *conformance.Cache, effort string, start func() (*Server, error), number, of int) *report.Report {
	t.Helper()
	s, err := start()
	require.NoError(t, err)
	defer s.Close()
	r, err := conformance.Run(t.Context(), conformance.Config{Target: s.URL, Token: s.Token, Embedded: true, Effort: effort, Shard: number, Shards: of, Cache: cache})
	require.NoError(t, err)
	r.Header.Target = "http://target" // each server has a port of its own
	read, err := formats.ReadJSON(written(t, r))
	require.NoError(t, err)
	return read
}

// allShards runs every shard of a plan, each against a server of its own.
func allShards(t *testing.T, cache *conformance.Cache, effort string, start func() (*Server, error), of int) []report.Named {
	t.Helper()
	var out []report.Named
	for number := 1; number <= of; number++ {
		out = append(out, report.Named{Name: fmt.Sprintf("%d.json", number), Report: shardRun(t, cache, effort, start, number, of)})
	}
	return out
}

func written(t *testing.T, r *report.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.JSON(&b, r, formats.Options{}))
	return b.Bytes()
}

// dates are those in the answers of an example, and ports those of the servers.
var (
	dates = regexp.MustCompile(`Date: [^\\]* GMT`)
	ports = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)
)

// timeless is a report without its times, and without the port of its server.
func timeless(t *testing.T, r *report.Report) string {
	t.Helper()
	out := *r
	out.Times = report.Times{}
	return ports.ReplaceAllString(dates.ReplaceAllString(string(written(t, &out)), "Date: now"), "target")
}

// TestMergedShardsAreTheWholeRun divides the plan in three ways. Without failures the
// reports are the same byte for byte, but for times. With some, each shard sends requests
// of its own to look into them: only the number of exchanges, and of the distinct answers
// to these, differ.
func TestMergedShardsAreTheWholeRun(t *testing.T) {
	sample.OneIn(t, 4)
	// splitsSampled is how many of these there are for each that go test makes.
	const splitsSampled = 4
	cache := &conformance.Cache{}
	for _, x := range []struct {
		name, effort string
		start        func() (*Server, error)
		splits       []int
	}{
		{"reference", "full", func() (*Server, error) { return StartReference(nil) }, []int{3}},
		{"reference", "gate", func() (*Server, error) { return StartReference(nil) }, []int{2, 3, 7}},
		{"id-numeric-string", "gate", func() (*Server, error) { return StartFault("id-numeric-string") }, []int{2, 3, 7}},
		{"token-any", "gate", func() (*Server, error) { return StartFault("token-any") }, []int{2, 3, 7}},
	} {
		name, effort, start := x.name, x.effort, x.start
		splits := slices.DeleteFunc(x.splits, func(of int) bool { return !sample.Has(fmt.Sprintf("%s %s in %d", name, effort, of), splitsSampled) })
		if len(splits) == 0 {
			continue
		}
		whole := shardRun(t, cache, effort, start, 0, 0)
		require.Nil(t, whole.Part)
		for _, of := range splits {
			list := allShards(t, cache, effort, start, of)
			for _, x := range list {
				assert.True(t, x.Report.Summary.Partial, "a shard says nothing of the whole")
			}
			slices.Reverse(list)
			merged, err := conformance.Merge(list, conformance.Config{})
			require.NoError(t, err)
			if name != "reference" {
				assert.NotEqual(t, report.Conformant, merged.Summary.Verdict)
				assert.GreaterOrEqual(t, 10*merged.Summary.Exchanges, 9*whole.Summary.Exchanges, "but for experiments about the cause")
				merged.Summary.Exchanges = whole.Summary.Exchanges
				assert.InDelta(t, whole.Second.Agreed, merged.Second.Agreed, 30)
				merged.Second.Agreed = whole.Second.Agreed
			}
			assert.Empty(t, firstDifference(timeless(t, whole), timeless(t, merged)), "%s in %d shards, %s", name, of, effort)
		}
	}
}

// firstDifference is the first line that two texts do not share; the texts are too long to
// be shown.
func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d: %s, and %s", i+1, strings.Join(as[max(0, i-8):i+1], " "), bs[i])
		}
	}
	if len(as) != len(bs) {
		return "one text is longer"
	}
	return ""
}

// A tag is refused by every case of some shards, and accepted in another one: that is no
// failure of any of them.
func TestAShardDoesNotFailForWhatAnotherShardShows(t *testing.T) {
	sample.OneIn(t, 4)
	cache := &conformance.Cache{}
	for name, want := range map[string]report.Outcome{"tag-from-list": report.Conformant, "tag-own-list": report.Incomplete} {
		start := func() (*Server, error) { return StartVariant(name) }
		list := allShards(t, cache, "gate", start, 7)
		for _, x := range list {
			assert.NotEqual(t, report.NotConformant, x.Report.Summary.Verdict, "%s: %s", name, x.Name)
		}
		merged, err := conformance.Merge(list, conformance.Config{})
		require.NoError(t, err)
		assert.Equal(t, want, merged.Summary.Verdict, name)
		whole := shardRun(t, cache, "gate", start, 0, 0)
		assert.Equal(t, whole.Summary.Reasons, merged.Summary.Reasons, name)
		assert.Empty(t, firstDifference(timeless(t, &report.Report{Results: whole.Results}), timeless(t, &report.Report{Results: merged.Results})), name)
	}
}

func TestShardsOfDifferentRunsAreNotMerged(t *testing.T) {
	cache := &conformance.Cache{}
	start := func() (*Server, error) { return StartReference(nil) }
	one, two := shardRun(t, cache, "smoke", start, 1, 2), shardRun(t, cache, "smoke", start, 2, 2)
	whole := shardRun(t, cache, "smoke", start, 0, 0)
	with := func(change func(r *report.Report)) *report.Report {
		r := *two
		shard := *two.Header.Shard
		r.Header.Shard = &shard
		change(&r)
		return &r
	}
	for want, list := range map[string][]*report.Report{
		"no report: give the reports of all shards":                                             nil,
		"0.json is not the report of a shard: write it with run --shard I/N --report json=FILE": {whole},
		"shard 2/2 is missing: give the reports of all shards":                                  {one},
		"0.json and 2.json are both shard 1/2: give one of them":                                {one, two, one},
		"0.json and 1.json are not from the same plan: seed 1 and 7":                            {one, with(func(r *report.Report) { r.Header.Seed = 7 })},
		"0.json and 1.json are not from the same plan: target embedded reference server and http://target": {
			one, with(func(r *report.Report) { r.Header.Embedded = false })},
		"0.json and 1.json are not from the same plan: plan " + one.Header.Shard.Plan + " and x": {
			one, with(func(r *report.Report) { r.Header.Shard.Plan = "x" })},
		"0.json and 1.json are not from the same plan: digest of the document " + one.Header.Digest + " and x": {
			one, with(func(r *report.Report) { r.Header.Digest = "x" })},
		"0.json and 1.json are not from the same plan: number of shards 2 and 3": {one, with(func(r *report.Report) { r.Header.Shard.Of = 3 })},
		"0.json is shard 3/2, which no run can be: the report was changed":       {with(func(r *report.Report) { r.Header.Shard.Number = 3 })},
		"0.json and 1.json have different requirements: one of them was changed": {one, with(func(r *report.Report) { r.Results = r.Results[1:] })},
	} {
		var named []report.Named
		for i, r := range list {
			named = append(named, report.Named{Name: fmt.Sprintf("%d.json", i), Report: r})
		}
		_, err := conformance.Merge(named, conformance.Config{})
		var setup *conformance.SetupError
		require.ErrorAs(t, err, &setup, want)
		assert.EqualError(t, err, want)
	}
}

// What ends a shard early makes the whole incomplete.
func TestAMergedReportIsIncompleteIfAShardIs(t *testing.T) {
	start := func() (*Server, error) { return StartReference(nil) }
	one := shardRun(t, nil, "gate", start, 1, 2)
	s, err := start()
	require.NoError(t, err)
	defer s.Close()
	ended, stop := context.WithCancel(t.Context())
	defer stop()
	two, err := conformance.Run(ended, conformance.Config{Target: s.URL, Token: s.Token, Embedded: true, Effort: "gate", Shard: 2, Shards: 2, Progress: func(done, _, _ int) {
		if done == 9 {
			stop()
		}
	}})
	require.NoError(t, err)
	two.Header.Target = one.Header.Target
	require.Equal(t, report.Incomplete, two.Summary.Verdict)
	merged, err := conformance.Merge([]report.Named{{Name: "1", Report: one}, {Name: "2", Report: two}}, conformance.Config{})
	require.NoError(t, err)
	assert.Equal(t, report.Incomplete, merged.Summary.Verdict)
	assert.Contains(t, merged.Summary.Reasons, "the run was interrupted")
}
