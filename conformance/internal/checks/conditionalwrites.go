package checks

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

var createOnlyScenario = plan.Mutator{
	Name: "create-only",
	Doc:  "Makes a thing, reads it and puts it with If-None-Match: *, because a server may ignore the field and replace what was only to be created (RFC 9110, 13.1.2).",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		field := r.CreatesOnly()
		if s.Op != r.Replace || field == nil {
			return
		}
		add(about("put", judges(createOnly), 1, func(g *plan.Gen, _ int) []plan.Step {
			put := simplest(g, s.Op)
			put.Fix(field.Place(), jsontree.NewString("*"))
			return row(simplest(g, r.Make), simplest(g, r.Read), put)
		}))
	},
}

// createOnly: If-None-Match: * is false if the resource exists.
var createOnly = requirement.Rule{
	Name:        "create-only",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "If-None-Match: * replaces what exists",
	Doc:         "A PUT with If-None-Match: * of a thing that was just read is no success.",
	Explanation: "A PUT with If-None-Match: * creates a resource, and replaces none that exists.",
	Fix:         "Answer 412 (Precondition Failed) if the request has If-None-Match: * and the resource exists, in the same statement as the write.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Replace || s.Resource.CreatesOnly() == nil {
			return nil
		}
		return s.Row(report.Must, s.Op.Lists(http.StatusPreconditionFailed).Pointer, "RFC 9110, 13.1.2", "A PUT with If-None-Match: * is refused if the resource exists.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		read := justRead(p)
		if p.Op.Method != http.MethodPut || read == nil || !read.Got.Success() || fieldOf(p, "If-None-Match") != "*" {
			return requirement.None
		}
		return verdictOf(!p.Got.Success(), p, "412, because the resource exists")
	},
}

var matchAnyScenario = plan.Mutator{
	Name: "match-any",
	Doc:  "Deletes a thing, reads that it is not there and puts it with If-Match: *, because a server may take the asterisk for no condition and make the thing again (RFC 9110, 13.1.1).",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		field := r.MatchesAny()
		if s.Op != r.Replace || field == nil {
			return
		}
		add(alone(about("put", judges(matchAny), 1, func(g *plan.Gen, _ int) []plan.Step {
			put := simplest(g, s.Op)
			put.Fix(field.Place(), jsontree.NewString("*"))
			return open(2, row(simplest(g, r.Make), simplest(g, r.Delete), simplest(g, r.Read), put))
		})))
	},
}

// matchAny: If-Match: * is false if the resource does not exist.
var matchAny = requirement.Rule{
	Name:        "match-any",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "If-Match: * creates again what was deleted",
	Doc:         "A PUT with If-Match: * is no success after the thing was deleted and a read was answered with 404 or 410: the condition is false where there is no representation.",
	Explanation: "A PUT with If-Match: * does not create a resource again that was deleted. The asterisk means that some version of it exists.",
	Fix:         "Answer 412 or 404 if the request has If-Match and the resource does not exist.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Replace || s.Resource.MatchesAny() == nil {
			return nil
		}
		listed := cmp.Or(s.Op.Lists(http.StatusPreconditionFailed), s.Op.Lists(http.StatusNotFound))
		return s.Row(report.Must, listed.Pointer, "RFC 9110, 13.1.1", "A PUT with If-Match: * is refused if the resource does not exist.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		read := justRead(p)
		if p.Op.Method != http.MethodPut || read == nil || !read.Got.Missing() || !p.Deleted() || fieldOf(p, "If-Match") != "*" {
			return requirement.None
		}
		return verdictOf(!p.Got.Success(), p, "412 or 404, because nothing matches If-Match: *")
	},
}

