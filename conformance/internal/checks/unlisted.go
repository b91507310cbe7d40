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
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

var unlistedScenario = plan.Mutator{
	Name: "unlisted",
	Doc:  "Makes a thing, lists its collection, deletes it and lists the collection again, also its last page and with each filter, or searches for it, because a server may leave it in an index.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if r.Delete == nil || r.List != s.Op && !r.Searches(s.Op) {
			return
		}
		rules := judges(unlisted)
		add(alone(about("list", rules, 1, func(g *plan.Gen, _ int) []plan.Step {
			made := g.Request(r.Make, true)
			return ownList(row(made, narrowed(g, s.Op, made), simplest(g, r.Delete), narrowed(g, s.Op, made)))
		})))
		l := listOf(s)
		if l == nil {
			return
		}
		if len(l.bothEnds(plan.Probe(s.Op))) > 1 {
			add(alone(about("last", rules, 1, func(g *plan.Gen, _ int) []plan.Step {
				return deletedBetween(g, r, g.Request(r.Make, true), func() []plan.Step { return l.bothEnds(g) })
			})))
		}
		for _, f := range l.Filters {
			if len(l.shownBy(plan.Probe(s.Op), f, imagined(s, r))) == 0 {
				continue
			}
			c := alone(about("filtered", rules, 1, func(g *plan.Gen, _ int) []plan.Step {
				made := g.Request(r.Make, true)
				return deletedBetween(g, r, made, func() []plan.Step { return l.shownBy(g, f, made) })
			}))
			c.Place = plan.Place{Name: openapi.NameSlug(f.Name()), Path: f.Place()}
			add(c)
		}
	},
}

// imagined returns a request that makes a resource and is never sent.
func imagined(s *plan.Space, r *resource.Resource) *message.Message {
	return plan.Probe(s.Op).Request(r.Make, true)
}

// deletedBetween makes steps that make a resource, list it, delete it and list again.
func deletedBetween(g *plan.Gen, r *resource.Resource, made *message.Message, lists func() []plan.Step) []plan.Step {
	read := func() []plan.Step {
		steps := lists()
		for _, s := range steps {
			demanded(s.Message, made)
		}
		return steps
	}
	steps := append(append(ownList(row(made)), read()...), use(g, r.Delete))
	from := len(steps)
	return readAgain(append(steps, read()...), from)
}

// shownBy makes steps that each read the list with a value of a filter that a resource may have:
// the one that it is made with, or those of a member that the server sets.
func (l *list) shownBy(g *plan.Gen, f openapi.Filter, made *message.Message) []plan.Step {
	s := f.Parameter.Schema
	if f.Bound != openapi.Same || f.At != "" || s == nil {
		return nil
	}
	values := []*jsontree.Value{made.At("/" + jsontree.EscapePointer(f.Member))}
	if values[0] == nil {
		values = slices.Clone(s.Enum[:min(len(s.Enum), maxValues)])
	}
	var out []plan.Step
	for _, v := range values {
		if v.Kind == jsontree.Array && s.Type() != "array" && len(v.Items) > 0 {
			v = v.Items[0]
		} else if v.Kind != jsontree.Array && s.Type() == "array" {
			v = jsontree.NewArray(v.Clone())
		}
		if len(l.valid(f, []*jsontree.Value{v})) > 0 {
			step := next(l.recent(g).Message)
			ask(step.Message, f, v.Clone())
			out = append(out, step)
		}
	}
	return out
}

// unlisted: what was deleted is in no list.
var unlisted = requirement.Rule{
	Name:        "unlisted",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a deleted thing is still in the list",
	Aspect:      requirement.AspectListed,
	Line:        "unlisted",
	Doc:         "Kind names the operation that deletes. A list has no item with the key of what an accepted DELETE deleted, if it had one before. An item that changed may say that it is deleted. Every list behind the deletion counts, whatever its parameters.",
	Explanation: "A list that contained a resource does not contain it any more after it was deleted. The list is read again for as long as --settle says.",
	Fix:         "Remove deleted resources from the indexes, caches and queries that lists use.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		r := s.Resource
		if r.Delete == nil || s.Op != r.List && !r.Searches(s.Op) {
			return nil
		}
		return s.Should("RFC 9110, 9.3.5", "What %s deleted is not listed any more.", r.Delete.Name()).With(requirement.Args{Kind: r.Delete.Slug}).On(r.Delete.Unlists)
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by := p.Last(http.MethodDelete)
		if by == nil || by.Key == nil || by.Got.Status == http.StatusAccepted || !p.Got.Success() || p.Got.Reading.Root() == nil {
			return requirement.None
		}
		before, after := listsAround(p, by)
		judged := false
		for _, old := range before {
			was := itemOf(p, old, by.Key)
			for _, now := range after {
				is := itemOf(p, now, by.Key)
				switch {
				case was == nil:
				case is == nil:
					judged = true
				case !jsontree.Equal(was, is):
				default:
					return requirement.Failed("listed", "a list without what "+by.Op.Name()+" deleted", "the deleted item in "+describe(p))
				}
			}
		}
		if !judged {
			return requirement.None
		}
		return requirement.Passed
	},
}

