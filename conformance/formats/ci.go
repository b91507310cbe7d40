package formats

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"plantstore/conformance/report"
)

// GitHub writes workflow commands of GitHub Actions: an error for each finding that
// gates, a warning for the others, and an error if the run is incomplete. GitHub shows
// them at the line of the clause, ten of each kind for one step, so the worst come first.
func GitHub(w io.Writer, r *report.Report, o Options) error {
	r = o.inRepository(r)
	var b strings.Builder
	v := viewOf(r, o)
	switch {
	case v.untold:
		gitHubCommand(&b, "error", nil, "conformance", v.verdict.line())
	case v.outcome == report.Conformant, v.outcome == report.OnlyKnown, v.outcome == report.PassedOver:
		gitHubCommand(&b, "notice", nil, "conformance", v.verdict.line())
	}
	for _, x := range v.stale {
		gitHubCommand(&b, "error", x.Place, x.Requirement, x.Sentence)
	}
	commands := map[string]string{string(report.Fail): "error", shownWarning: "warning"}
	for _, x := range v.sorted() {
		gitHubCommand(&b, cmp.Or(commands[x.word], "notice"), x.result.Place, cut(x.title(), detailBytes), x.details())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// gitHubCommand writes one command, escaped as the toolkit of GitHub Actions does.
func gitHubCommand(b *strings.Builder, command string, at *report.Place, title, message string) {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	place := ""
	if at != nil {
		place = fmt.Sprintf("file=%s,line=%d,", property.Replace(Escape(at.File)), at.Line)
	}
	fmt.Fprintf(b, "::%s %stitle=%s::%s\n", command, place, property.Replace(title), data.Replace(message))
}

// detailBytes is the length of one text in a list of problems.
const detailBytes = 400

// GitLab writes the findings as a Code Quality report of GitLab, which shows them in a
// merge request: an entry for each requirement of a finding, at its line. A run that is
// incomplete has an entry of its own, because an empty list looks like a success.
func GitLab(w io.Writer, r *report.Report, o Options) error {
	r = o.inRepository(r)
	list, v := []codeQuality{}, viewOf(r, o)
	for _, x := range v.stale {
		list = append(list, quality(r, &x, fmt.Sprint(outdated, x.Place.Line), "critical", x.Sentence))
	}
	severities := map[string]string{string(report.Fail): "critical", shownWarning: "minor"}
	for _, x := range v.sorted() {
		for _, y := range append([]*report.Result{&x.result}, x.others...) {
			list = append(list, quality(r, y, x.ID+" "+y.Requirement, cmp.Or(severities[x.word], "info"), x.about(y)))
		}
	}
	if v.untold {
		list = append(list, quality(r, &report.Result{Requirement: unfinished}, unfinished, "blocker", v.verdict.line()))
	}
	return writeJSON(w, list)
}

// codeQuality is one entry, with the members that GitLab requires.
type codeQuality struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	// Fingerprint tells an entry of one branch from those of the other: it is the same
	// under every seed, and no two entries of a report share it.
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

func quality(r *report.Report, x *report.Result, what, severity, text string) codeQuality {
	sum := sha256.Sum256([]byte(what))
	c := codeQuality{Description: text, CheckName: Escape(x.Requirement), Fingerprint: hex.EncodeToString(sum[:]), Severity: severity}
	// GitLab requires a place: what has none is shown at the top of the document.
	at := report.Place{File: r.Header.File, Line: 1}
	if x.Place != nil {
		at = *x.Place
	}
	c.Location.Path, c.Location.Lines.Begin = "openapi.yaml", max(1, at.Line)
	if at.File != "" {
		c.Location.Path = Escape(path.Clean(at.File))
	}
	return c
}

// unfinished is the rule that an incomplete run breaks.
const unfinished = "run-complete"

// SARIF writes the findings as SARIF 2.1.0 (OASIS), for code scanning: a rule for each
// requirement, and a result for each finding at the line of the clause of its example, with
// those of its other requirements. An incomplete run has a result of its own, because a viewer
// would show nothing of it.
func SARIF(w io.Writer, r *report.Report, o Options) error {
	r = o.inRepository(r)
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(driver(r)))
	v := viewOf(r, o)
	line := v.verdict.line()
	properties := sarif.NewPropertyBag()
	for _, p := range [][2]string{{"verdict", line}, {"target", Escape(r.Header.Target)}, {"document", Escape(r.Header.Document)},
		{"digest", Escape(r.Header.Digest)}, {"seed", fmt.Sprint(r.Header.Seed)}} {
		properties.Add(p[0], p[1])
	}
	run.WithProperties(properties)
	run.AddInvocation(sarif.NewInvocation().WithExecutionSuccessful(!v.untold))
	rules := map[string]int{}
	for _, x := range r.Results {
		id := Escape(x.Requirement)
		if _, known := rules[id]; !known {
			rules[id] = len(rules)
			run.Tool.Driver.AddRule(sarifRule(id, x.Sentence, x.Level))
		}
	}
	levels := map[string]string{string(report.Fail): sarif.LevelError, shownSuspected: sarif.LevelNote}
	for _, x := range v.sorted() {
		one := sarifResult(&x.result, rules[Escape(x.result.Requirement)], cut(x.title(), detailBytes)+"\n"+x.details(), r.Header.File)
		one.WithLevel(cmp.Or(levels[x.word], sarif.LevelWarning))
		// The same finding has other values under another seed, and stays the same finding.
		one.WithPartialFingerprints(map[string]string{"finding/v1": x.ID})
		for _, y := range x.others[:min(len(x.others), relatedShown)] {
			one.RelatedLocations = append(one.RelatedLocations, sarifPlaces(y, r.Header.File)...)
		}
		run.AddResult(one)
	}
	own := len(rules)
	if v.untold {
		run.Tool.Driver.AddRule(sarifRule(unfinished, "Everything that was planned is decided.", report.Must))
		x := report.Result{Requirement: unfinished, Level: report.Must}
		run.AddResult(sarifResult(&x, own, line, r.Header.File))
		own++
	}
	for i, x := range v.stale {
		if i == 0 {
			run.Tool.Driver.AddRule(sarifRule(outdated, "Every entry of the file of known failures still holds.", report.Must))
		}
		run.AddResult(sarifResult(&x, own, x.Sentence, r.Header.File))
	}
	var text bytes.Buffer
	if err := sarif.NewReport().AddRun(run).PrettyWrite(&text); err != nil {
		return fmt.Errorf("sarif report: %w", err)
	}
	_, err := w.Write(append(report.Printable(text.Bytes()), '\n'))
	return err
}

// driver is the program that found the failures.
func driver(r *report.Report) *sarif.ToolComponent {
	name, version, _ := strings.Cut(Escape(r.Tool), "/")
	d := sarif.NewToolComponent().WithName(name)
	if version != "" {
		d.WithVersion(version)
	}
	return d
}

func sarifRule(id, sentence string, level report.Level) *sarif.ReportingDescriptor {
	text := cut(sentence, 2*detailBytes)
	properties := sarif.NewPropertyBag()
	properties.Add("level", Escape(string(level)))
	severity := map[report.Level]string{report.Must: sarif.LevelError, report.Should: sarif.LevelWarning}[level]
	if severity == "" {
		severity = sarif.LevelNote
	}
	return sarif.NewReportingDescriptor().WithID(id).
		WithShortDescription(sarif.NewMultiformatMessageString().WithText(text)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(severity)).
		WithProperties(properties)
}

// relatedShown is how many other places a result names.
const relatedShown = 100

// sarifResult is a result at the place of a requirement.
func sarifResult(x *report.Result, rule int, text, document string) *sarif.Result {
	id := Escape(x.Requirement)
	text = strings.ReplaceAll(text, "](", `\](`) // [text](target) would be a link
	out := sarif.NewRuleResult(id).WithRuleIndex(rule).WithLevel(sarif.LevelError).WithMessage(sarif.NewTextMessage(text))
	out.WithPartialFingerprints(map[string]string{"requirement/v1": id})
	if x.Known != nil {
		out.AddSuppression(sarif.NewSuppression().WithKind("external").WithJustification(cut(knownNote(x.Known), detailBytes)))
	}
	return out.WithLocations(sarifPlaces(x, document))
}

// sarifPlaces is where a requirement stands; nothing if that is in no file.
func sarifPlaces(x *report.Result, document string) []*sarif.Location {
	at := sarif.NewPhysicalLocation()
	switch {
	case x.Place != nil && x.Place.Line > 0:
		at.WithArtifactLocation(artifact(x.Place.File)).WithRegion(sarif.NewRegion().WithStartLine(x.Place.Line))
	case document != "":
		at.WithArtifactLocation(artifact(document))
	default:
		return nil
	}
	return []*sarif.Location{sarif.NewLocation().WithPhysicalLocation(at)}
}

// artifact names a file by a URI, which is relative if the path is.
func artifact(file string) *sarif.ArtifactLocation {
	at := url.URL{Path: Escape(file)}
	if path.IsAbs(file) {
		at.Scheme = "file"
	}
	return sarif.NewArtifactLocation().WithURI(at.String())
}

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
	v := viewOf(r, o)
	s := statement{Type: statementType, PredicateType: testResultType, Predicate: testResult{
		Result: v.testOutcome(), Configuration: v.testConfiguration(), Passed: []string{}, Warned: []string{}, Failed: []string{}}}
	for _, x := range r.Header.Subjects {
		s.Subject = append(s.Subject, resource{Name: Escape(x.Name), Digest: map[string]string{Escape(x.Algorithm): Escape(x.Digest)}})
	}
	s.Subject = append(s.Subject, resource{Name: "conformance-report.json", Digest: sha256Of(digestOf(text.Bytes()))})
	p := &s.Predicate
	p.Failed, p.Warned = testNames(p.Failed, v.failed), testNames(p.Warned, slices.Concat(v.warned, v.suspected, v.known))
	for _, x := range r.Results {
		if x.Verdict == report.Pass && x.Cases.Judged > 0 {
			p.Passed = append(p.Passed, Escape(x.Requirement))
		}
	}
	if v.untold {
		p.Failed = append(p.Failed, unfinished)
	}
	if len(v.stale) > 0 {
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
func (v *view) testOutcome() string {
	switch {
	case v.verdict.style == bad, v.outcome == report.Incomplete:
		return "FAILED"
	case v.verdict.style == good && v.Summary.Warned == 0:
		return "PASSED"
	}
	return "WARNED"
}

// testConfiguration is what decides which requests are sent and how they are judged.
func (v *view) testConfiguration() []resource {
	h := v.Header
	list := []resource{{Name: Escape(h.Document), Digest: sha256Of(Escape(h.Digest)), Annotations: map[string]string{"role": "document"}}}
	add := func(role string, f *report.File) {
		if f != nil {
			list = append(list, resource{Name: Escape(f.Name), Digest: sha256Of(Escape(f.Digest)), Annotations: map[string]string{"role": role}})
		}
	}
	add("requirements", h.RequirementsFile)
	add("values", h.ValuesFile)
	if k := v.KnownFailures; k != nil {
		add("known-failures", &k.File)
		notes := list[len(list)-1].Annotations
		for _, x := range v.known {
			notes["known "+Escape(x.Requirement)] = cut(x.Known.Reason, detailBytes)
		}
		if lines := OutOfDate(v.Report); len(lines) > 0 {
			notes["out of date"] = strings.Join(lines, "; ")
		}
	}
	if h.Plan != "" {
		notes := map[string]string{"role": "plan", "target": Escape(h.Target), "tool": Escape(v.Tool)}
		if v.o.Build != "" {
			notes["build"] = Escape(v.o.Build)
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
