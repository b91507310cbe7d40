package proof

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

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
