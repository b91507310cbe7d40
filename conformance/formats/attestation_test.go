package formats_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

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
