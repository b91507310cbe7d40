package conformance

import (
	"strings"

	"plantstore/conformance/report"
)

// hide removes secrets from the sentences that can contain text of the target.
func (s *setup) hide(r *report.Report, reasons []string) {
	for i := range r.Facts {
		r.Facts[i].Value = s.hidden(r.Facts[i].Value)
	}
	for i := range r.Reach.Ways {
		r.Reach.Ways[i] = s.hidden(r.Reach.Ways[i])
	}
	for i := range r.Results {
		r.Results[i].Reason = s.hidden(r.Results[i].Reason)
	}
	if r.Part != nil {
		for i := range r.Part.Requirements {
			x := &r.Part.Requirements[i]
			x.Reason, x.Why, x.Unknown = s.hidden(x.Reason), s.hidden(x.Why), s.hidden(x.Unknown)
		}
	}
	for i := range reasons {
		reasons[i] = s.hidden(reasons[i])
	}
}

// hidden removes secrets from a sentence. Ids of requirements and names of operations
// stay: they are the document's, and some contain a word of a secret.
func (s *setup) hidden(sentence string) string {
	if whole := s.redactor.Text(sentence); whole == sentence {
		return whole
	}
	names := map[string]bool{}
	for _, r := range s.set.List {
		names[r.ID], names[r.Op.Name()] = true, true
	}
	var out, between []string
	end := func() {
		if len(between) > 0 {
			out = append(out, s.redactor.Text(strings.Join(between, " ")))
		}
		between = nil
	}
	for word := range strings.SplitSeq(sentence, " ") {
		if !names[strings.TrimRight(word, ",:;")] {
			between = append(between, word)
			continue
		}
		end()
		out = append(out, word)
	}
	end()
	return strings.Join(out, " ")
}