var matched = plan.Mutator{
	Name: "matched",
	Doc:  "Writes a thing with a list of tags in If-Match that has the current one, with an asterisk, and with the current one as a weak tag, because a server may compare the field as one text, or cut off W/ (RFC 9110, 13.1.1).",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if !writes(s.Op, r) || r.Read == nil || s.Op.Lists(http.StatusPreconditionFailed) == nil {
			return
		}
		// The first write shows what the target makes of the plain form.
		build := func(g *plan.Gen, first, then plan.TagForm) []plan.Step {
			steps := conditional(script(g, r.Make, r.Read, s.Op), plan.Condition{Field: "If-Match", Step: 1, As: first})
			steps[2].Open = first == plan.AsForeign
			return conditional(append(steps, use(g, r.Read), use(g, s.Op)), plan.Condition{Field: "If-Match", Step: 3, As: then})
		}
		if s.Op != r.Delete && takesTag(s.Op, plan.AsListed) {
			add(about("listed", judges(matchListed), 1, func(g *plan.Gen, _ int) []plan.Step {
				return build(g, plan.AsCame, plan.AsListed)
			}))
		}
		if s.Op != r.Delete && takesTag(s.Op, plan.AsAny) {
			add(about("any", judges(matchExisting), 1, func(g *plan.Gen, _ int) []plan.Step {
				return build(g, plan.AsCame, plan.AsAny)
			}))
		}
		if takesTag(s.Op, plan.AsForeign) && takesTag(s.Op, plan.AsWeak) {
			add(about("weak", judges(matchWeak), 1, func(g *plan.Gen, _ int) []plan.Step {
				return build(g, plan.AsForeign, plan.AsWeak)
			}))
		}
	},
}

// writes reports whether an operation replaces, changes or deletes a resource.
func writes(op *openapi.Operation, r *resource.Resource) bool {
	return op == r.Replace || op == r.Patch || op == r.Delete
}

// comparesTags reports whether a write may have these tags in If-Match.
func comparesTags(s *requirement.Subject, tags string) bool {
	return writes(s.Op, s.Resource) && s.Resource.Read != nil && s.Op.Lists(http.StatusPreconditionFailed) != nil && resource.Takes(s.Op, "If-Match", tags)
}

// matchExisting: If-Match: * is true if the resource exists.
var matchExisting = requirement.Rule{
	Name:        "match-existing",
	Rank:        requirement.History,
	Category:    report.Refusal,
	Means:       "If-Match: * is refused although the thing exists",
	Doc:         "A write with If-Match: * of a thing that was just read is not answered with 412, where the same operation was accepted with its tag. Other answers say nothing of the field.",
	Explanation: "If-Match: * is true for every resource that exists, whatever its ETag is.",
	Fix:         "Compare If-Match with the current ETag only if it is not an asterisk.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if !comparesTags(s, "*") || s.Op == s.Resource.Delete {
			return nil
		}
		return s.Should("RFC 9110, 13.1.1", "A write with If-Match: * is carried out if the resource exists.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		read, write := beforeWrite(p)
		if read == nil || !write.Got.Success() || fieldOf(p, "If-Match") != "*" {
			return requirement.None
		}
		if p.Got.Status != http.StatusPreconditionFailed && !p.Got.Success() {
			return requirement.None
		}
		return verdictOf(p.Got.Success(), p, "a success, because If-Match: * matches what exists")
	},
}

// matchListed: If-Match is true if one tag of its list is the current one.
var matchListed = requirement.Rule{
	Name:        "match-listed",
	Rank:        requirement.History,
	Category:    report.Refusal,
	Means:       "If-Match with the current ETag among others is refused",
	Doc:         "A write with a list in If-Match that has the strong tag of the read before is not answered with 400 or 412, where the same operation was accepted with one tag. Other answers say nothing of the field.",
	Explanation: "A write is carried out if one of the tags in If-Match is the current ETag. The list may have others, in any order.",
	Fix:         "Split If-Match at the commas between tags, and compare each one with the current ETag.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if !comparesTags(s, `"other", "right"`) || s.Op == s.Resource.Delete {
			return nil
		}
		return s.Should("RFC 9110, 13.1.1", "A write with the current ETag behind another one in If-Match is carried out.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		read, write := beforeWrite(p)
		if read == nil || !write.Got.Success() || !strings.HasSuffix(fieldOf(p, "If-Match"), ", "+read.Tag) {
			return requirement.None
		}
		if p.Got.Status != http.StatusPreconditionFailed && p.Got.Status != http.StatusBadRequest && !p.Got.Success() {
			return requirement.None
		}
		return verdictOf(p.Got.Success(), p, "a success, because one of the tags is the current one")
	},
}