// listsAround returns what the operation answered before and after a request of the history.
// Lists with other parameters are among them: they may come from another index.
func listsAround(p *requirement.Input, by *requirement.TraceStep) (before, after []*jsontree.Value) {
	later := false
	for i := range p.History {
		e := &p.History[i]
		later = later || e == by
		switch {
		case e.Op != p.Op || !e.Got.Success() || answerOf(e) == nil:
		case later:
			after = append(after, answerOf(e))
		default:
			before = append(before, answerOf(e))
		}
	}
	return before, append(after, p.Got.Reading.Root())
}

// listDepth is how deep in an answer a list may be.
const listDepth = 3

// itemOf returns the item of a list that has a key, or nil. A short key may also be the value
// of another member.
func itemOf(p *requirement.Input, v, key *jsontree.Value) *jsontree.Value {
	return itemWithin(v, listDepth, func(m jsontree.Member) bool {
		return scalar(m.Value) && m.Value.Text == key.Text && (len(key.Text) >= longKey || p.Op.Listing == nil || p.Op.Listing.Key == "" || m.Name == p.Op.Listing.Key)
	})
}

// longKey is the length of a key that nothing else is by chance.
const longKey = 8

func itemWithin(v *jsontree.Value, depth int, names func(jsontree.Member) bool) *jsontree.Value {
	if v == nil || depth == 0 {
		return nil
	}
	for _, item := range v.Items {
		if slices.ContainsFunc(item.Members, names) {
			return item
		}
	}
	for _, m := range v.Members {
		if item := itemWithin(m.Value, depth-1, names); item != nil {
			return item
		}
	}
	return nil
}

var added = plan.Mutator{
	Name: "added",
	Doc:  "Posts an item to a list, at the top level or below a thing that it makes first, such as the comments of a page, and reads the list, because a server may answer that it took an item and keep nothing. It is tried where no single item can be read.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			if post := r.Adder(s.Op); post != nil {
				out = append(out, addedBy(s, post, r.Make))
			}
		}
		if s.Adder != nil {
			out = append(out, alone(addedBy(s, s.Adder)))
		}
		return out
	},
}

// addedBy makes a class of cases that post to a list, below what the operations above make.
func addedBy(s *plan.Space, post *openapi.Operation, above ...*openapi.Operation) plan.Class {
	return about(openapi.Slug(post.Slug), judges(storedAdded), draws, func(g *plan.Gen, draw int) []plan.Step {
		page := next((&list{Listing: s.Op.Listing, op: s.Op}).recent(g).Message)
		var made []*message.Message
		for _, op := range above {
			made = append(made, simplest(g, op))
		}
		return append(row(append(made, with(g, post, draw))...), page)
	})
}

// storedAdded: a list has what was posted to it.
var storedAdded = requirement.Rule{
	Name:        "stored-added",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "an item that was added is not in the list",
	Line:        "listed",
	Doc:         "A list has an item with the key, or with the values, of what an accepted POST to its path made. A full page of a list that the requirements file does not say to have the newest first is not judged.",
	Explanation: "A list returns the items that were posted to it. The list is read again for as long as --settle says.",
	Fix:         "Store every item that you accept, before you answer.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		post := s.Adder()
		if post == nil {
			return nil
		}
		// That a list shows at once all that was made is a habit alone: it may wait for an approval.
		return s.Suspect(post.Enlists, "The list has what %s added.", post.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, _ := p.Wrote()
		pages := listings(p)
		if by == nil || by.Op.Method != http.MethodPost || by.Op.Path != p.Op.Path || by.Got == nil || by.Got.Status != http.StatusCreated || len(pages) == 0 {
			return requirement.None
		}
		page, given := pages[len(pages)-1], answerOf(by)
		sent := by.Sent.Body.Root()
		if sent == nil || sent.Kind != jsontree.Object || by.Sent.Body.Kind >= schema.Invalid {
			return requirement.None
		}
		atFront := p.Op.Accepted.NewestFirst && p.Op.HasFirst(by.Op) && len(page.items) >= fewItems
		same := func(item *jsontree.Value) bool { return sameItem(page.is.Key, sent, given, item) }
		switch {
		case slices.ContainsFunc(page.items, same):
			return requirement.Passed
		case !atFront && int64(len(page.items)) >= max(page.limit(), 1) && page.is.Limit != nil, !atFront && len(page.items) >= fewItems:
			return requirement.None
		}
		return requirement.Failed("not listed", "an item that "+by.Op.Name()+" added", counted(len(page.items))+", none of them with its values")
	},
}

