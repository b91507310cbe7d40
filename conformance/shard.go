package conformance

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/secondopinion"
	"plantstore/conformance/report"
)

// takeShard keeps the cases of the shard that is to be tried.
func (s *setup) takeShard() (err error) {
	c := s.config
	switch {
	case c.Shard == 0 && c.Shards == 0:
		return nil
	case c.Shard < 1 || c.Shard > c.Shards:
		return fmt.Errorf("shard %d of %d does not exist: shards are counted from 1", c.Shard, c.Shards)
	}
	s.whole = s.cases
	s.cases, err = plan.Shard(s.whole, c.Shard, c.Shards)
	return err
}

// shard says which part of the plan is tried; nil for the whole plan.
func (s *setup) shard() *report.Shard {
	if s.whole == nil {
		return nil
	}
	return &report.Shard{Number: s.config.Shard, Of: s.config.Shards, Plan: s.planDigest(), Cases: len(s.whole)}
}

// planDigest is a digest of all that shards of one plan have in common: its cases, and
// the requirements by which they are judged.
func (s *setup) planDigest() string {
	whole := s.whole
	if whole == nil {
		whole = s.cases
	}
	h := sha256.New()
	write := func(texts ...string) {
		for _, t := range texts {
			_, _ = fmt.Fprintf(h, "%d %s\n", len(t), t) // a hash takes everything
		}
	}
	write(Tool, s.contract.Digest, fmt.Sprint(s.config.Seed))
	for _, c := range whole {
		write(c.ID)
	}
	for _, r := range s.set.List {
		if s.isSelected(r.ID) {
			write(r.ID, string(r.Level), r.Sentence)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// elsewhere finds which requirements the other shards try; nil for the whole plan.
func (s *setup) elsewhere() *diagnose.Shard {
	if s.whole == nil {
		return nil
	}
	out := &diagnose.Shard{Elsewhere: make([]bool, len(s.judge.Bound)), At: map[*plan.Case]int{}, Ways: map[int][]report.PartFailure{}}
	mine := map[*plan.Case]bool{}
	for _, c := range s.cases {
		mine[c] = true
	}
	s.cover(s.whole)
	s.judge.Examine()
	for i, c := range s.whole {
		out.At[c] = i
		if !mine[c] {
			s.judge.Covers(c).Each(func(at int) { out.Elsewhere[at] = true })
		}
	}
	return out
}

// part adds what Merge needs to the report of a shard.
func (s *setup) part(r *report.Report, shard *diagnose.Shard, check *secondopinion.Check, preflight int) {
	if shard != nil {
		r.Part = &report.Part{Preflight: preflight, Requirements: shard.Parts, Agreed: report.Bytes{Data: check.Agreed}}
		for _, d := range check.Disagreed {
			r.Part.Disagreed = append(r.Part.Disagreed, report.Bytes{Data: d})
		}
	}
}

// pending tells of failures that may count in the whole plan what a reader of the merged
// report asks of any failure. Their numbers come after those that count here: the times of
// their steps go by them.
func (s *setup) pending(results []report.Result, shard *diagnose.Shard) {
	if shard == nil {
		return
	}
	n := 0
	for _, x := range results {
		n += len(x.Failures)
	}
	for i := range shard.Parts {
		p := &shard.Parts[i]
		if len(p.Pending) == 0 {
			continue
		}
		p.Place, p.Fix = s.placeOf(p.Requirement), s.remedyOf(p.Requirement)
		for k := range p.Pending {
			if p.Pending[k].N == 0 {
				n++
				p.Pending[k].N = n
			}
		}
	}
}

// reasonsOfShard keeps those reasons why a shard is incomplete that do not come from its
// results: a merge finds the others anew, in the results of all shards.
func reasonsOfShard(r *report.Report, reasons []string) {
	if r.Part == nil {
		return
	}
	fromResults := diagnose.Unsettled(r.Results, nil)
	r.Part.Reasons = slices.DeleteFunc(slices.Clone(reasons), func(reason string) bool { return slices.Contains(fromResults, reason) })
}

// openings leaves the exchanges of the pre-flight to the shard that has the case to which
// a run of the whole plan adds them. If no baseline request was accepted, each shard says so.
func (s *setup) openings(t *explore.Target, settled bool) {
	if s.whole == nil || !settled {
		return
	}
	t.Openings = slices.DeleteFunc(t.Openings, func(o explore.Opening) bool {
		i := slices.IndexFunc(s.whole, func(c *plan.Case) bool { return execute.Opens(c, o) })
		return i >= 0 && !slices.Contains(s.cases, s.whole[i])
	})
}

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
