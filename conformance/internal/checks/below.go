package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

var belowOtherScenario = plan.Mutator{
	Name: "below-other",
	Doc:  "Makes a thing below another one and reads it below a second one, because a server may look for it by its own key alone.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read {
			return
		}
		for _, above := range r.Above {
			add(about(openapi.Slug(above.Read.Slug), judges(belowOther), 1, func(g *plan.Gen, _ int) []plan.Step {
				steps := beside(g, r, above)
				return append(steps, plan.Step{Message: simplest(g, s.Op), Kind: plan.About, From: plan.Above(len(steps) - 1)})
			}))
		}
	},
}

// belowOther: a resource is found only below the one that it was made below.
var belowOther = requirement.Rule{
	Name:        "below-other",
	Rank:        requirement.History,
	Category:    report.Security,
	Means:       "what belongs to one parent is found below another",
	Doc:         "A thing that a POST made below one thing is not shown by an answer that reads it below another one. A success without any text that the thing was made with is about another thing of the same key, and is not judged, unless no other thing has such a key and the answer is the one that the thing has where it is.",
	Explanation: "A resource that was created below another one (POST /parents/1/things) is not found below a second one (GET /parents/2/things/7). Resources that can be created or put elsewhere too are not judged.",
	Fix:         "Look for the resource by all keys of the path, not by the last one alone.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if len(s.Resource.Above) == 0 || s.Op != s.Resource.Read {
			return nil
		}
		return s.Missing(true, "RFC 3986, 3.3; RFC 9110, 15.5.5", "What %s made below one thing is not found below another one.", s.Resource.Make.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		e := elsewhere(p, p.Op, p.Sent)
		switch {
		case e == nil:
			return requirement.None
		case p.Got.Refusal():
			return requirement.Passed
		case !p.Got.Success():
			return requirement.None
		case !tells(p, p.Got.Reading.Root()) && !again(p, e):
			return requirement.None
		}
		return verdictOf(false, p, "no success, because it was made below another one")
	},
}

// again reports whether an answer is the one that an earlier request got, about a resource whose
// key is no number that is counted for each of those above it.
func again(p *requirement.Input, e *requirement.TraceStep) bool {
	key, is := keySent(p.Op, p.Sent), p.Got.Reading.Root()
	if key == nil || is == nil || is.Kind != jsontree.Object || len(key.Text) < minKey || !strings.ContainsAny(key.Text, "0123456789") || jsontree.ValidNumber(key.Text) {
		return false
	}
	for _, m := range is.Members {
		if m.Value.Kind == jsontree.String && m.Value.Text == key.Text {
			return jsontree.Equal(is, answerOf(e))
		}
	}
	return false
}

// minKey is the length of a key that servers draw.
const minKey = 16

// elsewhere returns the request of the history that read the resource where it is, if a
// request names it below another one, or nil.
func elsewhere(p *requirement.Input, op *openapi.Operation, sent *message.Sent) *requirement.TraceStep {
	for i := range p.History {
		e := &p.History[i]
		if !e.Reads() || e.Aside || !e.Got.Success() || e.Op.Path == "" {
			continue
		}
		names, own := openapi.Expressions(e.Op.Path), openapi.Expressions(op.Path)
		if len(names) < 2 || len(own) < len(names) || sent.Body == nil || e.Sent.Body == nil {
			continue
		}
		same := func(i int) bool {
			a, b := e.Sent.Body.At(openapi.PathPlace(names[i])), sent.Body.At(openapi.PathPlace(own[i]))
			return a != nil && b != nil && a.Text == b.Text
		}
		n := len(names) - 1
		if !same(n) {
			continue
		}
		for i := range n {
			if !same(i) {
				return e
			}
		}
	}
	return nil
}

