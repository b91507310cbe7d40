package causes

import (
	"fmt"

	"plantstore/conformance/internal/cause"
)

var everyNth = cause.Hypothesis{
	Name: "every-nth",
	Doc:  "Sends the request hundreds of times and compares the distances between failures, because one instance of many can be at fault.",
	Find: func(l *cause.Lab) *cause.Cause {
		at := l.Rows().Failed()
		if len(at) < 3 || at[1]-at[0] < 2 {
			return nil
		}
		n := at[1] - at[0]
		for i := range at[1:] {
			if at[i+1]-at[i] != n {
				return nil
			}
		}
		return &cause.Cause{Sentence: fmt.Sprintf("every %s such request fails, on whatever connection", ordinal(n))}
	},
}
