package formats_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// command is a workflow command as GitHub's runner reads it.
type command struct {
	name, message string
	properties    map[string]string
}

// commands reads what the runner would: each line has to be a command.
func commands(t *testing.T, r *report.Report, o formats.Options) []command {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.GitHub(&b, r, o))
	form := regexp.MustCompile(`^::(error|warning|notice) ([^\r\n]*?)::([^\r\n]*)$`)
	decode := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace
	var out []command
	for line := range strings.SplitSeq(strings.TrimSuffix(b.String(), "\n"), "\n") {
		m := form.FindStringSubmatch(line)
		require.NotNil(t, m, "%q is no command", line)
		c := command{name: m[1], message: decode(m[3]), properties: map[string]string{}}
		for p := range strings.SplitSeq(m[2], ",") {
			key, value, found := strings.Cut(p, "=")
			require.True(t, found, "%q", line)
			assert.NotContains(t, c.properties, key)
			c.properties[key] = decode(value)
		}
		out = append(out, c)
	}
	return out
}

func TestGitHubIsAsRecorded(t *testing.T) {
	recorded(t, "github.txt", formats.GitHub)
}

func TestGitHubGetsAnErrorForAMustAndAWarningForAShould(t *testing.T) {
	names := func(r *report.Report, o formats.Options) (out []string) {
		for _, c := range commands(t, r, o) {
			out = append(out, c.name+" "+c.properties["title"])
		}
		return out
	}
	size := "leniency: POST /things: a value of another type is accepted where an integer is documented"
	scheme := "protocol: POST /things: the right credential is refused when it is written in another valid way"
	assert.Equal(t, []string{"error " + size, "warning " + scheme}, names(oneFault(), formats.Options{}))
	assert.Equal(t, []string{"error " + size, "error " + scheme}, names(oneFault(), formats.Options{FailOn: report.Should}))
	for _, r := range []*report.Report{unreachable(), noCase(), new(report.Report)} {
		assert.Equal(t, []string{"error conformance"}, names(r, formats.Options{}))
	}
	assert.Equal(t, []string{"notice conformance"}, names(conformant(), formats.Options{}))
	also := oneFault()
	also.Summary.Reasons = []string{"interrupted"}
	assert.Equal(t, "error conformance", names(also, formats.Options{})[0])
}

func TestNoTextBreaksACommandOfGitHub(t *testing.T) {
	for _, evil := range append(attacks(), "\n::error::gotcha", "\r\n::stop-commands::x", "a::b", "a,file=gotcha", "%0A::error::gotcha", "%3A%2C%25") {
		list := commands(t, attacked(evil), formats.Options{})
		require.Len(t, list, 3)
		for _, c := range list[1:] {
			assert.Equal(t, formats.Escape(evil), c.properties["file"])
			assert.Contains(t, c.message, "sent: "+formats.Escape(evil))
			assert.Len(t, c.properties, 3)
		}
	}
}

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

// twice is a report in which two requirements fail for one cause.
func twice() *report.Report {
	r := oneFault()
	again := r.Results[1]
	again.Requirement, again.Place = "thing-weight-type", &report.Place{File: "api/things.yaml", Line: 31}
	again.Failures = slices.Clone(again.Failures)
	again.Failures[0].N, again.Failures[0].Sent = 3, `weight "7" (a string) instead of 7`
	r.Results = append(r.Results, again)
	return r
}

