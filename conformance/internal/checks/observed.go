package checks

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// observe: an open point is counted and not judged.
var observe = requirement.Rule{
	Name:        "observe",
	Rank:        requirement.Observed,
	Category:    report.Protocol,
	Means:       "what was seen is not judged",
	Doc:         "Nothing is judged: what the target does in the classes of Classes is counted and reported. Kind headers lists the fields of the answers instead, members the members of a success; To adds the value at a place of the answer.",
	Explanation: "Nothing is judged. The suite counts what the server does and reports it.",
	Check: func(p *requirement.Input) requirement.Outcome {
		for _, c := range p.Requirement.Args.Classes {
			if plan.Match(c, p.Class) {
				return requirement.Outcome{Verdict: report.Pass, Got: observation(p)}
			}
		}
		return requirement.None
	},
}

// observation describes what the target does at an open point.
func observation(p *requirement.Input) string {
	a := p.Requirement.Args
	switch {
	case a.Kind == "headers" && p.Exchange.Response != nil:
		var names []string
		for _, f := range p.Exchange.Response.Fields {
			names = append(names, strings.ToLower(f.Name))
		}
		slices.Sort(names)
		return strings.Join(slices.Compact(names), " ")
	case a.Kind == "members" && p.Got.Success() && p.Got.Reading.Root() != nil:
		var names []string
		for _, m := range p.Got.Reading.Root().Members {
			names = append(names, m.Name)
		}
		slices.Sort(names)
		return describe(p) + " with " + strings.Join(names, ", ")
	case a.To != "" && p.Got != nil && p.Got.Reading.Root().At(a.To) != nil:
		return describe(p) + ", " + a.To + " " + p.Shorten(p.Got.Reading.Root().At(a.To).String(), 40)
	}
	return describe(p)
}

// unobservable: an open point that no request of this suite can test.
var unobservable = requirement.Rule{
	Name:        "unobservable",
	Rank:        requirement.Observed,
	Category:    report.Protocol,
	Means:       "what no request can show is not judged",
	Doc:         "Nothing is judged, and no request can test it. It is listed so that the gap is visible.",
	Explanation: "Nothing is judged, and no request can show it. It is listed so that the gap is visible.",
	Check:       func(*requirement.Input) requirement.Outcome { return requirement.None },
}
