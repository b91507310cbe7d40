package reports

import (
	"cmp"
	"slices"

	"plantstore/conformance/report"
)

// second joins the second opinions. Shards may have had the same answers: each counts
// once.
func second(list []report.Named) *report.SecondOpinion {
	var out *report.SecondOpinion
	agreed := map[string]bool{}
	var differences []report.Difference
	var answers []map[string]bool
	for _, x := range list {
		s, part := x.Report.Second, x.Report.Part
		if s == nil {
			continue
		}
		if out == nil {
			out = &report.SecondOpinion{Reader: s.Reader}
		}
		add(agreed, part.Agreed.Data)
		out.NotAsked += s.NotAsked
		out.Reason = cmp.Or(out.Reason, s.Reason)
		for i, d := range s.Differences {
			k := slices.IndexFunc(differences, d.Same)
			if k < 0 {
				k = len(differences)
				differences, answers = append(differences, d), append(answers, map[string]bool{})
			} else if d.Case < differences[k].Case {
				differences[k] = d
			}
			if i < len(part.Disagreed) {
				add(answers[k], part.Disagreed[i].Data)
			}
		}
	}
	if out == nil {
		return nil
	}
	out.Agreed = len(agreed)
	for i := range differences {
		differences[i].Answers = len(answers[i])
		out.Disagreed += len(answers[i])
	}
	slices.SortStableFunc(differences, func(a, b report.Difference) int { return cmp.Compare(a.Case, b.Case) })
	out.Differences = differences
	return out
}

// add adds digests to a set.
func add(set map[string]bool, digests []byte) {
	for d := range slices.Chunk(digests, report.AnswerBytes) {
		set[string(d)] = true
	}
}
