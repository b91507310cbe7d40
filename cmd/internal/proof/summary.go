package proof

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// Summary is what the table says altogether.
type Summary struct {
	Faults int `json:"faults"`
	Killed int `json:"killed"`
	// Elsewhere counts faults that failed only other MUSTs than the one they name.
	Elsewhere int `json:"elsewhere"`
	// Bare counts the faults that are found without the lines of the requirements file, and Suspected
	// those that are only suspected then. Both are zero if the service has no such lines.
	Bare      int `json:"found_without_lines,omitzero"`
	Suspected int `json:"suspected_without_lines,omitzero"`
	Variants  int `json:"variants"`
	Alarms    int `json:"alarms"`
	Hostile   int `json:"hostile"`
	Unclear   int `json:"unclear"`
	// Unkilled is nil if nobody asked which requirements lack a fault.
	Unkilled      []string `json:"requirements_without_fault"`
	Strays        []string `json:"stray_faults"`
	MedianTripped int      `json:"median_tripped"`
	MaxTripped    int      `json:"most_tripped"`
	// MedianFindings and MostFindings are of the faults that fail a MUST.
	MedianFindings int `json:"median_findings"`
	MostFindings   int `json:"most_findings"`
	Runs           int `json:"runs"`
	Requests       int `json:"requests"`
	// MedianRequests and MaxRequests are of a run against a fault or a variant.
	MedianRequests int `json:"median_requests"`
	MaxRequests    int `json:"most_requests"`
	// Ablation is nil if nobody asked.
	Ablation *Ablation `json:"ablation,omitempty"`
}

// Good reports whether everything is as it should be.
func (s *Summary) Good() bool {
	return s.Killed == s.Faults && s.Alarms == 0 && s.Unclear == 0 && len(s.Unkilled) == 0 && len(s.Strays) == 0
}

// Summarise counts the rows. The requirements are those of the listing, of which
// each MUST and SHOULD needs a fault or a variant that it kills; nil leaves that
// question out, as a selection of rows must.
func Summarise(rows []Row, all *report.Listing) Summary {
	var s Summary
	killed := map[string]bool{}
	var tripped, findings, requests []int
	for i := range rows {
		r := &rows[i]
		s.Requests += r.Requests
		s.Runs += r.Seeds
		if r.Kind != Hostile && r.Seeds > 0 {
			requests = append(requests, r.Requests/r.Seeds)
		}
		switch r.Kind {
		case Fault:
			s.Faults++
			if r.Killed() && r.Err == nil {
				s.Killed++
				killed[r.Breaks] = true
			}
			switch r.Bare {
			case Found:
				s.Bare++
			case Suspect:
				s.Suspected++
			}
			if r.elsewhere() {
				s.Elsewhere++
			}
			if len(r.Unrelated()) > 0 {
				s.Strays = append(s.Strays, r.Name)
			}
			tripped = append(tripped, len(r.Tripped))
			if len(r.Findings) > 0 {
				findings = append(findings, len(r.Findings))
			}
			for _, id := range r.Also {
				killed[id] = killed[id] || slices.Contains(r.Tripped, id) || slices.Contains(r.Warned, id)
			}
		case Variant:
			s.Variants++
			if !r.Good() {
				s.Alarms++
			}
			for _, id := range r.Warned {
				killed[id] = true
			}
		case Hostile:
			s.Hostile++
			if !r.Good() {
				s.Unclear++
			}
		}
	}
	s.MedianTripped, s.MaxTripped = medianAndMax(tripped)
	s.MedianFindings, s.MostFindings = medianAndMax(findings)
	s.MedianRequests, s.MaxRequests = medianAndMax(requests)
	if all != nil {
		s.Unkilled = []string{}
		for _, e := range all.Requirements {
			if (e.Level == report.Must || e.Level == report.Should) && !killed[e.Requirement] {
				s.Unkilled = append(s.Unkilled, e.Requirement)
			}
		}
	}
	return s
}