// sameItem reports whether an item of a list is what a request made: it has the key that the
// answer gave, or else the values that were sent.
func sameItem(key string, sent, given, item *jsontree.Value) bool {
	if a, b := given.Get(key), item.Get(key); key != "" && a != nil && b != nil && scalar(a) && a.Text == b.Text {
		return true
	}
	shared := 0
	for _, m := range sent.Members {
		if v := item.Get(m.Name); v != nil {
			if !kept(m.Value, v) {
				return false
			}
			shared++
		}
	}
	return shared > 0
}

var listedAsReadScenario = plan.Mutator{
	Name: "listed-as-read",
	Doc:  "Makes a thing, and also changes it, reads it and lists its collection, because a list may come from an index or a cache that has other values.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.List || r.Read == nil || r.Make.Body == nil {
			return
		}
		add(about("made", judges(listedAsRead), 1, func(g *plan.Gen, _ int) []plan.Step {
			made := g.Request(r.Make, true)
			return ownList(row(made, simplest(g, r.Read), narrowed(g, s.Op, made)))
		}))
		if change := writer(r); change != nil && change != r.Make && change.Body != nil {
			add(about("changed", judges(listedAsRead), 1, func(g *plan.Gen, _ int) []plan.Step {
				now := g.Request(change, true)
				return open(1, ownList(row(g.Request(r.Make, true), now, simplest(g, r.Read), narrowed(g, s.Op, now))))
			}))
		}
	},
}

// listedAsRead: a list shows what reading an item of it gives.
var listedAsRead = requirement.Rule{
	Name:        "listed-as-read",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a list shows other values of a thing than reading it gives",
	Doc:         "The item of a list with the key of a thing that was just read has the values which that answer gave and a request sent. A member that the item lacks, or has as an empty text or as the beginning of one, is not judged: a list may be short. Nor is a member with listed values, which may change by itself. That a list is always up to date is a habit alone.",
	Explanation: "A list shows the values of a resource that reading it gives. The list is read again for as long as --settle says.",
	Fix:         "Build lists from what is stored, or bring the index up to date with each change.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if r := s.Resource; s.Op != r.List || r.Read == nil || r.Make.Body == nil {
			return nil
		}
		return s.Suspect(nil, "The list shows the values that %s gives.", s.Resource.Read.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		end := len(p.History)
		read := readsOf(p, 0, end)
		if read == nil || !p.Got.Success() {
			return requirement.None
		}
		is, item := resourceIn(p, answerOf(read)), itemOf(p, p.Got.Reading.Root(), read.Key)
		if is == nil || item == nil {
			return requirement.None
		}
		out := requirement.None
		for _, m := range is.Members {
			sent, listed, q := sentBefore(p, end, m.Name), item.Get(m.Name), propertyIn(read.Got, m.Name)
			if sent == nil || listed == nil || secret(m.Name) || q != nil && mayDiffer(m.Name, q.Schema) || !kept(sent, m.Value) {
				continue
			}
			switch text := m.Value.Kind == jsontree.String; {
			case listed.Kind != m.Value.Kind, !text && m.Value.Kind != jsontree.Number && m.Value.Kind != jsontree.Bool:
				continue
			case text && (listed.Text == "" || strings.HasPrefix(letters(m.Value.Text), letters(listed.Text))):
				out = requirement.Passed
			case !kept(m.Value, listed):
				return requirement.Failed("listed "+m.Name, m.Name+" "+shown(p, m.Value)+", as "+read.Op.Name()+" gives it", m.Name+" "+shown(p, listed))
			default:
				out = requirement.Passed
			}
		}
		return out
	},
}
