package causes

import (
	"fmt"

	"plantstore/internal/limits"
)

var passedEarlier = Hypothesis{
	Name:    "passed-earlier",
	Doc:     "Sends cases again that passed before the first failure: if they fail now, the target has changed, and the failure needs what came before.",
	Settled: true,
	Find: func(l *Lab) *Cause {
		cases := l.Earlier()
		if len(cases) == 0 || !l.Alone().Always(limits.CauseAlone) {
			return nil
		}
		changed, requests, sent := 0, 0, 0
		for _, c := range cases {
			if sent > limits.CauseEarlier || sent > limits.CauseEarlier/4 && changed == 0 {
				break
			}
			n, failed, ok := l.Resend(c)
			if !ok {
				return nil
			}
			if sent += n; failed > 0 {
				changed++
				requests += failed
			}
		}
		if changed < enough {
			return nil
		}
		if sent <= limits.CauseEarlier {
			return &Cause{Past: true, Sentence: fmt.Sprintf("passed about %d times at first and fails from then on: what passed before fails if it is sent again", requests)}
		}
		from := First(l.History().Failed)
		return &Cause{Past: true, Since: from.Sent, Sentence: fmt.Sprintf("fails since about request %d of the run, of which about %d were refused: cases that passed before fail if they are sent again", from.Sent, from.Refused)}
	},
}
