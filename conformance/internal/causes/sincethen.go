package causes

import (
	"fmt"

	"plantstore/conformance/internal/cause"
)

var sinceThen = cause.Hypothesis{
	Name:    "since-then",
	Doc:     "Compares when cases of one kind passed and failed: if all passed first and all failed since, something is used up. Their order is random, so that is no chance.",
	Settled: true,
	Find: func(l *cause.Lab) *cause.Cause {
		h := l.History()
		if few, many := min(len(h.Failed), len(h.Passed)), max(len(h.Failed), len(h.Passed)); few < 2 || few < least && many < manyMore {
			return nil
		}
		from, to := cause.First(h.Failed), cause.Last(h.Passed)
		if to.Sent > from.Sent+beside {
			return nil
		}
		return &cause.Cause{Past: true, Sentence: fmt.Sprintf("such requests passed before, and all fail since about request %d of the run, of which about %d were refused", from.Sent, from.Refused)}
	},
}
