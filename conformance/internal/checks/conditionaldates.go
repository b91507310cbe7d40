package checks

import (
	"net/http"
	"slices"
	"time"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

var dated = plan.Mutator{
	Name: "dated",
	Doc:  "Reads a thing with If-Modified-Since and the time of its last change, and with a time a day before, because a server may ignore the field or not compare the time.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read || !r.Dated() || s.Op.Lists(http.StatusNotModified) == nil {
			return
		}
		steps := func(g *plan.Gen, older bool) []plan.Step {
			return conditional(script(g, r.Make, s.Op, s.Op), plan.Condition{Field: "If-Modified-Since", Step: 1, Older: older})
		}
		add(about("unchanged", judges(notModifiedSince), 1, func(g *plan.Gen, _ int) []plan.Step { return steps(g, false) }),
			about("changed", judges(modifiedSince), 1, func(g *plan.Gen, _ int) []plan.Step { return steps(g, true) }))
	},
}

var staleDate = plan.Mutator{
	Name: "stale-date",
	Doc:  "Writes a thing with a time before its last change in If-Unmodified-Since, because a server may ignore the field and lose another write.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if writes(s.Op, r) && r.Dated() && resource.ChecksDates(s.Op) && s.Op.Lists(http.StatusPreconditionFailed) != nil {
			add(about("write", judges(unmodifiedSince), 1, func(g *plan.Gen, _ int) []plan.Step {
				return conditional(script(g, r.Make, r.Read, s.Op), plan.Condition{Field: "If-Unmodified-Since", Step: 1, Older: true})
			}))
		}
	},
}

// modifiedSince: what changed later is sent.
var modifiedSince = requirement.Rule{
	Name:        "modified-since",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a changed thing is answered with 304",
	Doc:         "A request with a time before the Last-Modified of the thing in If-Modified-Since is not answered with 304.",
	Explanation: "A read with If-Modified-Since and a time before the last change is not answered with 304 (Not Modified).",
	Fix:         "Compare If-Modified-Since with the time of the last change: that the field is there says nothing.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed := s.ReadLists(http.StatusNotModified)
		if listed == nil || !s.Resource.Dated() {
			return nil
		}
		return s.Row(report.Must, listed.Pointer, "RFC 9110, 13.1.3", "With a time before the last change in If-Modified-Since the answer is not 304.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		given, changed, ok := sinceOf(p, "If-Modified-Since")
		if !ok || !given.Before(changed) || !p.Got.Accepts() {
			return requirement.None
		}
		return verdictOf(p.Got.Status != http.StatusNotModified, p, "no 304, because the resource changed after that time")
	},
}

// notModifiedSince: what did not change is not sent again.
var notModifiedSince = requirement.Rule{
	Name:        "not-modified-since",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "If-Modified-Since of an unchanged thing is not answered with 304",
	Doc:         "A request with the Last-Modified of the thing in If-Modified-Since is answered with 304. An answer with another Last-Modified shows that the thing changed meanwhile.",
	Explanation: "A read with If-Modified-Since and the Last-Modified of the last response is answered with 304 (Not Modified). The read is repeated for as long as --settle says: within the second of a change a server may send the resource again.",
	Fix:         "Compare If-Modified-Since with the time of the last change, cut to the second, and answer 304 without a body if it is not later.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed := s.ReadLists(http.StatusNotModified)
		if listed == nil || !s.Resource.Dated() {
			return nil
		}
		return s.Row(report.Should, listed.Pointer, "RFC 9110, 13.1.3", "With the time of the last change in If-Modified-Since the answer is 304.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		given, changed, ok := sinceOf(p, "If-Modified-Since")
		switch {
		case !ok || given.Before(changed) || !p.Got.Accepts():
			return requirement.None
		case p.Got.Success() && p.Exchange.Response.Get("Last-Modified") != p.Last(http.MethodGet).Modified:
			return requirement.None
		}
		return verdictOf(p.Got.Status == http.StatusNotModified, p, "304, because the time is that of the last change")
	},
}

// unmodifiedSince: a change of an older state is refused.
var unmodifiedSince = requirement.Rule{
	Name:        "unmodified-since",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a write with an old time is carried out, so an update is lost",
	Doc:         "A request with a time before the Last-Modified of the thing in If-Unmodified-Since is no success.",
	Explanation: "A write with If-Unmodified-Since and a time before the last change is refused, so that no update is lost.",
	Fix:         "Compare If-Unmodified-Since with the time of the last change in the same transaction as the write, and answer 412 (Precondition Failed) if it is earlier.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed := s.Op.Lists(http.StatusPreconditionFailed)
		if !writes(s.Op, s.Resource) || listed == nil || !s.Resource.Dated() || !resource.ChecksDates(s.Op) {
			return nil
		}
		// It is a MUST if the document has the field.
		level := requirement.MustIf(slices.ContainsFunc(s.Op.Parameters, func(p *openapi.Parameter) bool {
			return p.In == "header" && hints.Flat(p.Name) == "ifunmodifiedsince"
		}))
		return s.Row(level, listed.Pointer, "RFC 9110, 13.1.4", "A write with a time before the last change in If-Unmodified-Since is refused.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		given, changed, ok := sinceOf(p, "If-Unmodified-Since")
		if !ok || !given.Before(changed) {
			return requirement.None
		}
		return verdictOf(!p.Got.Success(), p, "412, because the resource changed after that time")
	},
}

// entityTags are the fields beside which a time is ignored (RFC 9110, 13.1.3 and 13.1.4).
var entityTags = map[string]string{"If-Modified-Since": "If-None-Match", "If-Unmodified-Since": "If-Match"}

// sinceOf returns the time in a conditional field of the request and that of the last
// change of the resource, as the last read gave it. Ok is false if one of them is missing, or the
// server has to look at an entity tag instead.
func sinceOf(p *requirement.Input, field string) (given, changed time.Time, ok bool) {
	before := p.Last(http.MethodGet)
	if before == nil || !before.Got.Success() || fieldOf(p, entityTags[field]) != "" {
		return given, changed, false
	}
	given, one := http.ParseTime(fieldOf(p, field))
	changed, two := http.ParseTime(before.Modified)
	return given, changed, one == nil && two == nil
}
