package proof

import (
	"slices"
	"sort"

	"plantstore/conformance/report"
)

// Summary is what the table says altogether.
type Summary struct {
	Faults        int      `json:"faults"`
	Killed        int      `json:"killed"`
	Variants      int      `json:"variants"`
	Alarms        int      `json:"alarms"`
	Hostile       int      `json:"hostile"`
	Unclear       int      `json:"unclear"`
	Unkilled      []string `json:"requirements_without_fault"`
	Strays        []string `json:"stray_faults"`
	MedianTripped int      `json:"median_tripped"`
	MostTripped   int      `json:"most_tripped"`
	Runs          int      `json:"runs"`
	Requests      int      `json:"requests"`
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
	var tripped []int
	for i := range rows {
		r := &rows[i]
		s.Requests += r.Requests
		s.Runs += r.Seeds
		switch r.Kind {
		case Fault:
			s.Faults++
			if r.Killed() && r.Err == nil {
				s.Killed++
				killed[r.Breaks] = true
			}
			if len(r.Unrelated()) > 0 {
				s.Strays = append(s.Strays, r.Name)
			}
			tripped = append(tripped, len(r.Tripped))
			s.MostTripped = max(s.MostTripped, len(r.Tripped))
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
	if len(tripped) > 0 {
		sort.Ints(tripped)
		s.MedianTripped = tripped[len(tripped)/2]
	}
	if all != nil {
		for _, e := range all.Requirements {
			if (e.Level == report.Must || e.Level == report.Should) && !killed[e.Requirement] {
				s.Unkilled = append(s.Unkilled, e.Requirement)
			}
		}
	}
	return s
}