// medianAndMax are 0 without numbers.
func medianAndMax(numbers []int) (median, maximum int) {
	if len(numbers) == 0 {
		return 0, 0
	}
	slices.Sort(numbers)
	return numbers[len(numbers)/2], numbers[len(numbers)-1]
}

// Finder is a mutator or a rule, and what it finds.
type Finder struct {
	Name string `json:"name"`
	// Found are the faults that it finds.
	Found int `json:"found"`
	// Alone are the faults that nothing else of its kind finds.
	Alone []string `json:"alone,omitempty"`
}

// Ablation says what would go unseen without a mutator or a rule.
type Ablation struct {
	Mutators []Finder `json:"mutators"`
	Rules    []Finder `json:"rules"`
}

// Ablate counts, over all faults of a service, what found them. The mutators and rules of the
// listing that found nothing are in the table too.
func Ablate(rows []Row, all *report.Listing) *Ablation {
	var mutators, rules []string
	for _, m := range all.Mutators {
		mutators = append(mutators, m.Name)
	}
	for _, r := range all.Requirements {
		rules = append(rules, r.Rule)
	}
	return &Ablation{
		Mutators: finders(rows, mutators, func(r *Row) []string { return r.Mutators }),
		Rules:    finders(rows, rules, func(r *Row) []string { return r.Rules }),
	}
}

// finders sorts those that find most alone first.
func finders(rows []Row, listed []string, by func(*Row) []string) []Finder {
	of := map[string]*Finder{}
	for _, name := range listed {
		of[name] = &Finder{Name: name}
	}
	for i := range rows {
		r := &rows[i]
		if r.Kind != Fault || r.Err != nil {
			continue
		}
		for _, name := range by(r) {
			f := of[name]
			if f == nil {
				f = &Finder{Name: name}
				of[name] = f
			}
			f.Found++
			if len(by(r)) == 1 {
				f.Alone = append(f.Alone, r.Name)
			}
		}
	}
	var out []Finder
	for _, name := range slices.Sorted(maps.Keys(of)) {
		out = append(out, *of[name])
	}
	slices.SortStableFunc(out, func(a, b Finder) int {
		if len(a.Alone) != len(b.Alone) {
			return len(b.Alone) - len(a.Alone)
		}
		return b.Found - a.Found
	})
	return out
}

// foundBy notes which mutators made the cases that failed, and by which rules.
func (r *Row) foundBy(rep *report.Report) {
	mutators, rules := map[string]bool{}, map[string]bool{}
	for _, x := range rep.Results {
		if x.Verdict != report.Fail || x.Level != report.Must && x.Level != report.Should {
			continue
		}
		for _, f := range x.Failures {
			rules[f.Flaw.Rule] = true
			for _, c := range f.Classes {
				// A class is operation/family/mutator/...
				if parts := strings.Split(c.Class, "/"); len(parts) > 2 {
					mutators[parts[2]] = true
				}
			}
		}
	}
	r.Mutators, r.Rules = slices.Sorted(maps.Keys(mutators)), slices.Sorted(maps.Keys(rules))
}

// write prints what finds faults alone as a table, and all others in a sentence.
func (a *Ablation) write(w io.Writer) {
	fmt.Fprintf(w, "\n## What finds them\n")
	for _, part := range []struct {
		kind string
		list []Finder
	}{{"mutator", a.Mutators}, {"rule", a.Rules}} {
		fmt.Fprintf(w, "\n| %s | faults that it finds | alone |\n|---|---|---|\n", part.kind)
		var beside, nothing []string
		for _, f := range part.list {
			switch {
			case len(f.Alone) > 0:
				fmt.Fprintf(w, "| %s | %d | %d: %s |\n", f.Name, f.Found, len(f.Alone), strings.Join(f.Alone[:min(3, len(f.Alone))], ", "))
			case f.Found > 0:
				beside = append(beside, fmt.Sprintf("%s (%d)", f.Name, f.Found))
			default:
				nothing = append(nothing, f.Name)
			}
		}
		fmt.Fprintf(w, "\nFound by others too: %s.\n\nNothing of this service: %s.\n", list(beside), list(nothing))
	}
}
