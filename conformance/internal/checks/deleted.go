package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

var deleted = plan.Mutator{
	Name: "deleted",
	Doc:  "Makes a thing, deletes it and names it once more, because a server may answer that it deleted a thing and keep it.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if r.Delete == nil || s.Op == r.Delete || s.Op == r.Replace {
			return // a DELETE may be repeated, and a PUT may make the resource again
		}
		names := s.Op == r.Read || s.Op == r.Head || s.Op == r.Patch || r.IsPart(s.Op)
		if !names {
			return
		}
		add(alone(about(openapi.Slug(r.Delete.Slug), judges(gone, goneStatus), 1, func(g *plan.Gen, _ int) []plan.Step {
			list := script(g, r.Make, r.Delete, s.Op)
			if s.Op.Method == http.MethodGet {
				// What it was before shows whether it is only marked as deleted.
				list = slices.Insert(list, 1, use(g, s.Op))
				if put := r.PartAt(s.Op.Path, http.MethodPut); put != nil {
					// A part of it that a PUT writes is not there before.
					list = slices.Insert(list, 1, use(g, put))
				}
				below := slices.IndexFunc(s.Resources, func(below *resource.Resource) bool {
					return below.List == s.Op && below.Make != nil && r.Holds(below)
				})
				if below >= 0 {
					// A list without an item says nothing of what it kept.
					list = slices.Insert(list, 1, plan.Step{Message: simplest(g, s.Resources[below].Make), Kind: plan.Below})
				}
			} else if s.Op == r.Head && r.Read != nil {
				// HEAD does not say whether it is only marked, and GET does.
				list = slices.Insert(list, 2, plan.Step{Message: simplest(g, r.Read), Kind: plan.About, Open: true})
			} else if s.Op == r.Patch && r.Read != nil {
				// A PATCH may restore or change a resource that is only marked as deleted.
				list = slices.Insert(list, 1, use(g, r.Read))
			}
			return list
		})))
	},
}

var deletedAbove = plan.Mutator{
	Name: "deleted-above",
	Doc:  "Makes a thing below another one, deletes the one above and reads the thing once more, because a server may delete a row and leave those that belong to it.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read {
			return
		}
		for _, above := range s.Resources {
			if above.Delete == nil || !above.Holds(r) {
				continue
			}
			add(alone(about(openapi.Slug(above.Delete.Slug), judges(gone), 1, func(g *plan.Gen, _ int) []plan.Step {
				steps := script(g, above.Make, r.Make, s.Op, above.Delete, s.Op)
				steps[1].Kind = plan.Below
				return steps
			})))
		}
	},
}

// gone: what was deleted is gone.
var gone = requirement.Rule{
	Name:        "gone",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a deleted thing can still be read or changed",
	Aspect:      requirement.AspectDeleted,
	Line:        "gone",
	Doc:         "Kind names the operation that deletes. A request that names what an accepted DELETE deleted is no success. After 202 the thing may still be there, and a thing that is read as deleted, archived or the like was deleted. An answer about another thing is for other rules. An empty list of what was below it holds nothing of it.",
	Explanation: "A request that names a deleted resource does not succeed. A response that marks the resource as deleted, or that lists nothing, is accepted.",
	Fix:         "Delete the resource itself, and whatever caches or indexes its reads use.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		r := s.Resource
		if r.Delete == nil {
			return nil
		}
		args, part := requirement.Args{Kind: r.Delete.Slug}, r.IsPart(s.Op)
		switch {
		case part && r.Make.Lists(http.StatusGone) == nil:
			return s.Missing(false, "RFC 9110, 9.3.5", "What %s deleted is no success any more.", r.Delete.Name()).With(args).On(s.Op.TellsGone)
		case part || s.Op == r.Read || s.Op == r.Head || s.Op == r.Patch:
			return s.Missing(!part, "RFC 9110, 9.3.5", "What %s deleted is no success any more.", r.Delete.Name()).With(args)
		case slices.Contains(r.Parts, s.Op) && slices.ContainsFunc(s.Resources, func(below *resource.Resource) bool { return below.Read == s.Op && r.Holds(below) }):
			return s.Missing(false, "RFC 9110, 9.3.5", "What %s deleted takes with it what is below.", r.Delete.Name()).With(args).As(s.Op.Slug + "-gone-above")
		}
		return nil
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by := p.Last(http.MethodDelete)
		if by == nil || !by.Got.Success() || by.Op.Slug != p.Requirement.Args.Kind {
			return requirement.None
		}
		if after := p.Last(http.MethodGet); p.Op.Method == http.MethodHead && after != nil && after.Got.Success() {
			return requirement.None // what GET says of it decides, and HEAD says less
		}
		if p.Got.Success() && (by.Got.Status == http.StatusAccepted || marked(p) || another(p)) {
			return requirement.None
		}
		return verdictOf(!p.Got.Success() || listsNothing(p), p, "no success, because "+by.Op.Name()+" deleted it")
	},
}

