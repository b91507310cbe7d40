package checks

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

var tagged = plan.Mutator{
	Name: "tagged",
	Doc:  "Reads a thing with If-None-Match, before and after it changed, because a server may ignore the field, compare it with a stale tag, or know one tag in one form alone (RFC 9110, 13.1.2).",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read || s.Op.Lists(http.StatusNotModified) == nil {
			return
		}
		for _, as := range []struct {
			kind string
			form plan.TagForm
		}{{"unchanged", plan.AsCame}, {"listed", plan.AsListed}, {"weak", plan.AsOther}, {"any", plan.AsAny}} {
			if as.form == plan.AsCame || resource.Takes(s.Op, "If-None-Match", as.form.Value(`"right"`)) {
				add(about(as.kind, judges(ifNoneMatch, notModified, notModifiedFields), 1, func(g *plan.Gen, _ int) []plan.Step {
					return conditional(script(g, r.Make, s.Op, s.Op), plan.Condition{Field: "If-None-Match", Step: 1, As: as.form})
				}))
			}
		}
		if change := writer(r); change != nil {
			add(about("changed", judges(modified), 1, func(g *plan.Gen, _ int) []plan.Step {
				return conditional(row(simplest(g, r.Make), simplest(g, s.Op), g.Request(change, true), simplest(g, s.Op), simplest(g, s.Op)), plan.Condition{Field: "If-None-Match", Step: 1})
			}))
		}
	},
}

// ifNoneMatch: what the client has is not sent again to a request with its entity tag.
var ifNoneMatch = requirement.Rule{
	Name:        "if-none-match",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "If-None-Match with the current ETag is not answered with 304",
	Doc:         "A request with the current entity tag in If-None-Match, as it came and alone, is answered with 304. An answer with another tag shows that the thing changed meanwhile.",
	Explanation: "A read with the ETag of the last response in If-None-Match is answered with 304 (Not Modified), where the document lists it.",
	Fix:         "Compare If-None-Match with the current ETag, and answer 304 without a body if it matches.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed := s.ReadLists(http.StatusNotModified)
		if listed == nil {
			return nil
		}
		level := requirement.MustIf(tags(s.Op) || resource.Takes(s.Op, "If-None-Match", `"current"`))
		return s.Row(level, listed.Pointer, "RFC 9110, 13.1.2 and 13.2.1", "With the current ETag in If-None-Match the answer is 304.").On(s.Op.MayCompare)
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		before := p.Last(http.MethodGet)
		if before == nil || fieldOf(p, "If-None-Match") != before.Tag {
			return requirement.None
		}
		return unchanged(p, before)
	},
}

// notModified: what the client has is not sent again.
var notModified = requirement.Rule{
	Name:        "not-modified",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "If-None-Match with the current ETag is not answered with 304",
	Doc:         "A request with the current entity tag in If-None-Match is answered with 304, also if the tag is one of a list or weak, or an asterisk stands for it. The rule if-none-match judges the tag alone, as it came. An answer with another tag shows that the thing changed meanwhile.",
	Explanation: "A read with If-None-Match and the ETag of the last response is answered with 304 (Not Modified). The tag may be one of a list, W/ makes no difference, and an asterisk matches any tag.",
	Fix:         "Compare each tag of If-None-Match with the current ETag, both without W/, and answer 304 without a body if one matches.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed := s.ReadLists(http.StatusNotModified)
		if listed == nil {
			return nil
		}
		return s.Row(report.Should, listed.Pointer, "RFC 9110, 13.1.2", "The answer is 304 also if If-None-Match has the current ETag in a list or in its other form, or is an asterisk.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		before := p.Last(http.MethodGet)
		if before == nil || fieldOf(p, "If-None-Match") == before.Tag {
			return requirement.None
		}
		return unchanged(p, before)
	},
}

