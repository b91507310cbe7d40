// Package coverage measures, for each schema keyword of OpenAPI 3.0 and 3.1,
// what the plan holds on both sides of it: bodies that keep the keyword and
// bodies that break it and nothing else. A probe is a tiny document with one
// operation; it is planned like any other document, and the bytes of every case
// are read again by the exact judge, with the keyword and without it. What the
// catalogue says in words rests on the classes that it names.
package mutate

import (
	"fmt"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// Side is where a body stands, seen from a keyword.
type Side uint8

// The sides.
const (
	Neither Side = iota // breaks something else, or shows nothing of the keyword
	Valid               // keeps it
	Invalid             // breaks it, and would be valid without it
)

// Seed and Draws are those of a default run.
const (
	seed  = 1
	draws = 100
)

// Measure plans the probes of every keyword with the catalogue and counts.
func MeasureCoverage(list []Keyword, catalogue []plan.Mutator) (*report.Coverage, error) {
	out := &report.Coverage{Version: report.Version}
	for _, k := range list {
		for _, dialect := range k.Dialects {
			p, err := Open(k, dialect, catalogue)
			if err != nil {
				return nil, err
			}
			row := p.row()
			if n := len(out.Keywords); n > 0 && joinsCoverage(out.Keywords[n-1], row) {
				out.Keywords[n-1].Dialects = append(out.Keywords[n-1].Dialects, dialect)
				continue
			}
			out.Keywords = append(out.Keywords, row)
		}
	}
	return out, nil
}

// joins reports whether two dialects of a keyword are one row.
func joinsCoverage(a, b report.KeywordCoverage) bool {
	return a.Keyword == b.Keyword && a.Valid == b.Valid && a.Invalid == b.Invalid
}

// row says what was found; words without cases, and cases without words, are
// never shown.
func (p *Probe) row() report.KeywordCoverage {
	k := p.Keyword
	return report.KeywordCoverage{Keyword: k.Name, Dialects: []string{p.Dialect}, Why: k.Why,
		Valid:   report.SideCoverage{Cases: len(p.cases[Valid]), What: k.Valid.words(len(p.cases[Valid]))},
		Invalid: report.SideCoverage{Cases: len(p.cases[Invalid]), What: k.Invalid.words(len(p.cases[Invalid]))}}
}

func (w Words) words(cases int) string {
	if cases == 0 {
		return ""
	}
	return w.What
}

// Check refuses a catalogue whose words the plan does not bear out.
func (p *Probe) Check() error {
	k := p.Keyword
	for _, s := range []struct {
		side  Side
		name  string
		words Words
	}{{Valid, "valid", k.Valid}, {Invalid, "invalid", k.Invalid}} {
		side, name, words := s.side, s.name, s.words
		switch n := len(p.cases[side]); {
		case n == 0 && words.What != "":
			return fmt.Errorf("%s in %s has words and no case on the %s side: plan one or say why not", k.Name, p.Dialect, name)
		case n == 0 && k.Why == "":
			return fmt.Errorf("%s in %s has no case on the %s side: plan one or say why not", k.Name, p.Dialect, name)
		case n > 0 && (words.What == "" || len(words.Kinds) == 0):
			return fmt.Errorf("%s in %s has %d cases and no words on the %s side: say what is planned", k.Name, p.Dialect, n, name)
		}
		for _, kind := range words.Kinds {
			if p.kinds(side)[kind] == 0 {
				return fmt.Errorf("%s in %s: no class %s on the %s side: the words are out of date", k.Name, p.Dialect, kind, name)
			}
		}
	}
	if len(p.cases[Valid]) > 0 && len(p.cases[Invalid]) > 0 && k.Why != "" {
		return fmt.Errorf("%s in %s has both sides and a reason why not: drop the reason", k.Name, p.Dialect)
	}
	return nil
}

// kinds counts the cases of a side by the kind of their class.
func (p *Probe) kinds(side Side) map[string]int {
	out := map[string]int{}
	for _, c := range p.cases[side] {
		out[c.Class.Kind]++
	}
	return out
}