// goneStatus: the refusal of a request about what was deleted is documented.
var goneStatus = requirement.Rule{
	Name:        "gone-status",
	Tells:       report.TellsStatus,
	Rank:        requirement.History,
	Category:    report.Answer,
	Means:       "a request about a deleted thing is refused with a status that is not documented",
	Aspect:      requirement.AspectDeleted,
	Doc:         "Kind names the operation that deletes. Where the document lists 404 or 410, a refusal of a request that names what an accepted DELETE deleted has a status that it lists. 401, 403 and the statuses that HTTP gives by itself are not judged.",
	Explanation: "A request that names a deleted resource is refused with a status that the document lists.",
	Fix:         "Answer with 404 or 410, whichever the document lists, or list the status.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		row := gone.Derive(s)
		if row == nil || row.Level != report.Must {
			return nil
		}
		return s.Row(report.Must, s.Op.Pointer+"/responses", "", "A request about what %s deleted is refused with a documented status.", s.Resource.Delete.Name()).With(row.Args)
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, got := p.Last(http.MethodDelete), p.Got
		open := ofHTTP(p) || slices.Contains(ofMessages, got.Status) || got.Status == http.StatusUnauthorized || got.Status == http.StatusForbidden
		if by == nil || !by.Got.Success() || by.Op.Slug != p.Requirement.Args.Kind || !got.Refusal() || got.Documented == nil && open {
			return requirement.None
		}
		return verdictOf(got.Documented != nil, p, "a status that the document lists")
	},
}

// listsNothing reports whether the answer is a list without an item.
func listsNothing(p *requirement.Input) bool {
	if root := p.Got.Reading.Root(); p.Op.Listing == nil {
		return root != nil && root.Kind == jsontree.Array && len(root.Items) == 0
	}
	items, found := p.Got.Page().Items(p.Op.Listing)
	return found && len(items) == 0
}

// marked reports whether the answer is unlike that before the deletion: it says that
// the resource is deleted.
func marked(p *requirement.Input) bool {
	before := p.Last(http.MethodGet)
	if before == nil || p.Got.Reading.Root() == nil || before.Got.Reading.Root() == nil {
		return false
	}
	return marks(before.Got.Reading.Root(), p.Got.Reading.Root())
}

// another reports whether the answer has nothing in common with that before the
// deletion: it is about another resource, and says nothing of this one.
func another(p *requirement.Input) bool {
	before := p.Last(http.MethodGet)
	if before == nil || p.Got.Reading.Root() == nil || before.Got.Reading.Root() == nil {
		return false
	}
	was, is := before.Got.Reading.Root(), p.Got.Reading.Root()
	differ := false
	for _, m := range is.Members {
		old := was.Get(m.Name)
		if old == nil || !scalar(old) {
			continue
		}
		if jsontree.Equal(old, m.Value) {
			return false
		}
		differ = true
	}
	return differ
}