// notModifiedFields: 304 says what 200 says of the representation.
var notModifiedFields = requirement.Rule{
	Name:        "not-modified-fields",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a 304 lacks fields that a cache needs",
	Doc:         "An answer 304 to If-None-Match has the fields ETag, Content-Location, Cache-Control, Expires and Vary, if the read before had them. Their values are not compared.",
	Explanation: "A 304 has the fields ETag, Content-Location, Cache-Control, Expires and Vary, if a 200 would have them. A cache updates with them what it stores.",
	Fix:         "Set these fields before you compare If-None-Match, for both answers.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed := s.ReadLists(http.StatusNotModified)
		if listed == nil {
			return nil
		}
		return s.Row(report.Should, listed.Pointer, "RFC 9110, 15.4.5", "A 304 has the ETag and the other fields about caches that a 200 has.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		before := p.Last(http.MethodGet)
		if before == nil || !before.Got.Success() || len(before.Repeated) == 0 || p.Got.Status != http.StatusNotModified || fieldOf(p, "If-None-Match") == "" {
			return requirement.None
		}
		for _, name := range before.Repeated {
			if p.Exchange.Response.Get(name) == "" {
				return requirement.Failed("without "+name, strings.Join(before.Repeated, ", ")+", as in the answer 200 before", "304 without "+name)
			}
		}
		return requirement.Passed
	},
}

// modified: what changed is sent again.
var modified = requirement.Rule{
	Name:        "modified",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a changed thing is answered with 304",
	Doc:         "A request with the entity tag from before an accepted change in If-None-Match is not answered with 304. Another request shows that the tag is a new one.",
	Explanation: "A read with If-None-Match and the ETag from before a change is not answered with 304 (Not Modified).",
	Fix:         "Make the ETag from the stored values or from a version that every write increments, and clear caches when a resource changes.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed := s.ReadLists(http.StatusNotModified)
		if listed == nil || writer(s.Resource) == nil {
			return nil
		}
		return s.Row(report.Must, listed.Pointer, "RFC 9110, 13.1.2", "With the ETag from before a change in If-None-Match the answer is not 304.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		if !p.Retagged() || !p.Got.Accepts() {
			return requirement.None
		}
		return verdictOf(p.Got.Status != http.StatusNotModified, p, "no 304, because the resource changed")
	},
}

// etagChanges: another representation has another entity tag.
var etagChanges = requirement.Rule{
	Name:        "etag-changes",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "the ETag stays the same when the thing changes",
	Doc:         "Two answers that read a thing and differ have different entity tags, if both have strong ones. Weak ones differ where a PATCH changed a member that it names. The rule strong-etag judges strong ones where a request changed a member that it names.",
	Explanation: "When the representation of a resource changes, so does its strong ETag. A weak one changes when a PATCH changes a member that it names.",
	Fix:         "Make the ETag from the stored values or from a version that every write increments.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if !retagged(s) {
			return nil
		}
		return s.Should("RFC 9110, 8.8.1", "The ETag changes with the representation.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		before := reread(p)
		if before == nil {
			return requirement.None
		}
		was, is := before.Tag, p.Exchange.Response.Get("ETag")
		switch {
		case was == "" || is == "" || strings.HasPrefix(is, "W/") != strings.HasPrefix(was, "W/"):
			return requirement.None
		case strings.HasPrefix(is, "W/") && !changedBy(p, before, http.MethodPatch):
			return requirement.None // it may be a good substitute for the old one (RFC 9110, 8.8.1)
		case strongChange(p, before):
			return requirement.None // strong-etag judges it
		case p.Got.Reading.Root() == nil || jsontree.Equal(before.Got.Reading.Root(), p.Got.Reading.Root()):
			return requirement.None
		case was == is:
			return requirement.Failed("same tag", "another ETag than before the change", "the same ETag with another representation")
		}
		return requirement.Passed
	},
}

// strongETag: a strong entity tag changes when a request changes the representation.
var strongETag = requirement.Rule{
	Name:        "strong-etag",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "the strong ETag stays the same when the answer to a read changes",
	Doc:         "Two answers that read a thing have different strong entity tags if they differ in a member to which a PUT or PATCH between them gave another value, or if a PUT between them gave all of the later one, such as a file.",
	Explanation: "When a PUT or PATCH changes what a read shows, the strong ETag changes. A server that cannot tell marks its ETag as weak (W/).",
	Fix:         "Make the ETag from the stored values or from a version that every write increments.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if !retagged(s) {
			return nil
		}
		return s.Row(report.Must, "", "RFC 9110, 8.8.1 and 8.8.3", "A strong ETag changes when a PUT or PATCH changes the representation.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		before := reread(p)
		if before == nil || !strongChange(p, before) {
			return requirement.None
		}
		if before.Tag == p.Exchange.Response.Get("ETag") {
			return requirement.Failed("same tag", "another ETag than before the change, or a weak one", "the same strong ETag with another representation")
		}
		return requirement.Passed
	},
}

