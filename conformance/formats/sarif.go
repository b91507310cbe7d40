package formats

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"plantstore/conformance/report"
)

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
	case o.gates(x.Level):
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