var siblings = plan.Mutator{
	Name: "siblings",
	Doc:  "Makes two things in one collection, deletes one of them and reads or lists the other one, because a server may delete by a condition that both of them meet.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if !r.LeavesSiblings() {
				continue
			}
			out = append(out, alone(about("read", judges(siblingsKept), 2, func(g *plan.Gen, draw int) []plan.Step {
				steps := parted(g, r, draw)
				return append(steps, plan.Step{Message: simplest(g, s.Op), Kind: plan.About, Resource: draw})
			})))
		}
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.List }) {
			if !r.LeavesSiblings() || s.Op.Listing == nil || s.Op.Listing.Key == "" {
				continue
			}
			out = append(out, alone(about("list", judges(siblingsKept), 1, func(g *plan.Gen, _ int) []plan.Step {
				steps := ownList(parted(g, r, 0))
				whole := func() plan.Step { return next(wholeList(g, r)) }
				return append(slices.Insert(steps, 2, whole()), use(g, r.Read), whole())
			})))
		}
		return out
	},
}

// sibling makes another resource in the collection of the first one, with a number.
func sibling(m *message.Message, res int) plan.Step {
	step := plan.Step{Message: m, Resource: res}
	if len(openapi.Expressions(m.Op.Path)) > 0 {
		step.Kind = plan.Below
	}
	return step
}

// parted makes steps that make two things in one collection, read the one of a number and
// delete the other.
func parted(g *plan.Gen, r *resource.Resource, kept int) []plan.Step {
	steps := script(g, r.Make, r.Make, r.Read, r.Delete)
	steps[1] = sibling(steps[1].Message, 1)
	steps[2].Resource, steps[3].Resource = kept, 1-kept
	steps[1-kept].Aside, steps[3].Aside = true, true
	return steps
}

// siblingsKept: what deletes one thing leaves the others.
var siblingsKept = requirement.Rule{
	Name:        "siblings-kept",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "deleting one thing removes another",
	Doc:         "Kind names the operation that deletes. A thing that was read before an accepted DELETE of another one is not answered with 404 or 410 behind it, and a list that had it has it still. A list is judged if reading the thing gives the same before and after, and if the page lost items and is the last one.",
	Explanation: "After one of two resources is deleted, the other one can be read, and is in the list that contained it. The request is repeated for as long as --settle says.",
	Fix:         "Delete by the key of one resource: check the condition of the statement, and what it cascades to.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		r := s.Resource
		lists := s.Op == r.List && s.Op.Listing != nil && s.Op.Listing.Key != ""
		if s.Op != r.Read && !lists || !r.LeavesSiblings() {
			return nil
		}
		args := requirement.Args{Kind: r.Delete.Slug}
		if lists {
			return s.Should("RFC 9110, 9.3.5", "What %s did not delete is still listed.", r.Delete.Name()).With(args)
		}
		if at := s.Readable(r.Make); at != "" {
			return s.Row(report.Must, at, "", "What %s did not delete can still be read.", r.Delete.Name()).With(args)
		}
		return s.Should("RFC 9110, 9.3.5", "What %s did not delete can still be read.", r.Delete.Name()).With(args)
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := dropped(p)
		if by == nil || by.Op.Slug != p.Requirement.Args.Kind {
			return requirement.None
		}
		was := readsOf(p, 0, at)
		if was == nil || was.Key.Text == by.Key.Text {
			return requirement.None // one thing, made twice
		}
		if was.Op != p.Op {
			return stillListed(p, by, was, readsOf(p, at, len(p.History)))
		}
		switch {
		case p.Got.Success():
			return requirement.Passed
		case !p.Got.Missing():
			return requirement.None
		}
		return verdictOf(false, p, "a success, because "+by.Op.Name()+" deleted another one")
	},
}

// dropped returns the last request that deleted another resource than the case is about, and
// its place in the history. It is nil if none was accepted.
func dropped(p *requirement.Input) (*requirement.TraceStep, int) {
	for i := len(p.History) - 1; i >= 0; i-- {
		if e := &p.History[i]; e.Op.Method == http.MethodDelete && e.Aside && e.Key != nil && e.Got.Success() {
			return e, i
		}
	}
	return nil, -1
}

