package checks

import (
	"plantstore/conformance/internal/rule"
)

// unobservable: an open point that no request of this suite can test.
var unobservable = rule.Rule{
	Name:        "unobservable",
	Rank:        rule.Observed,
	Doc:         "Nothing is judged, and no request can test it. It is listed so that the gap is visible.",
	Explanation: "Nothing is judged, and no request can show it. It is listed so that the gap is visible.",
	Check:       func(*rule.Input) rule.Outcome { return rule.None },
}
