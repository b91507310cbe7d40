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
	r.Reach.Ended = s.hidden(r.Reach.Ended)
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

// hidden removes secrets from a sentence. Ids of requirements, places to give a value for,
// and names of operations as they are or at the beginning of the id of a case, stay: they
// are the document's, and some contain a word of a secret.
func (s *setup) hidden(sentence string) string {
	if whole := s.redactor.Text(sentence); whole == sentence {
		return whole
	}
	names := map[string]bool{}
	for _, r := range s.set.List {
		names[r.ID], names[r.Op.Name()], names[r.Op.Slug] = true, true, true
		for _, path := range r.Op.Bind {
			names[r.Op.Slug+":"+path] = true
		}
	}
	var out strings.Builder
	from := 0 // what is behind it was not written yet
	for at := 0; at < len(sentence); {
		n := strings.IndexByte(sentence[at:], '=')
		if n < 0 || !names[sentence[at:at+n]] {
			n = strings.IndexAny(sentence[at:]+" ", nameEnds)
		}
		if names[sentence[at:at+n]] {
			out.WriteString(s.redactor.Text(sentence[from:at]))
			out.WriteString(sentence[at : at+n])
			from = at + n
		}
		// On to the next word: behind a slash or colon no name begins.
		if n = strings.IndexAny(sentence[at:], wordEnds); n < 0 {
			break
		}
		at += n + 1
	}
	out.WriteString(s.redactor.Text(sentence[from:]))
	return out.String()
}

const (
	nameEnds = " ,:;/'"
	wordEnds = " '"
)
