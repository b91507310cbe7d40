package causes

import (
	"fmt"
)

var nowAndThen = Hypothesis{
	Name: "now-and-then",
	Doc:  "Counts how often the request fails if it is sent again and again. It comes last: there may be a rule that no experiment found.",
	Find: func(l *Lab) *Cause {
		rows := l.Rows()
		failed := len(rows.Failed())
		if failed < 2 || failed == len(rows.List) {
			return nil
		}
		return &Cause{Sentence: fmt.Sprintf("%d of %d such requests failed, each sent by itself, at no regular distance", failed, len(rows.List))}
	},
}