func TestGitLabHasAnEntryForEachRequirementOfAFinding(t *testing.T) {
	for o, want := range map[report.Level][]string{report.Must: {"critical", "critical", "minor"}, report.Should: {"critical", "critical", "critical"}} {
		list := entries(t, twice(), formats.Options{FailOn: o})
		require.Len(t, list, 3)
		for i, e := range list {
			assert.Equal(t, want[i], e.Severity)
		}
		assert.Equal(t, "thing-size-type", list[0].CheckName)
		assert.Equal(t, 27, list[0].Location.Lines.Begin)
		assert.Equal(t, 31, list[1].Location.Lines.Begin)
		assert.Contains(t, list[1].Description, `sent weight "7"`)
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

func TestSARIFHasARuleForEachRequirementAndAResultForEachFinding(t *testing.T) {
	r := twice()
	for o, levels := range map[report.Level][]string{report.Must: {"error", "warning"}, report.Should: {"error", "error"}} {
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
		require.Len(t, run.Results[0].RelatedLocations, 1)
		assert.Equal(t, 31, *run.Results[0].RelatedLocations[0].PhysicalLocation.Region.StartLine)
		assert.Equal(t, report.Findings(r.Results)[0].ID, run.Results[0].PartialFingerprints["finding/v1"])
		assert.Nil(t, run.Results[1].Locations[0].PhysicalLocation.Region, "an RFC has no line here")
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

// attested is a statement with the predicate test-result as their specifications list
// them, written down again here because there is no schema: a pointer is a member that has
// to be there, and a member that is not listed is an error. The address of the run is not
// known and must be absent.
type attested struct {
	Type          *string     `json:"_type"`
	Subject       *[]resource `json:"subject"`
	PredicateType *string     `json:"predicateType"`
	Predicate     *struct {
		Result        *string     `json:"result"`
		Configuration *[]resource `json:"configuration"`
		Passed        []string    `json:"passedTests"`
		Warned        []string    `json:"warnedTests"`
		Failed        []string    `json:"failedTests"`
	} `json:"predicate"`
}

// resource is a ResourceDescriptor: it needs a digest, an address or its content, and
// those of an attestation of ours have a digest.
type resource struct {
	Name        string            `json:"name"`
	Digest      map[string]string `json:"digest"`
	Annotations map[string]string `json:"annotations"`
}

func attestationOf(t *testing.T, r *report.Report, o formats.Options) attested {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, formats.Attestation(&b, r, o))
	var out attested
	require.NoError(t, json.Unmarshal(b.Bytes(), &out, json.RejectUnknownMembers(true)))
	assert.Equal(t, "https://in-toto.io/Statement/v1", *out.Type)
	assert.Equal(t, "https://in-toto.io/attestation/test-result/v0.1", *out.PredicateType)
	assert.Contains(t, []string{"PASSED", "WARNED", "FAILED"}, *out.Predicate.Result)
	require.NotEmpty(t, *out.Subject)
	require.NotEmpty(t, *out.Predicate.Configuration)
	names := map[string]bool{}
	for _, x := range *out.Subject {
		assert.NotEmpty(t, x.Digest, "each subject has a digest")
		assert.False(t, names[x.Name], "names of subjects are unique")
		names[x.Name] = true
	}
	for _, x := range *out.Predicate.Configuration {
		assert.NotEmpty(t, x.Digest)
	}
	return out
}

func TestAttestationIsAsRecorded(t *testing.T) {
	recorded(t, "intoto.json", formats.Attestation)
}

func TestAttestationListsEachRequirementByWhatCameOfIt(t *testing.T) {
	r := oneFault()
	p := attestationOf(t, r, formats.Options{}).Predicate
	assert.Equal(t, "FAILED", *p.Result)
	assert.Equal(t, []string{"thing-valid-accepted"}, p.Passed)
	assert.Equal(t, []string{"scheme-any-case"}, p.Warned)
	assert.Equal(t, []string{"thing-size-type"}, p.Failed, "what is inapplicable is in no list")

	p = attestationOf(t, r, formats.Options{FailOn: report.Should}).Predicate
	assert.Equal(t, []string{"thing-size-type", "scheme-any-case"}, p.Failed)
	assert.Empty(t, p.Warned)

	p = attestationOf(t, expected(), formats.Options{}).Predicate
	assert.Equal(t, []string{"scheme-any-case", "thing-size-type"}, p.Warned, "a known failure is no pass")
	assert.Equal(t, "WARNED", *p.Result)
}

func TestAttestationSaysPassedOnlyIfEverythingWasTriedAndPassed(t *testing.T) {
	partial, warned := conformant(), conformant()
	partial.Summary.Partial = true
	warned.Summary.Warned = 1
	for name, x := range map[string]struct {
		r    *report.Report
		want string
	}{
		"conformant": {conformant(), "PASSED"}, "partial": {partial, "WARNED"}, "warned": {warned, "WARNED"}, "known": {expected(), "WARNED"},
		"failed": {oneFault(), "FAILED"}, "out of date": {outOfDate(), "FAILED"}, "unreachable": {unreachable(), "FAILED"}, "no case": {noCase(), "FAILED"},
		"empty": {new(report.Report), "FAILED"},
	} {
		got := attestationOf(t, x.r, formats.Options{}).Predicate
		assert.Equal(t, x.want, *got.Result, name)
		assert.Equal(t, x.want == "FAILED", len(got.Failed) > 0, "%s: a failed run names what failed", name)
	}
}

func TestAttestationHasTheDigestsOfWhatTheRunWasMadeOf(t *testing.T) {
	r := conformant()
	r.Header.Subjects = []report.Subject{{Name: "registry.example.com/api", Algorithm: "sha256", Digest: "aa11"}}
	r.Header.Plan = "1234"
	r.Header.RequirementsFile = &report.File{Name: "requirements.yaml", Digest: "5678"}
	r.Header.ValuesFile = &report.File{Name: "values.yaml", Digest: "9abc"}
	a := attestationOf(t, r, formats.Options{})
	sum := sha256.Sum256(written(t, r))
	assert.Equal(t, []resource{{Name: "registry.example.com/api", Digest: map[string]string{"sha256": "aa11"}},
		{Name: "conformance-report.json", Digest: map[string]string{"sha256": hex.EncodeToString(sum[:])}}}, *a.Subject)
	got := map[string]string{}
	for _, c := range *a.Predicate.Configuration {
		got[c.Annotations["role"]] = c.Digest["sha256"]
	}
	assert.Equal(t, map[string]string{"document": r.Header.Digest, "plan": "1234", "requirements": "5678", "values": "9abc"}, got)
	assert.Regexp(t, regexp.MustCompile(`^[0-9a-f]+$`), r.Header.Digest)
}

func TestMain(m *testing.M) { sample.Main(m) }
