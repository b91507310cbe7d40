package causes

import (
	"fmt"

	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

var sinceThen = Hypothesis{
	Name:    "since-then",
	Doc:     "Compares when cases of one kind passed and failed: if all passed first and all failed since, something is used up, and the request fails alone, too. Their order is random, so that is no chance. What passed before is sent again, and has to fail now: else the failed ones have something else in common.",
	Settled: true,
	Find: func(l *Lab) *Cause {
		from, ok := turned(l.History())
		kind := l.Case.Class.Expected
		such := "such requests"
		if !ok && !l.AboutCredential() && l.Case.Class.Expected != plan.ExpectMustAccept {
			// Credentials are tried last. What they break for good shows best in what was
			// sent all the time.
			kind = plan.ExpectMustAccept
			from, ok = turned(l.HistoryOf(kind))
			such = "valid requests"
		}
		if !ok || !l.Alone().Always(limits.CauseAlone) || passesStill(l, kind) {
			return nil
		}
		return &Cause{Past: true, Since: from.Sent, Sentence: fmt.Sprintf("%s passed before, and all fail since about request %d of the run, of which about %d were refused", such, from.Sent, from.Refused)}
	},
}

// passesStill reports whether a case of a kind that passed before passes when it is sent again.
func passesStill(l *Lab, kind plan.ExpectedClass) bool {
	again := 0
	for _, c := range l.Earlier() {
		if c.Class.Expected != kind || c.Steps() > 1 {
			continue
		}
		sent, failed, ok := l.Resend(c)
		if again++; ok && sent > 0 && failed == 0 {
			return true
		}
		if again == limits.CauseAlone {
			break
		}
	}
	return false
}

// turned returns when the first case failed, if enough passed before and none since.
func turned(h History) (from When, ok bool) {
	if few, many := min(len(h.Failed), len(h.Passed)), max(len(h.Failed), len(h.Passed)); few < 2 || few < least && many < manyMore {
		return from, false
	}
	from = First(h.Failed)
	return from, len(h.Passed) > 0 && Last(h.Passed).Sent <= from.Sent+beside
}