// stillListed judges the last page of a list that had a resource before another one was
// deleted. Where the resource changed meanwhile, the list may leave it out for that.
func stillListed(p *requirement.Input, by, was, is *requirement.TraceStep) requirement.Outcome {
	pages := listings(p)
	if is == nil || len(pages) < 2 || !jsontree.Equal(answerOf(was), answerOf(is)) {
		return requirement.None
	}
	before, now := pages[len(pages)-2], pages[len(pages)-1]
	switch {
	case !slices.Contains(before.keys, was.Key.Text):
		return requirement.None
	case slices.Contains(now.keys, was.Key.Text):
		return requirement.Passed
	case len(now.items) >= len(before.items) || now.is.Cursor != nil && now.page.Next(now.is) != nil:
		return requirement.None // it may be on another page by now
	}
	return requirement.Failed("not listed", "a list with what was not deleted", counted(len(now.items))+" without it, after "+by.Op.Name()+" deleted another one")
}

// lastWrite returns the place of the last request before a place of the history that does
// not only read, or -1.
func lastWrite(p *requirement.Input, end int) int {
	for i := end - 1; i >= 0; i-- {
		if !p.History[i].Reads() {
			return i
		}
	}
	return -1
}

// unusual reports whether a value is none that a server would make: a text that is not
// short, or a number of several digits.
func unusual(v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.String:
		return len(v.Text) >= minText
	case jsontree.Number:
		return len(strings.Trim(strings.Map(digit, v.Text), "0")) >= 3
	case jsontree.Array:
		return slices.ContainsFunc(v.Items, unusual)
	case jsontree.Object:
		return slices.ContainsFunc(v.Members, func(m jsontree.Member) bool { return unusual(m.Value) })
	}
	return false
}

// digit keeps the digits of a text.
func digit(c rune) rune {
	if c < '0' || c > '9' {
		return -1
	}
	return c
}

var inUse = plan.Mutator{
	Name: "in-use",
	Doc:  "Makes a thing and another one that refers to it, deletes the first and calls the operations of both, because a server may fail where a thing is still in use, or where what it refers to is gone.",
	Classes: func(s *plan.Space) []plan.Class {
		if drawnFor(s) == 0 {
			return nil
		}
		var out []plan.Class
		for _, of := range s.Resources {
			if of.Delete == nil || of.Chosen() {
				continue
			}
			if of.NamedBy(s.Op) != nil {
				out = append(out, alone(answerClass(s.Op, openapi.Slug(of.Delete.Slug), 1, func(g *plan.Gen, _ int) []plan.Step {
					return thenNamed(g, of, s.Op, 0, script(g, of.Make, of.Delete)...)
				})))
			}
			for _, user := range s.Resources {
				place := of.NamedBy(user.Make)
				if place != nil && s.Op == of.Delete {
					out = append(out, alone(answerClass(s.Op, openapi.Slug(user.Make.Slug), 1, func(g *plan.Gen, _ int) []plan.Step {
						return thenNamed(g, of, s.Op, 0, used(g, of, user, place)...)
					})))
				}
				below := of.Holds(user) && s.Op != user.Read // deleted-above reads it
				if user == of || place == nil && !below || !slices.Contains(naming(s), user) || user.NamedBy(s.Op) != nil {
					continue
				}
				out = append(out, alone(answerClass(s.Op, openapi.Slug(of.Delete.Slug), 1, func(g *plan.Gen, _ int) []plan.Step {
					steps := used(g, of, user, place)
					res := steps[1].Resource
					drop := plan.Step{Message: simplest(g, of.Delete), Kind: plan.About, Aside: true, Open: true}
					return thenNamed(g, user, s.Op, res, append(steps, drop)...)
				})))
			}
		}
		return out
	},
}

// used makes a resource, and another one that refers to it in its body or is below it.
func used(g *plan.Gen, of, user *resource.Resource, place *openapi.Member) []plan.Step {
	steps := script(g, of.Make, user.Make)
	if steps[1].Kind = plan.Below; place != nil {
		steps[1] = plan.Step{Message: giving(g, user.Make, place), Kind: plan.Refers, Resource: 1}
	}
	return steps
}

// giving returns the simplest request that has a member.
func giving(g *plan.Gen, op *openapi.Operation, member *openapi.Member) *message.Message {
	m := simplest(g, op)
	g.Give(m, []openapi.Member{*member})
	return m
}
