package causes

import (
	"fmt"

	"plantstore/internal/limits"
)

var everyNth = Hypothesis{
	Name: "every-nth",
	Doc:  "Sends the request hundreds of times and compares the distances between failures, because one instance of many can be at fault.",
	Find: func(l *Lab) *Cause {
		rows := l.Rows()
		n, regular := distance(rows.Failed())
		switch {
		case !regular || n < 2:
			return nil
		case !l.Dropped() && n < limits.CauseRow-1 && len(rows.On(1)) == 0 && len(rows.On(2)) == 0:
			return nil // only new connections fail
		}
		return &Cause{Sentence: fmt.Sprintf("every %s such request fails, on whatever connection", ordinal(n))}
	},
}
