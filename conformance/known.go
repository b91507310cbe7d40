package conformance

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/nearest"
)

// known are the failures that a run expects.
type known struct {
	entries []requirement.KnownFailure
	today   string
	file    *report.KnownFailures // nil for none
}

// readKnown reads the file of a config.
func readKnown(c Config) (*known, error) {
	k := &known{today: c.Today.Format(requirement.DateForm)}
	if c.Today.IsZero() {
		k.today = ""
	}
	if len(c.KnownFailures) == 0 {
		return k, nil
	}
	name := cmp.Or(c.KnownFailuresName, "known failures")
	var err error
	if k.entries, err = requirement.ReadKnownFailures(name, c.KnownFailures); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(c.KnownFailures)
	k.file = &report.KnownFailures{File: report.File{Name: name, Digest: hex.EncodeToString(sum[:])}, Entries: len(k.entries)}
	return k, nil
}

// has reports whether a failure of the requirement is expected.
func (k *known) has(id string) bool { return k.entry(id) != nil }

// entry returns the first entry about a requirement, or nil.
func (k *known) entry(id string) *requirement.KnownFailure {
	for i := range k.entries {
		if plan.Match(k.entries[i].Pattern, id) {
			return &k.entries[i]
		}
	}
	return nil
}

// mark tells the known failures among the results, and the entries that no longer hold.
func (k *known) mark(r *report.Report, all []*requirement.Requirement) {
	if k.file == nil {
		return
	}
	for i := range r.Results {
		x := &r.Results[i]
		failed, hidden := diagnose.SuppressedBy(*x)
		if x.Verdict == report.Fail {
			failed = x.Requirement
		}
		if e := k.entry(failed); e != nil && (hidden || x.Verdict == report.Fail) {
			x.Known = &report.Known{Line: e.Line, Reason: e.Reason, Link: e.Link, Expires: day(e.Expires)}
		}
	}
	for i := range k.entries {
		if why, do := k.outOfDate(&k.entries[i], r, all); why != "" {
			k.file.OutOfDate = append(k.file.OutOfDate, report.OutOfDateEntry{Line: k.entries[i].Line, Requirement: k.entries[i].Pattern, Why: why, Do: do})
		}
	}
	r.KnownFailures = k.file
}

func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(requirement.DateForm)
}

// outOfDate says why an entry no longer holds, and what to do; empty if it does. What
// was not selected, or not tried in full, says nothing about it.
func (k *known) outOfDate(e *requirement.KnownFailure, r *report.Report, all []*requirement.Requirement) (why, do string) {
	var ids []string
	exists := false
	for _, x := range all {
		if x.Level != report.Open {
			ids = append(ids, x.ID)
			exists = exists || plan.Match(e.Pattern, x.ID)
		}
	}
	if !exists {
		return "matches no requirement", strings.TrimSpace(nearest.Hint(e.Pattern, ids) + " else delete this entry")
	}
	var passed []string
	others := 0
	for _, x := range r.Results {
		switch {
		case !plan.Match(e.Pattern, x.Requirement):
		case x.Verdict == report.Pass && x.Cases.NotTried == 0:
			passed = append(passed, x.Requirement)
		case x.Verdict != report.Inapplicable:
			others++
		}
	}
	expired := k.today != "" && day(e.Expires) != "" && day(e.Expires) < k.today
	switch {
	case len(passed) > 0 && others == 0:
		return several(passed, " passes now", " pass now"), "delete this entry"
	case len(passed) > 0:
		return "also matches " + several(passed, ", which passes", ", which pass"), "name only what fails"
	case expired:
		return "expired on " + day(e.Expires), "fix the server and delete this entry, or give a later date"
	}
	return "", ""
}

// several names the first of some requirements and says what they do.
func several(ids []string, one, more string) string {
	if len(ids) == 1 {
		return ids[0] + one
	}
	return fmt.Sprintf("%s and %d more%s", ids[0], len(ids)-1, more)
}
