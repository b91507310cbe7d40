package rules

import (
	"plantstore/conformance/internal/rule"
)

// unobservable: an open point that no request of this suite can show.
var unobservable = rule.Rule{
	Name:        "unobservable",
	Rank:        rule.Observed,
	Doc:         "Nothing is judged and no request can show it; it is listed so that the gap is seen.",
	Explanation: "Nothing is judged, and no request can show it. It is listed so that the gap is visible.",
	Check:       func(*rule.Input) rule.Outcome { return rule.None },
}
