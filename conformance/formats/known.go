package formats

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"plantstore/conformance/report"
)

// known writes the findings that the file of known failures has, a row each, and the entries of
// the file that no longer hold.
func (s *page) known(v *view) {
	var rows []string
	list := v.knownIssues()
	for i := range list {
		x := &list[i]
		if v.o.Verbose {
			s.blank()
			s.finding(x, v.o, false)
			continue
		}
		rows = append(rows, cut(fmt.Sprintf("%s (%s%s) [%s]: %s", x.title(), x.result.Requirement, more(len(x.others)), x.ID, x.accepted()), 3*s.width))
	}
	s.rows("known failures: "+counted(len(list), "finding"), rows, rowsShown)
	if rows := OutOfDate(v.Report); len(rows) > 0 {
		s.rows(Escape(v.KnownFailures.Name)+" is out of date", rows, rowsShown)
	}
}

// knownIssues are the findings that the file of known failures has.
func (v *view) knownIssues() []issue {
	return slices.DeleteFunc(slices.Clone(v.issues), func(x issue) bool { return !x.Known })
}

// accepted says why the file of known failures has a finding; empty if it does not.
func (x *issue) accepted() string {
	var reasons []string
	add := func(k *report.Known) {
		if k != nil && !slices.Contains(reasons, reasonOf(k)) {
			reasons = append(reasons, reasonOf(k))
		}
	}
	for _, y := range append([]*report.Result{&x.result}, x.others...) {
		add(y.Known)
		for _, f := range y.Failures {
			add(f.Known)
		}
	}
	if len(reasons) > 1 {
		return fmt.Sprintf("%s; and %s", reasons[0], counted(len(reasons)-1, "other reason"))
	}
	return strings.Join(reasons, "")
}

// knownResults are the failed requirements that the file of known failures has, and those of which
// it has some failures, with these.
func knownResults(r *report.Report) []report.Result {
	var out []report.Result
	for _, x := range r.Results {
		if x.Verdict == report.Fail && x.Known != nil {
			out = append(out, x)
			continue
		}
		x.Failures = slices.DeleteFunc(slices.Clone(x.Failures), func(f report.Failure) bool { return f.Known == nil })
		if len(x.Failures) > 0 {
			x.Known = x.Failures[0].Known
			out = append(out, x)
		}
	}
	return out
}

// OutOfDate says of each entry of the file of known failures that no longer holds where
// it is, why, and what to do.
func OutOfDate(r *report.Report) []string {
	var out []string
	for _, x := range outdatedResults(r) {
		out = append(out, x.Sentence)
	}
	return out
}

// outdated names a result or a test about an entry that no longer holds.
const outdated = "known-failures"

// outdatedResults are the entries that no longer hold, each as a failed result at its
// line.
func outdatedResults(r *report.Report) []report.Result {
	var out []report.Result
	if k := r.KnownFailures; k != nil {
		for _, e := range k.OutOfDate {
			out = append(out, report.Result{Requirement: outdated, Level: report.Must, Sentence: outOfDate(k, e), Place: &report.Place{File: k.Name, Line: e.Line}})
		}
	}
	return out
}

// outOfDate says which line of the file no longer holds, and what to do.
func outOfDate(k *report.KnownFailures, e report.OutOfDateEntry) string {
	subject := ""
	if !strings.HasPrefix(e.Why, e.Requirement+" ") {
		subject = e.Requirement + " "
	}
	return Escape(fmt.Sprintf("%s:%d: %s%s: %s", k.Name, e.Line, subject, e.Why, e.Do))
}

// staleness is the first entry that no longer holds, and how many others there are.
// The report has at least one.
func (v *view) staleness() string {
	if len(v.stale) == 1 {
		return v.stale[0].Sentence
	}
	return fmt.Sprintf("%s (and %s more)", v.stale[0].Sentence, counted(len(v.stale)-1, "line"))
}

// knownOf says "1 MUST requirement fails", for each level with known failures.
func (v *view) knownOf() string {
	var parts []string
	n := 0
	for _, l := range levels() {
		if k := v.tallies[l][knownFailure]; k > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", k, l))
			n += k
		}
	}
	line := strings.Join(parts, " and ")
	switch {
	case n == 0:
		return "no requirement fails"
	case n == 1:
		return line + " requirement fails as expected"
	}
	return line + " requirements fail as expected"
}

// knownNote is a known failure in one line.
func knownNote(k *report.Known) string { return "known failure: " + reasonOf(k) }

// reasonOf is the reason of an entry, with its link and the day until which it holds.
func reasonOf(k *report.Known) string {
	line := k.Reason
	if k.Link != "" {
		line += " (" + k.Link + ")"
	}
	if k.Expires != "" {
		line += ", expires " + k.Expires
	}
	return line
}

// KnownFailuresYAML writes a file of known failures: an entry for each failed requirement
// that fails the run, or that is a known failure already. The reason of a new entry says
// how it failed, until somebody writes why that is accepted.
func KnownFailuresYAML(w io.Writer, r *report.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Known failures of %s, for %s.\n", Escape(r.Header.Target), Escape(r.Header.Document))
	b.WriteString("# Replace each reason by why the failure is accepted for now. link and expires (such as\n# expires: 2030-12-31) are optional. An entry with \"finding: ID\" instead of a requirement stands\n# for all failures of that finding.\n")
	of := map[string][]report.Finding{}
	for _, f := range r.Found() {
		for _, id := range f.Requirements {
			of[id] = append(of[id], f)
		}
	}
	none := true
	for _, x := range r.Results {
		if x.Verdict != report.Fail || x.Known == nil && !x.Gates(report.Gate(r.Header.FailOn)) {
			continue
		}
		none = false
		b.WriteString("\n")
		for _, f := range of[x.Requirement] {
			if len(f.Requirements) > 1 {
				fmt.Fprintf(&b, "# finding %s: %s\n", Escape(f.ID), cut(f.Sentence, 400))
			}
		}
		fmt.Fprintf(&b, "- requirement: %s\n", scalar(x.Requirement))
		if x.Known == nil {
			fmt.Fprintf(&b, "  reason: %s\n", yamlString(cut(gist(x), 400)))
			continue
		}
		fmt.Fprintf(&b, "  reason: %s\n", yamlString(x.Known.Reason))
		if x.Known.Link != "" {
			fmt.Fprintf(&b, "  link: %s\n", yamlString(x.Known.Link))
		}
		if x.Known.Expires != "" {
			fmt.Fprintf(&b, "  expires: %s\n", yamlString(x.Known.Expires))
		}
	}
	if none {
		b.WriteString("\n# Nothing failed.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// scalar writes an id as it is where no reader of YAML takes it for something else.
func scalar(id string) string {
	if regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)+$`).MatchString(id) {
		return id
	}
	return yamlString(id)
}

// yamlString writes a text in quotes: a JSON string is one of YAML too.
func yamlString(text string) string {
	b, _ := jsontext.AppendQuote(nil, Escape(text)) // the only error is broken UTF-8, which Escape replaces
	return string(b)
}