// matchWeak: a weak tag never matches in If-Match.
var matchWeak = requirement.Rule{
	Name:        "match-weak",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a weak ETag in If-Match is taken for the current one",
	Doc:         "A write with a weak tag in If-Match is no success, where the current tag is the same one without W/ and the same operation was answered with 412 to another tag.",
	Explanation: "If-Match is compared strongly: a weak tag matches nothing, because it may stand for several representations.",
	Fix:         "Compare If-Match with the current ETag as it is written, with W/, and let no weak tag match.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if !comparesTags(s, `W/"right"`) {
			return nil
		}
		return s.Should("RFC 9110, 13.1.1 and 8.8.3.2", "A write with the current ETag as a weak one in If-Match is refused.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		read, write := beforeWrite(p)
		if read == nil || write.Got.Status != http.StatusPreconditionFailed || fieldOf(p, "If-Match") != "W/"+read.Tag {
			return requirement.None
		}
		return verdictOf(!p.Got.Success(), p, "412, because a weak tag matches nothing in If-Match")
	},
}

var staleTag = plan.Mutator{
	Name: "stale-tag",
	Doc:  "Writes a thing with the tag that it had before another write in If-Match, because a server may ignore the field and lose the other write.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if change := writer(r); writes(s.Op, r) && change != nil && r.Read != nil && s.Op.Lists(http.StatusPreconditionFailed) != nil {
			add(about("write", judges(ifMatch), 1, func(g *plan.Gen, _ int) []plan.Step {
				return conditional(row(simplest(g, r.Make), simplest(g, r.Read), g.Request(change, true), simplest(g, r.Read), simplest(g, s.Op)), plan.Condition{Field: "If-Match", Step: 1})
			}))
		}
	},
}

// ifMatch: a change of an older state is refused.
var ifMatch = requirement.Rule{
	Name:        "if-match",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a write with an old ETag is carried out, so an update is lost",
	Doc:         "A request with the entity tag from before an accepted change in If-Match is no success. Another request shows that the tag is a new one.",
	Explanation: "A write with If-Match and the ETag from before another write is refused, so that no update is lost.",
	Fix:         "Compare If-Match with the current ETag in the same transaction as the write, and answer 412 (Precondition Failed) if they differ.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		listed, r := s.Op.Lists(http.StatusPreconditionFailed), s.Resource
		if !writes(s.Op, s.Resource) || listed == nil || r.Read == nil || writer(r) == nil {
			return nil
		}
		return s.Row(report.Must, listed.Pointer, "RFC 9110, 13.1.1", "A write with the ETag from before another write in If-Match is refused.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		if !p.Retagged() {
			return requirement.None
		}
		return verdictOf(!p.Got.Success(), p, "412, because the ETag is not the current one")
	},
}

// putTag: the entity tag in the answer to a PUT is that of what it stored.
var putTag = requirement.Rule{
	Name:        "put-tag",
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a PUT is answered with an old ETag",
	Doc:         "The success of a PUT does not have the strong entity tag that a read had before, if the next read has another one. A success without a tag, or with one of its own, is left open.",
	Explanation: "A PUT is answered with the ETag of what it stored, or without one. With the ETag from before, the next conditional request of the client fails.",
	Fix:         "Make the ETag of the answer after the change is stored.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		put := replacer(s)
		if put == nil || !tags(s.Op) || !tags(put) {
			return nil
		}
		return s.Row(report.Must, "", "RFC 9110, 9.3.4", "The ETag in the answer to %s is not the one from before the change.", put.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		before, now := reread(p), p.Exchange.Response.Get("ETag")
		by, _ := p.Wrote()
		if before == nil || by == nil || by.Op.Method != http.MethodPut || !by.Got.Success() || by.Aside || !strongTag(by.Tag) || !strongTag(now) {
			return requirement.None
		}
		switch {
		case by.Tag == now:
			return requirement.Passed
		case by.Tag == before.Tag:
			return requirement.Failed("old tag", "the ETag that the next read has, or none", "the ETag from before the change")
		}
		return requirement.None
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
