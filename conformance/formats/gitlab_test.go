package formats_test

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// codeEntry is what GitLab reads; another member is an error here.
type codeEntry struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// entries holds a report against what GitLab says of its members.
func entries(t *testing.T, r *report.Report, o formats.Options) []codeEntry {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.GitLab(&b, r, o))
	require.Equal(t, "[", b.String()[:1], "GitLab wants a list, also an empty one")
	var out []codeEntry
	require.NoError(t, json.Unmarshal(b.Bytes(), &out, json.RejectUnknownMembers(true)))
	seen := map[string]bool{}
	for _, e := range out {
		assert.NotEmpty(t, e.Description)
		assert.NotEmpty(t, e.Location.Path)
		assert.Positive(t, e.Location.Lines.Begin)
		assert.Contains(t, []string{"info", "minor", "major", "critical", "blocker"}, e.Severity)
		seen[e.Fingerprint] = true
	}
	if r.Results == nil || r.Results[0].Requirement != r.Results[len(r.Results)-1].Requirement {
		assert.Len(t, seen, len(out), "a fingerprint that occurs twice hides an entry")
	}
	return out
}

func TestGitLabIsAsRecorded(t *testing.T) {
	recorded(t, "gitlab.json", formats.GitLab)
}

func TestGitLabHasAnEntryForEachFailure(t *testing.T) {
	r := oneFault()
	r.Results[1].Failures = append(r.Results[1].Failures, r.Results[1].Failures[0])
	for o, want := range map[report.Level][]string{report.Must: {"critical", "critical", "minor"}, report.Should: {"critical", "critical", "critical"}} {
		list := entries(t, r, formats.Options{FailOn: o})
		require.Len(t, list, 3)
		for i, e := range list {
			assert.Equal(t, want[i], e.Severity)
		}
		assert.Equal(t, "thing-size-type", list[0].CheckName)
		assert.Equal(t, 27, list[0].Location.Lines.Begin)
		assert.Equal(t, 1, list[2].Location.Lines.Begin)
		assert.Equal(t, "api/things.yaml", list[2].Location.Path)
	}
}

func TestTheFingerprintOfGitLabIsTheSameUnderEverySeed(t *testing.T) {
	other := oneFault()
	f := &other.Results[1].Failures[0]
	f.Case, f.Sent, f.Got = "other", "other", "other"
	for i, e := range entries(t, oneFault(), formats.Options{}) {
		assert.Equal(t, e.Fingerprint, entries(t, other, formats.Options{})[i].Fingerprint)
	}
}

func TestOnlyAConformantRunIsEmptyForGitLab(t *testing.T) {
	for _, r := range []*report.Report{unreachable(), noCase(), new(report.Report)} {
		list := entries(t, r, formats.Options{})
		require.Len(t, list, 1)
		assert.Equal(t, "blocker", list[0].Severity)
		assert.Equal(t, "run-complete", list[0].CheckName)
	}
	assert.Empty(t, entries(t, conformant(), formats.Options{}))
}

func TestNoTextBreaksTheListOfGitLab(t *testing.T) {
	for _, evil := range append(attacks(), `"}]`, `\"}]`, "\x00\xff") {
		for _, e := range entries(t, attacked(evil), formats.Options{})[:2] {
			assert.Equal(t, formats.Escape(evil), e.CheckName)
			assert.Contains(t, e.Description, "got "+formats.Escape(evil))
		}
	}
}