// maker returns the request of the history that made the resources which an operation reads or
// lists: the POST to their collection.
func maker(p *requirement.Input) *requirement.TraceStep {
	path := strings.TrimSuffix(p.Op.Path, "/")
	for i := len(p.History) - 1; i >= 0; i-- {
		e := &p.History[i]
		above := strings.TrimSuffix(e.Op.Path, "/")
		rest, below := strings.CutPrefix(path, above)
		if e.Op.Method == http.MethodPost && below && (rest == "" || strings.Count(rest, "/") == 1) && e.Got.Success() {
			return e
		}
	}
	return nil
}

// tells reports whether an object has a text with which a request of the case made a resource
// of its kind.
func tells(p *requirement.Input, v *jsontree.Value) bool {
	by := maker(p)
	if by == nil || by.Sent.Body == nil || v == nil {
		return false
	}
	sent := by.Sent.Body.Root()
	in := unwrapped(v, sent)
	for _, m := range message.Values(by.Op, sent) {
		q, is := by.Op.Body.Shape.Schema.Property(m.Name), in.Get(m.Name)
		own := q != nil && q.Schema.Default == nil && hints.Refers(m.Name) == "" && m.Value.Kind == jsontree.String && len(m.Value.Text) > minText
		if own && is != nil && kept(m.Value, is) {
			return true
		}
	}
	return false
}

var listedBelowScenario = plan.Mutator{
	Name: "listed-below",
	Doc:  "Makes a thing below another one and lists what a second one has, up to its last page, because a server may list the things of all.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.List || len(r.Above) == 0 || s.Op.Listing == nil {
			return
		}
		below := func(g *plan.Gen, made *message.Message, lists ...plan.Step) []plan.Step {
			steps := row(simplest(g, r.Above[0].Make), made)
			steps[1].Kind = plan.Below
			steps = append(steps, plan.Step{Message: simplest(g, r.Above[0].Make), Aside: true, Resource: 1})
			for _, list := range lists {
				list.Kind, list.Resource = plan.About, 1
				steps = append(steps, list)
			}
			return steps
		}
		add(about("list", judges(listedBelow), 2, func(g *plan.Gen, draw int) []plan.Step {
			made := g.Request(r.Make, true)
			list := narrowed(g, s.Op, made)
			if draw == 1 {
				sift(s.Op.Listing, list, made) // it may be on a later page otherwise
			}
			return below(g, made, plan.Step{Message: list})
		}))
		if l := listOf(s); l != nil && len(l.bothEnds(plan.Probe(s.Op))) > 1 {
			// What other cases make meanwhile would be behind it.
			add(alone(about("last", judges(listedBelow), 1, func(g *plan.Gen, _ int) []plan.Step {
				return below(g, g.Request(r.Make, true), l.bothEnds(g)...)
			})))
		}
	},
}

// sift puts the values of what was made into the filters of a list, as far as they are texts
// of its own.
func sift(l *openapi.Listing, list, made *message.Message) {
	for _, f := range l.Filters {
		v := made.At("/" + jsontree.EscapePointer(f.Member))
		s := f.Schema()
		if f.Bound != openapi.Same || v == nil || s == nil || len(s.Enum) > 0 || s.Items != nil && len(s.Items.Enum) > 0 {
			continue
		}
		more := list.Clone()
		if !more.Set(f.Place(), v.Clone()) {
			continue
		}
		if mustAccept(more.Reading()) {
			*list = *more
		}
	}
}

// listedBelow: a list below one thing has nothing of another one.
var listedBelow = requirement.Rule{
	Name:        "listed-below",
	Rank:        requirement.History,
	Category:    report.Security,
	Means:       "a list shows what belongs to another parent",
	Doc:         "A list below a thing that the case made last has no item with a text of what a POST made below another one.",
	Explanation: "A list of what is below one resource (GET /parents/2/things) does not contain what was created below another one. Resources that can be created or put elsewhere too are not judged.",
	Fix:         "Select the items by the key of the resource above them that the path has.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if len(s.Resource.Above) == 0 || s.Op != s.Resource.List || s.Op.Listing == nil {
			return nil
		}
		return s.Should("RFC 3986, 3.3; RFC 9110, 9.3.1", "The list has nothing that %s made below another one.", s.Resource.Make.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by := maker(p)
		if by == nil || by.Op.Path != p.Op.Path || p.Op.Listing == nil || !p.Got.Success() || sameAbove(p, by) {
			return requirement.None
		}
		items, found := p.Got.Page().Items(p.Op.Listing)
		if !found {
			return requirement.None
		}
		for _, item := range items {
			if tells(p, item) {
				return requirement.Failed("listed", "a list without what "+by.Op.Name()+" made below another one", "it in "+describe(p))
			}
		}
		return requirement.Passed
	},
}

