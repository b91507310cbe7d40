package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

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
	k.file = &report.KnownFailures{File: *fileOf(name, c.KnownFailures), Entries: len(k.entries)}
	return k, nil
}

// has reports whether any failure of the requirement is expected.
func (k *known) has(id string) bool { return k.entry(id) != nil }

// entry returns the first entry about a requirement, or nil.
func (k *known) entry(id string) *report.Known {
	return k.first(func(e *requirement.KnownFailure) bool { return e.Pattern != "" && plan.Match(e.Pattern, id) })
}

// finding returns the entry about a finding, or nil.
func (k *known) finding(id string) *report.Known {
	return k.first(func(e *requirement.KnownFailure) bool { return e.Finding != "" && e.Finding == id })
}

func (k *known) first(about func(*requirement.KnownFailure) bool) *report.Known {
	i := slices.IndexFunc(k.entries, func(e requirement.KnownFailure) bool { return about(&e) })
	if i < 0 {
		return nil
	}
	e := &k.entries[i]
	return &report.Known{Line: e.Line, Reason: e.Reason, Link: e.Link, Expires: day(e.Expires)}
}

// expects reports whether a failure is expected. That others show the same fault is not known yet.
func (k *known) expects(r report.Result) bool {
	list := []report.Result{r}
	k.mark(list)
	return list[0].Known != nil
}

// mark tells the known failures among results, and what they hide.
func (k *known) mark(results []report.Result) {
	if k.file == nil {
		return
	}
	for i := range results {
		if x := &results[i]; x.Verdict == report.Fail {
			x.Known = k.entry(x.Requirement)
		}
	}
	report.Accept(results, k.finding)
	of := map[string]*report.Known{}
	for i := range results {
		of[results[i].Requirement] = results[i].Known
	}
	for i := range results {
		if by, hidden := results[i].SuppressedBy(); hidden {
			results[i].Known = cmp.Or(of[by], k.entry(by))
		}
	}
}

// check tells the entries that no longer hold.
func (k *known) check(r *report.Report, all []*requirement.Requirement) {
	if k.file == nil {
		return
	}
	for i := range k.entries {
		e := &k.entries[i]
		if why, do := k.outOfDate(e, r, all); why != "" {
			k.file.OutOfDate = append(k.file.OutOfDate, report.OutOfDateEntry{Line: e.Line, Requirement: cmp.Or(e.Pattern, e.Finding), Why: why, Do: do})
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
	if e.Finding != "" {
		return k.findingOutOfDate(e, r)
	}
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
	switch {
	case len(passed) > 0 && others == 0:
		return several(passed, " passes now", " pass now"), "delete this entry"
	case len(passed) > 0:
		return "also matches " + several(passed, ", which passes", ", which pass"), "name only what fails"
	case k.expired(e):
		return expiredOn(e)
	}
	return "", ""
}

// findingOutOfDate is outOfDate of an entry about a finding. That no failure shows the fault says
// something only if every requirement was decided.
func (k *known) findingOutOfDate(e *requirement.KnownFailure, r *report.Report) (why, do string) {
	shown, undecided := false, r.Header.Partial()
	for i := range r.Results {
		x := &r.Results[i]
		shown = shown || slices.ContainsFunc(x.Failures, func(f report.Failure) bool { return f.Known != nil && f.Known.Line == e.Line })
		undecided = undecided || x.Known == nil && (x.Verdict == report.Inconclusive || x.Verdict == report.Error || x.Cases.NotTried > 0)
	}
	switch {
	case !shown && !undecided:
		return "is no finding now", "delete this entry"
	case k.expired(e):
		return expiredOn(e)
	}
	return "", ""
}

func (k *known) expired(e *requirement.KnownFailure) bool {
	return k.today != "" && day(e.Expires) != "" && day(e.Expires) < k.today
}

func expiredOn(e *requirement.KnownFailure) (why, do string) {
	return "expired on " + day(e.Expires), "fix the server and delete this entry, or give a later date"
}

// several names the first of some requirements and says what they do.
func several(ids []string, one, more string) string {
	if len(ids) == 1 {
		return ids[0] + one
	}
	return fmt.Sprintf("%s and %d more%s", ids[0], len(ids)-1, more)
}
