package formats_test

import (
	"bytes"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// scanned reads a report as code scanning does, and holds it against the schema of OASIS,
// which the library carries.
func scanned(t *testing.T, r *report.Report, o formats.Options) *sarif.Run {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.SARIF(&b, r, o))
	out, err := sarif.FromBytes(b.Bytes())
	require.NoError(t, err)
	require.NoError(t, out.Validate())
	require.Len(t, out.Runs, 1)
	return out.Runs[0]
}

func TestSARIFIsAsRecorded(t *testing.T) {
	recorded(t, "sarif", formats.SARIF)
}

func TestSARIFHasARuleForEachRequirementAndAResultForEachFailure(t *testing.T) {
	r := oneFault()
	r.Results[1].Failures = append(r.Results[1].Failures, r.Results[1].Failures[0])
	for o, levels := range map[report.Level][]string{report.Must: {"error", "error", "warning"}, report.Should: {"error", "error", "error"}} {
		run := scanned(t, r, formats.Options{FailOn: o})
		assert.Len(t, run.Tool.Driver.Rules, len(r.Results))
		var got []string
		for _, x := range run.Results {
			assert.Equal(t, *x.RuleID, *run.Tool.Driver.Rules[x.RuleIndex].ID)
			got = append(got, x.Level)
		}
		assert.Equal(t, levels, got)
		at := run.Results[0].Locations[0].PhysicalLocation
		assert.Equal(t, "api/things.yaml", *at.ArtifactLocation.URI)
		assert.Equal(t, 27, *at.Region.StartLine)
		assert.Nil(t, run.Results[2].Locations[0].PhysicalLocation.Region, "an RFC has no line here")
		assert.True(t, *run.Invocations[0].ExecutionSuccessful)
	}
}

func TestAFailureIsTheSameInSARIFUnderEverySeed(t *testing.T) {
	other := oneFault()
	other.Header.Seed = 7
	f := &other.Results[1].Failures[0]
	f.Case, f.Sent, f.Got, f.Replay = "other", "other", "other", "other"
	for i, x := range scanned(t, oneFault(), formats.Options{}).Results {
		assert.Equal(t, x.PartialFingerprints, scanned(t, other, formats.Options{}).Results[i].PartialFingerprints)
		assert.NotEmpty(t, x.PartialFingerprints)
	}
}

func TestARunThatIsNotCompleteHasAResultInSARIF(t *testing.T) {
	also := oneFault()
	also.Summary.Reasons = []string{"interrupted"}
	for _, r := range []*report.Report{unreachable(), noCase(), new(report.Report), also} {
		run := scanned(t, r, formats.Options{})
		last := run.Results[len(run.Results)-1]
		assert.Equal(t, "run-complete", *last.RuleID)
		assert.Equal(t, "error", last.Level)
		assert.Equal(t, "run-complete", *run.Tool.Driver.Rules[last.RuleIndex].ID)
		assert.False(t, *run.Invocations[0].ExecutionSuccessful)
	}
	assert.Empty(t, scanned(t, conformant(), formats.Options{}).Results)
}

func TestNoTextBreaksSARIF(t *testing.T) {
	for _, evil := range append(attacks(), "%2e%2e/", "a b:c?d#e", "\x7f://", "\xff\xfe", "") {
		for _, x := range scanned(t, attacked(evil), formats.Options{}).Results {
			assert.NotRegexp(t, `[^\\]\]\(`, *x.Message.Text, "%q is a link", evil)
		}
	}
}