// sameAbove reports whether a request of the history is about the same thing as this one.
func sameAbove(p *requirement.Input, by *requirement.TraceStep) bool {
	for _, name := range openapi.Expressions(p.Op.Path) {
		at := openapi.PathPlace(name)
		a, b := by.Sent.Body.At(at), p.Sent.Body.At(at)
		if a == nil || b == nil || a.Text != b.Text {
			return a == nil || b == nil
		}
	}
	return true
}

var scoped = plan.Mutator{
	Name: "scoped",
	Doc:  "Makes a thing below each value of an enum in the path, other than the first, changes or deletes it there and reads it, because a server may treat test and production data, for example, in different ways.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read {
			return
		}
		for _, scope := range scopesOf(r) {
			for _, v := range scope.values {
				add(below(s, r, scope.place, v)...)
			}
		}
	},
}

// scope is a place in the path above the key of a resource that takes the values of an enum.
type scope struct {
	place  string
	values []*jsontree.Value // without the one that a baseline request has
}

// maxScopes is how many values of an enum are tried.
const maxScopes = 4

// scopesOf returns the scopes of a resource whose resources need nothing else that exists.
func scopesOf(r *resource.Resource) []scope {
	names := openapi.Expressions(r.Path)
	key := openapi.PathPlace(names[len(names)-1])
	needs := func(path string) bool { return path != key && !strings.HasPrefix(path, "header/") }
	if r.Make.Params == nil || slices.ContainsFunc(r.Make.Bind, needs) {
		return nil
	}
	var out []scope
	for _, m := range r.Make.Members() {
		if !strings.HasPrefix(m.Path, "path/") || len(m.Schema.Enum) < 2 || !strings.Contains(r.Path, "{"+m.Name+"}/") {
			continue
		}
		first := plan.Probe(r.Make).Baseline().At(m.Path)
		others := slices.DeleteFunc(slices.Clone(m.Schema.Enum), func(v *jsontree.Value) bool { return jsontree.Equal(v, first) })
		out = append(out, scope{m.Path, others[:min(len(others), maxScopes)]})
	}
	return out
}

// below returns the classes about a resource below one value of an enum.
func below(s *plan.Space, r *resource.Resource, place string, v *jsontree.Value) []plan.Class {
	at := func(list ...*message.Message) []plan.Step {
		for _, m := range list {
			m.Set(place, v.Clone())
		}
		steps := row(list...)
		for i := range steps[:len(steps)-1] {
			steps[i].Open = true // what is below another value may be closed
		}
		return steps
	}
	name := openapi.NameSlug(v.String())
	var out []plan.Class
	if write := writer(r); write != nil {
		out = append(out, about("changed-in-"+name, judges(createdReadable, storedCreated, storedReplaced, storedPatched), 1, func(g *plan.Gen, _ int) []plan.Step {
			return at(simplest(g, r.Make), simplest(g, s.Op), g.Request(write, true), simplest(g, s.Op))
		}))
	}
	if r.Delete != nil {
		out = append(out, alone(about("deleted-in-"+name, judges(createdReadable, storedCreated, gone), 1, func(g *plan.Gen, _ int) []plan.Step {
			return at(simplest(g, r.Make), simplest(g, s.Op), simplest(g, r.Delete), simplest(g, s.Op))
		})))
	}
	return out
}
