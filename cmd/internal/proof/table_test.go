package proof_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/cmd/internal/proof"
	"plantstore/conformance"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/faults"
	"plantstore/reference/variants"
)

// go test runs one server in so many. The gate runs all of them by `conformance
// selftest`.
const (
	faultsSampled   = 600
	variantsSampled = 150
	hostileSampled  = 5
)

// sampled reports whether go test judges a server.
func sampled(k proof.Kind, name string, oneIn int) bool {
	return sample.Has(string(k)+" "+name, oneIn)
}

func TestFaultsTripWhatTheyNameAndNothingUnrelated(t *testing.T) {
	t.Parallel()
	sample.Long(t)
	keep := func(k proof.Kind, name string) bool { return k == proof.Fault && sampled(k, name, faultsSampled) }
	rows, err := proof.Table(context.Background(), proof.Options{Keep: keep, Parallel: 2, Config: conformance.Config{Cache: shared}})
	require.NoError(t, err)
	require.NotEmpty(t, rows)
	for _, r := range rows {
		assert.NoError(t, r.Err, r.Name)
		assert.True(t, r.Good(), "%s should trip %s, tripped %v, unrelated %v, reasons %v", r.Name, r.Breaks, r.Tripped, r.Unrelated(), r.Reasons)
		assert.Equal(t, report.NotConformant, r.Outcome, r.Name)
		assert.LessOrEqual(t, len(r.Findings), 2, "%s: one fault, and %v", r.Name, r.Findings)
	}
	rare := map[string]bool{}
	for _, f := range faults.List() {
		rare[f.Name] = f.Rare
	}
	asPublished(t, rows, rare)
	s := proof.Summarise(rows, nil)
	t.Logf("%d faults, median %d failed MUSTs, most %d", s.Faults, s.MedianTripped, s.MaxTripped)
	assert.Equal(t, 1, s.MedianTripped)
	assert.LessOrEqual(t, s.MaxTripped, 3)
	assert.Equal(t, 1, s.MedianFindings)
}

func TestVariantsPassTwiceInARowOnTheSameData(t *testing.T) {
	t.Parallel()
	for _, v := range variants.List() {
		if !sampled(proof.Variant, v.Name, variantsSampled) {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			s, err := proof.StartVariant(v.Name)
			require.NoError(t, err)
			defer s.Close()
			for round := range 2 {
				r, err := conformance.Run(context.Background(), conformance.Config{Target: s.URL, Token: s.Token, Effort: "gate", Draws: 1, Cache: shared})
				require.NoError(t, err)
				assert.Equal(t, report.Conformant, r.Summary.Verdict, "round %d: %v %v", round+1, failed(r), r.Summary.Reasons)
				for _, id := range warned(r) {
					assert.Contains(t, v.Warns, id, "warns and does not say so")
				}
			}
		})
	}
}

func TestAStoreOfUniqueIDsPassesWhateverSeedsCameBefore(t *testing.T) {
	t.Parallel()
	sample.OneIn(t, 4)
	for _, name := range []string{"unique-both", "unique-plants", "unique-names-astral-alike"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sample.OneIn(t, 7)
			s, err := proof.StartVariant(name)
			require.NoError(t, err)
			defer s.Close()
			for round, seed := range []uint64{1, 2, 1} {
				r, err := conformance.Run(t.Context(), conformance.Config{Target: s.URL, Token: s.Token, Seed: seed, Cache: shared})
				require.NoError(t, err)
				assert.Equal(t, report.Conformant, r.Summary.Verdict, "round %d: %v %v", round+1, failed(r), r.Summary.Reasons)
			}
		})
	}
}

func TestHostileTargetsEndInAClearVerdict(t *testing.T) {
	t.Parallel()
	sample.Long(t)
	began := time.Now()
	keep := func(k proof.Kind, name string) bool { return k == proof.Hostile && sampled(k, name, hostileSampled) }
	rows, err := proof.Table(context.Background(), proof.Options{Keep: keep, Parallel: 32, Config: conformance.Config{Cache: shared}})
	require.NoError(t, err)
	require.NotEmpty(t, rows)
	for _, r := range rows {
		assert.NoError(t, r.Err, r.Name)
		assert.True(t, r.Good(), "%s: %s, tripped %v, reasons %v", r.Name, r.Outcome, r.Tripped, r.Reasons)
	}
	t.Logf("%d hostile targets in %s", len(rows), time.Since(began).Round(time.Second))
}

func TestARunThatIsInterruptedIsNoRow(t *testing.T) {
	t.Parallel()
	sample.OneIn(t, 4)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	o := proof.Options{Seeds: 2, Config: conformance.Config{Cache: shared}, Keep: func(k proof.Kind, name string) bool { return k == proof.Variant && strings.HasPrefix(name, "extra-") },
		Done: func(proof.Row) { interrupt() }}
	rows, err := proof.Table(ctx, o)
	require.NoError(t, err)
	require.Len(t, rows, 1, "the row behind it was cut off, or not begun")
	assert.True(t, rows[0].Good())
	assert.Equal(t, 2, rows[0].Seeds)
	rows, err = proof.Table(ctx, o)
	require.NoError(t, err)
	assert.Empty(t, rows)
}

func TestOneFaultHasItsSmallestRequestAndComesAgain(t *testing.T) {
	t.Parallel()
	s, err := proof.StartFault("id-numeric-string")
	require.NoError(t, err)
	defer s.Close()
	config := conformance.Config{Target: s.URL, Token: s.Token, Cache: shared, Only: []string{"newplant-id-integer"}}
	r, err := conformance.Run(context.Background(), config)
	require.NoError(t, err)
	f, ok := r.Failure(1)
	require.True(t, ok)
	assert.True(t, f.Stable)
	assert.True(t, f.Minimal)
	assert.Less(t, len(f.Steps[0].Request.Data), 400)
	again, err := conformance.ReplayFailure(context.Background(), config, r, 1, false)
	require.NoError(t, err)
	require.Len(t, again.Failures, 1)
	assert.Equal(t, "newplant-id-integer", again.Failures[0].Requirement)
	case1, err := conformance.Replay(context.Background(), config, f.Case)
	require.NoError(t, err)
	require.NotEmpty(t, case1.Failures)
	assert.Equal(t, "newplant-id-integer", case1.Failures[0].Requirement)
}

func TestTheTokenIsInNoReport(t *testing.T) {
	t.Parallel()
	for name, shows := range map[string]string{"no-authentication": "bearer-required", "id-numeric-string": "newplant-id-integer"} {
		s, err := proof.StartFault(name)
		require.NoError(t, err)
		r, err := conformance.Run(context.Background(), conformance.Config{Target: s.URL, Token: s.Token, Cache: shared, Only: []string{shows}})
		s.Close()
		require.NoError(t, err)
		require.NotEmpty(t, failed(r))
		for _, x := range r.Results {
			for _, f := range x.Failures {
				for _, st := range f.Steps {
					assert.NotContains(t, string(st.Request.Data), s.Token)
					assert.NotContains(t, string(st.Response.Data), s.Token)
				}
				assert.NotContains(t, strings.Join([]string{f.Sent, f.Got, f.Curl, f.Replay}, " "), s.Token)
			}
		}
	}
}

func failed(r *report.Report) []string { return ids(r, report.Must) }

func warned(r *report.Report) []string { return ids(r, report.Should) }

func ids(r *report.Report, level report.Level) []string {
	var out []string
	for _, x := range r.Results {
		if x.Verdict == report.Fail && x.Level == level {
			out = append(out, x.Requirement)
		}
	}
	return out
}
