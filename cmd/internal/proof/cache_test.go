package proof_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// wholePlans is how many runs of all cases there are for each that go test makes, where
// few cases show the same.
const wholePlans = 100

// The self-test judges hundreds of servers and reads the document once.
func TestARunSendsAndSaysTheSameWithACacheAsWithout(t *testing.T) {
	t.Parallel()
	cache, effort := new(conformance.Cache), "gate"
	if sample.Has(t.Name()+" in full", wholePlans) {
		effort = "full"
	}
	said := func(c *conformance.Cache) ([]string, []report.Result) {
		s, err := proof.StartFault("id-numeric-string")
		assert.NoError(t, err)
		defer s.Close()
		var trace bytes.Buffer
		r, err := conformance.Run(t.Context(), conformance.Config{Target: s.URL, Token: s.Token, Draws: 1, Effort: effort, Cache: c, Trace: &trace})
		assert.NoError(t, err)
		// Only the first try: a request that got no answer on a busy machine is sent
		// again with other fresh values, and so is what follows it.
		first := map[string]string{}
		for line := range strings.Lines(trace.String()) {
			var l struct {
				Case    string       `json:"case"`
				Step    int          `json:"step"`
				Verdict string       `json:"verdict"`
				Reason  string       `json:"reason"`
				Request report.Bytes `json:"request"`
			}
			assert.NoError(t, json.Unmarshal([]byte(line), &l))
			sent := strings.ReplaceAll(string(l.Request.Data), strings.TrimPrefix(s.URL, "http://"), "target")
			if step := fmt.Sprintf("%s %d", l.Case, l.Step); first[step] == "" {
				first[step] = fmt.Sprintf("%s %s %s %q", step, l.Verdict, l.Reason, sent)
			}
		}
		lines := slices.Sorted(maps.Values(first))
		for i := range r.Results {
			r.Results[i].Failures = nil // the trace has them; here they tell the time too
		}
		return lines, r.Results
	}
	lines, results := said(nil)
	require.Greater(t, len(lines), 500)
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			again, sameResults := said(cache)
			assert.Equal(t, results, sameResults)
			assert.Len(t, again, len(lines))
			for i := range min(len(again), len(lines)) {
				if !assert.Equal(t, lines[i], again[i]) {
					break
				}
			}
		})
	}
	group.Wait()
}
