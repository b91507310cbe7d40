package formats

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// What an attestation is, and what it says (in-toto Statement v1, and the predicate Test
// Result v0.1).
const (
	statementType  = "https://in-toto.io/Statement/v1"
	testResultType = "https://in-toto.io/attestation/test-result/v0.1"
)

// Attestation writes an unsigned in-toto statement with the predicate test-result. Its
// subjects are what the user named, and the JSON report of the run, as the format JSON
// writes it. The configuration names the document, the plan and the files that decide what
// is judged, with their digests.
//
// The names of tests are the ids of requirements. Those that are known failures or warnings
// are in warnedTests, and those without a verdict in none of the lists. The result is
// PASSED only if everything was tried and nothing failed; a run that is not complete FAILED.
// The file of known failures has the reason of each as an annotation.
func Attestation(w io.Writer, r *report.Report, o Options) error {
	var text bytes.Buffer
	if err := JSON(&text, r, o); err != nil {
		return err
	}
	s := statement{Type: statementType, PredicateType: testResultType, Predicate: testResult{
		Result: testOutcome(r, o), Configuration: testConfiguration(r, o), Passed: []string{}, Warned: []string{}, Failed: []string{}}}
	for _, x := range r.Header.Subjects {
		s.Subject = append(s.Subject, resource{Name: Escape(x.Name), Digest: map[string]string{Escape(x.Algorithm): Escape(x.Digest)}})
	}
	s.Subject = append(s.Subject, resource{Name: "conformance-report.json", Digest: sha256Of(digestOf(text.Bytes()))})
	p := &s.Predicate
	failed, warned, suspected := split(r, o)
	p.Failed, p.Warned = testNames(p.Failed, failed), testNames(p.Warned, slices.Concat(warned, suspected, knownResults(r)))
	for _, x := range r.Results {
		if x.Verdict == report.Pass && x.Cases.Judged > 0 {
			p.Passed = append(p.Passed, Escape(x.Requirement))
		}
	}
	if untold(r, o) {
		p.Failed = append(p.Failed, unfinished)
	}
	if len(outdatedResults(r)) > 0 {
		p.Failed = append(p.Failed, outdated)
	}
	return writeJSON(w, s)
}

// The members of a statement.
type (
	statement struct {
		Type          string     `json:"_type"`
		Subject       []resource `json:"subject"`
		PredicateType string     `json:"predicateType"`
		Predicate     testResult `json:"predicate"`
	}
	testResult struct {
		Result        string     `json:"result"`
		Configuration []resource `json:"configuration"`
		Passed        []string   `json:"passedTests"`
		Warned        []string   `json:"warnedTests"`
		Failed        []string   `json:"failedTests"`
	}
	resource struct {
		Name        string            `json:"name"`
		Digest      map[string]string `json:"digest"`
		Annotations map[string]string `json:"annotations,omitempty"`
	}
)

func sha256Of(digest string) map[string]string { return map[string]string{"sha256": digest} }

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// testOutcome is PASSED where the line of the verdict is green.
func testOutcome(r *report.Report, o Options) string {
	_, st := verdictLine(r, o)
	switch out := outcome(r); {
	case st == bad, out == report.Incomplete:
		return "FAILED"
	case st == good && r.Summary.Warned == 0:
		return "PASSED"
	}
	return "WARNED"
}

// testConfiguration is what decides which requests are sent and how they are judged.
func testConfiguration(r *report.Report, o Options) []resource {
	h := r.Header
	list := []resource{{Name: Escape(h.Document), Digest: sha256Of(Escape(h.Digest)), Annotations: map[string]string{"role": "document"}}}
	add := func(role string, f *report.File) {
		if f != nil {
			list = append(list, resource{Name: Escape(f.Name), Digest: sha256Of(Escape(f.Digest)), Annotations: map[string]string{"role": role}})
		}
	}
	add("requirements", h.RequirementsFile)
	add("values", h.ValuesFile)
	if k := r.KnownFailures; k != nil {
		add("known-failures", &k.File)
		notes := list[len(list)-1].Annotations
		for _, x := range knownResults(r) {
			notes["known "+Escape(x.Requirement)] = cut(x.Known.Reason, detailBytes)
		}
		if lines := OutOfDate(r); len(lines) > 0 {
			notes["out of date"] = strings.Join(lines, "; ")
		}
	}
	if h.Plan != "" {
		notes := map[string]string{"role": "plan", "target": Escape(h.Target), "tool": Escape(r.Tool)}
		if o.Build != "" {
			notes["build"] = Escape(o.Build)
		}
		list = append(list, resource{Name: "plan", Digest: sha256Of(Escape(h.Plan)), Annotations: notes})
	}
	return list
}

// testNames appends the ids of requirements, each once.
func testNames(list []string, results []report.Result) []string {
	for _, x := range results {
		if id := Escape(x.Requirement); !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list
}
