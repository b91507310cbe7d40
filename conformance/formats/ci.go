package formats

import (
	"bytes"
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

// GitHub writes workflow commands of GitHub Actions: an error for each failed
// requirement that gates, a warning for the others, and an error if the run is
// incomplete. GitHub shows them at the line of the clause, ten of each kind for one
// step, so the worst come first.
func GitHub(w io.Writer, r *report.Report, o Options) error {
	r = o.inRepository(r)
	var b strings.Builder
	failed, warned, suspected := split(r, o)
	line, _ := verdictLine(r, o)
	switch v := outcome(r); {
	case untold(r, o):
		gitHubCommand(&b, "error", nil, "conformance", line)
	case v == report.Conformant, v == report.OnlyKnown, v == report.PassedOver:
		gitHubCommand(&b, "notice", nil, "conformance", line)
	}
	for _, x := range failed {
		gitHubCommand(&b, "error", x.Place, title(x), details(x))
	}
	for _, x := range outdatedResults(r) {
		gitHubCommand(&b, "error", x.Place, x.Requirement, x.Sentence)
	}
	for _, x := range knownResults(r) {
		gitHubCommand(&b, "notice", x.Place, title(x), cut(knownNote(x.Known), detailBytes)+"\n"+details(x))
	}
	for _, x := range warned {
		gitHubCommand(&b, "warning", x.Place, title(x), details(x))
	}
	for _, x := range suspected {
		gitHubCommand(&b, "notice", x.Place, title(x), details(x))
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

// title names a failed requirement in a list of problems.
func title(x report.Result) string { return Escape(fmt.Sprintf("%s (%s)", x.Requirement, x.Level)) }

// details tell a failed requirement in a few lines.
func details(x report.Result) string {
	lines := []string{cut(withEvidence(x), detailBytes), cut(gist(x), 2*detailBytes)}
	if x.Clause != "" {
		lines = append(lines, "clause: "+cut(x.Clause, detailBytes))
	}
	if len(x.Failures) > 0 {
		lines = append(lines, "replay: "+cut(x.Failures[0].Replay, detailBytes))
	}
	return strings.Join(lines, "\n")
}

// detailBytes is the length of one text in a list of problems.
const detailBytes = 400

// GitLab writes the failures as a Code Quality report of GitLab, which shows them in a
// merge request. A run that is incomplete has an entry of its own, because an empty list
// looks like a success.
func GitLab(w io.Writer, r *report.Report, o Options) error {
	r = o.inRepository(r)
	list := []codeQuality{}
	failed, warned, suspected := split(r, o)
	for _, x := range outdatedResults(r) {
		list = append(list, quality(r, x, x.Place.Line, "critical", x.Sentence))
	}
	for _, x := range slices.Concat(failed, warned, suspected, knownResults(r)) {
		severity := "minor"
		if x.Known != nil {
			severity = "info"
			x.Sentence = knownNote(x.Known) + ": " + x.Sentence
		} else if o.gates(x) {
			severity = "critical"
		} else if x.Level == report.Suspected {
			severity = "info"
		}
		for i := range max(1, len(x.Failures)) {
			one := x
			if len(x.Failures) > 0 {
				one.Failures = x.Failures[i : i+1]
			}
			list = append(list, quality(r, one, i, severity, fmt.Sprintf("%s: %s %s", title(x), cut(withEvidence(x), detailBytes), cut(gist(one), 2*detailBytes))))
		}
	}
	if line, _ := verdictLine(r, o); untold(r, o) {
		list = append(list, quality(r, report.Result{Requirement: unfinished}, 0, "blocker", line))
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

func quality(r *report.Report, x report.Result, way int, severity, text string) codeQuality {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", x.Requirement, way))
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

// SARIF writes the failures as SARIF 2.1.0 (OASIS), for code scanning: a rule for each
// requirement, and a result for each failure at the line of its clause. An incomplete run
// has a result of its own, because a viewer would show nothing of it.
func SARIF(w io.Writer, r *report.Report, o Options) error {
	r = o.inRepository(r)
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(driver(r)))
	line, _ := verdictLine(r, o)
	properties := sarif.NewPropertyBag()
	for _, p := range [][2]string{{"verdict", line}, {"target", Escape(r.Header.Target)}, {"document", Escape(r.Header.Document)},
		{"digest", Escape(r.Header.Digest)}, {"seed", fmt.Sprint(r.Header.Seed)}} {
		properties.Add(p[0], p[1])
	}
	run.WithProperties(properties)
	complete := !untold(r, o)
	run.AddInvocation(sarif.NewInvocation().WithExecutionSuccessful(complete))
	rules := map[string]int{}
	for _, x := range r.Results {
		id := Escape(x.Requirement)
		if _, known := rules[id]; !known {
			rules[id] = len(rules)
			run.Tool.Driver.AddRule(sarifRule(id, x.Sentence, x.Level))
		}
	}
	failed, warned, suspected := split(r, o)
	for _, x := range slices.Concat(failed, warned, suspected, knownResults(r)) {
		for _, text := range sarifTexts(x) {
			run.AddResult(sarifResult(x, rules[Escape(x.Requirement)], text, r.Header.File, o))
		}
	}
	own := len(rules)
	if !complete {
		run.Tool.Driver.AddRule(sarifRule(unfinished, "Everything that was planned is decided.", report.Must))
		x := report.Result{Requirement: unfinished, Level: report.Must}
		run.AddResult(sarifResult(x, own, line, r.Header.File, o))
		own++
	}
	for i, x := range outdatedResults(r) {
		if i == 0 {
			run.Tool.Driver.AddRule(sarifRule(outdated, "Every entry of the file of known failures still holds.", report.Must))
		}
		run.AddResult(sarifResult(x, own, x.Sentence, r.Header.File, o))
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

// sarifTexts tell each failure of a requirement.
func sarifTexts(x report.Result) []string {
	var out []string
	for _, f := range x.Failures {
		one := x
		one.Failures = []report.Failure{f}
		out = append(out, details(one))
	}
	if len(out) == 0 {
		out = append(out, details(x))
	}
	return out
}

func sarifResult(x report.Result, rule int, text, document string, o Options) *sarif.Result {
	level := sarif.LevelWarning
	switch {
	case o.gates(x):
		level = sarif.LevelError
	case x.Level == report.Suspected:
		level = sarif.LevelNote
	}
	id := Escape(x.Requirement)
	text = strings.ReplaceAll(text, "](", `\](`) // [text](target) would be a link
	out := sarif.NewRuleResult(id).WithRuleIndex(rule).WithLevel(level).WithMessage(sarif.NewTextMessage(text))
	// The same failure has other values under another seed, and stays the same failure.
	out.WithPartialFingerprints(map[string]string{"requirement/v1": id})
	if x.Known != nil {
		out.AddSuppression(sarif.NewSuppression().WithKind("external").WithJustification(cut(knownNote(x.Known), detailBytes)))
	}
	at := sarif.NewPhysicalLocation()
	switch {
	case x.Place != nil && x.Place.Line > 0:
		at.WithArtifactLocation(artifact(x.Place.File)).WithRegion(sarif.NewRegion().WithStartLine(x.Place.Line))
	case document != "":
		at.WithArtifactLocation(artifact(document))
	default:
		return out
	}
	return out.AddLocation(sarif.NewLocation().WithPhysicalLocation(at))
}

// artifact names a file by a URI, which is relative if the path is.
func artifact(file string) *sarif.ArtifactLocation {
	at := url.URL{Path: Escape(file)}
	if path.IsAbs(file) {
		at.Scheme = "file"
	}
	return sarif.NewArtifactLocation().WithURI(at.String())
}
