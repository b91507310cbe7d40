package causes

import (
	"fmt"

	"plantstore/conformance/internal/cause"
	"plantstore/conformance/internal/limits"
	"plantstore/conformance/internal/plan"
)

var sinceThen = cause.Hypothesis{
	Name:    "since-then",
	Doc:     "Compares when cases of one kind passed and failed: if all passed first and all failed since, something is used up, and the request fails alone, too. Their order is random, so that is no chance.",
	Settled: true,
	Find: func(l *cause.Lab) *cause.Cause {
		from, ok := turned(l.History())
		such := "such requests"
		if !ok && !l.AboutCredential() && l.Case.Class.Expected != plan.ExpectMustAccept {
			// Credentials are tried last. What they break for good shows best in what was
			// sent all the time.
			from, ok = turned(l.HistoryOf(plan.ExpectMustAccept))
			such = "valid requests"
		}
		if !ok || !l.Alone().Always(limits.CauseAlone) {
			return nil
		}
		return &cause.Cause{Past: true, Since: from.Sent, Sentence: fmt.Sprintf("%s passed before, and all fail since about request %d of the run, of which about %d were refused", such, from.Sent, from.Refused)}
	},
}

// turned returns when the first case failed, if enough passed before and none since.
func turned(h cause.History) (from cause.When, ok bool) {
	if few, many := min(len(h.Failed), len(h.Passed)), max(len(h.Failed), len(h.Passed)); few < 2 || few < least && many < manyMore {
		return from, false
	}
	from = cause.First(h.Failed)
	return from, len(h.Passed) > 0 && cause.Last(h.Passed).Sent <= from.Sent+beside
}