// tags reports whether an answer of an operation has a documented ETag.
func tags(op *openapi.Operation) bool {
	return slices.ContainsFunc(op.Documented(2), func(r *openapi.Response) bool {
		return slices.ContainsFunc(r.Headers, func(h *openapi.Header) bool { return hints.Flat(h.Name) == "etag" })
	})
}

// fieldOf returns a header field of the request as it was sent, or nothing.
func fieldOf(p *requirement.Input, field string) string {
	if p.Exchange.Request == nil {
		return ""
	}
	return p.Exchange.Request.Field(field)
}

// justRead returns the request right before this one, if it reads the resource, or nil.
func justRead(p *requirement.Input) *requirement.TraceStep {
	n := len(p.History) - 1
	if n < 0 || p.History[n].Op.Method != http.MethodGet || p.History[n].Aside || p.History[n].Got == nil {
		return nil
	}
	return &p.History[n]
}

// strongTag reports whether a text is one strong entity tag.
func strongTag(text string) bool {
	return len(text) > 1 && text[0] == '"' && strings.IndexByte(text[1:], '"') == len(text)-2
}

// beforeWrite returns the read right before a request that writes, if it shows the current
// strong entity tag, and the last write of the same operation before that one. They are nil
// if there are none.
func beforeWrite(p *requirement.Input) (read, write *requirement.TraceStep) {
	read = justRead(p)
	if read == nil || !read.Got.Success() || !strongTag(read.Tag) {
		return nil, nil
	}
	by, at := p.Wrote()
	if at < 1 || by.Op != p.Op || by.Aside {
		return nil, nil
	}
	return read, by
}

// unchanged judges the answer to a request that has the entity tag of an earlier read in
// If-None-Match.
func unchanged(p *requirement.Input, before *requirement.TraceStep) requirement.Outcome {
	switch {
	case before.Tag == "" || !p.Got.Accepts():
		return requirement.None
	case p.Got.Success() && p.Exchange.Response.Get("ETag") != before.Tag:
		return requirement.None
	}
	return verdictOf(p.Got.Status == http.StatusNotModified, p, "304, because the ETag is the current one")
}

// reread returns the last read of what the answer shows again. It is nil if there is none, or if
// only one of the two can be compared.
func reread(p *requirement.Input) *requirement.TraceStep {
	before := p.Last(http.MethodGet)
	if before == nil || before.Op != p.Op || !before.Got.Success() || !p.Got.Success() || (before.Got.Reading.Root() == nil) != (p.Got.Reading.Root() == nil) {
		return nil
	}
	return before
}

// strongChange reports whether the answer and an earlier one have strong entity tags and differ in
// a member, or as a whole, as a request changed them.
func strongChange(p *requirement.Input, before *requirement.TraceStep) bool {
	return strongTag(before.Tag) && strongTag(p.Exchange.Response.Get("ETag")) &&
		(changedBy(p, before, http.MethodPatch) || changedBy(p, before, http.MethodPut) || changedWhole(p, before))
}

// changedWhole reports whether the answer is what the last PUT gave, such as a text or a file, and an
// earlier one was not.
func changedWhole(p *requirement.Input, before *requirement.TraceStep) bool {
	by := p.Last(http.MethodPut)
	if by == nil {
		return false
	}
	given, was, is := bodyOf(p, by), before.Got.Reading.Root(), p.Got.Reading.Root()
	switch {
	case given == nil || given.Kind == jsontree.Object:
		return false
	case is != nil:
		return jsontree.Equal(is, given) && !jsontree.Equal(was, given)
	}
	return before.Coding == "" && plainText(given) && string(p.Exchange.Response.Content) == given.Text && string(before.Body) != given.Text
}

// changedBy reports whether the answer differs from an earlier one in a member to which the last
// request with a method gave another value.
func changedBy(p *requirement.Input, before *requirement.TraceStep, method string) bool {
	by := p.Last(method)
	if by == nil || !by.Got.Success() || by.Sent == nil || by.Sent.Body == nil || by.Sent.Body.Root() == nil {
		return false
	}
	return slices.ContainsFunc(by.Sent.Body.Root().Members, func(m jsontree.Member) bool {
		was, is := before.Got.Reading.Root().Get(m.Name), p.Got.Reading.Root().Get(m.Name)
		return was != nil && is != nil && !jsontree.Equal(was, is) && jsontree.Equal(is, m.Value)
	})
}

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
