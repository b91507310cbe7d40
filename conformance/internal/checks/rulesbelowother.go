package checks

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/rule"
)

// belowOther: a thing is found only below the one that it was made below.
var belowOther = rule.Rule{
	Name:        "below-other",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "A thing that a POST made below one thing is not shown by an answer that reads it below another one. A success without any text that the thing was made with is about another thing of the same key, and is not judged, unless no other thing has such a key and the answer is the one that the thing has where it is.",
	Explanation: "A resource that was created below another one (POST /parents/1/things) is not found below a second one (GET /parents/2/things/7). Resources that can be created or put elsewhere too are not judged.",
	Fix:         "Look for the resource by all keys of the path, not by the last one alone.",
	Check: func(p *rule.Input) rule.Outcome {
		e := elsewhere(p, p.Op, p.Sent)
		switch {
		case e == nil:
			return rule.None
		case p.Got.Refusal():
			return rule.Passed
		case !p.Got.Success():
			return rule.None
		case !tells(p, p.Got.Reading.Root()) && !again(p, e):
			return rule.None
		}
		return verdictOf(false, p, "no success, because it was made below another one")
	},
}

// again reports whether an answer is the one that an earlier request got, about a thing whose
// key is no number that is counted for each of those above it.
func again(p *rule.Input, e *rule.Earlier) bool {
	key, is := keySent(p.Op, p.Sent), p.Got.Reading.Root()
	if key == nil || is == nil || is.Kind != jsontree.Object || len(key.Text) < leastKey || !strings.ContainsAny(key.Text, "0123456789") || jsontree.ValidNumber(key.Text) {
		return false
	}
	for _, m := range is.Members {
		if m.Value.Kind == jsontree.String && m.Value.Text == key.Text {
			return jsontree.Equal(is, answerOf(e))
		}
	}
	return false
}

// leastKey is the length of a key that servers draw.
const leastKey = 16
