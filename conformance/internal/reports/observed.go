package reports

import (
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// observed tells the open points where the target answers in another way. The counts are
// no change: a busy machine needs some retries. Only kinds of request that both runs
// tried are compared.
func observed(old, now *report.Report) []report.ObservedChange {
	out := []report.ObservedChange{}
	was := map[string]*report.Observe{}
	for i := range old.Observed {
		was[old.Observed[i].Requirement] = &old.Observed[i]
	}
	for i := range now.Observed {
		is := &now.Observed[i]
		if o := was[is.Requirement]; o != nil {
			if list := answers(o, is); len(list) > 0 {
				out = append(out, report.ObservedChange{Requirement: is.Requirement, Sentence: is.Sentence, Changes: list})
			}
		}
	}
	return out
}

// answers lists the answers that changed, those of several kinds together.
func answers(old, now *report.Observe) []report.AnswerChange {
	was, _ := byKind(old)
	is, kinds := byKind(now)
	var out []report.AnswerChange
	at := map[string]int{}
	for _, kind := range kinds {
		if was[kind] == nil || slices.Equal(was[kind], is[kind]) {
			continue
		}
		key := strings.Join(was[kind], "\n") + "\n\n" + strings.Join(is[kind], "\n")
		i, found := at[key]
		if !found {
			i, at[key] = len(out), len(out)
			out = append(out, report.AnswerChange{Was: was[kind], Is: is[kind]})
		}
		if kind != "" {
			out[i].Kinds = append(out[i].Kinds, kind)
		}
	}
	return out
}

// byKind lists the answers to each kind of request, in order, and the kinds.
func byKind(o *report.Observe) (answers map[string][]string, kinds []string) {
	answers = map[string][]string{}
	for _, s := range o.Seen {
		of := s.Kinds
		if len(of) == 0 {
			of = []string{""}
		}
		for _, kind := range of {
			if !slices.Contains(answers[kind], s.What) {
				answers[kind] = append(answers[kind], s.What)
			}
		}
	}
	for kind := range answers {
		slices.Sort(answers[kind])
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	return answers, kinds
}
