package formats

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"

	"plantstore/conformance/report"
)

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
		} else if o.gates(x.Level) {
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
