package checks

import (
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

var done = plan.Mutator{
	Name: "done",
	Doc:  "Makes a thing, reads it, does something with it and reads it again, because a server may answer with the new state and store nothing.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read {
			return
		}
		list := r.Actions()
		for i, op := range list[:min(len(list), maxActions)] {
			if resource.OnlyAsks(op) {
				continue
			}
			add(about(openapi.Slug(op.Slug), judges(storedDone, refusedUnchanged), 1, func(g *plan.Gen, _ int) []plan.Step {
				steps := row(g.Request(r.Make, true))
				for _, before := range list[:i] {
					// What is done with it may need another state.
					steps = append(steps, doing(g, before))
				}
				return append(steps, use(g, s.Op), doing(g, op), use(g, s.Op))
			}))
		}
	},
}

var afterDone = plan.Mutator{
	Name: "after-done",
	Doc:  "Makes a thing, does something with it and then calls each operation that names it, including the same one again, because a server may fail only in a state that it did not expect.",
	Classes: func(s *plan.Space) []plan.Class {
		if drawnFor(s) == 0 {
			return nil
		}
		var out []plan.Class
		for _, r := range naming(s) {
			for _, op := range stateful(r) {
				c := answerClass(s.Op, openapi.Slug(op.Slug), 1, func(g *plan.Gen, _ int) []plan.Step {
					act := doing(g, op)
					act.Kind = plan.Ready
					return thenNamed(g, r, s.Op, 0, append(script(g, r.Make), act)...)
				})
				c.Drawn = true // most failures occur without the steps before
				out = append(out, c)
			}
		}
		return out
	},
}

// stateful lists the actions that may change the state of a resource. Those that only create
// something below it come last.
func stateful(r *resource.Resource) []*openapi.Operation {
	list := slices.DeleteFunc(allActions(r), resource.OnlyAsks)
	slices.SortStableFunc(list, func(a, b *openapi.Operation) int { return creates(a) - creates(b) })
	return list[:min(len(list), maxActions)]
}

// creates is 1 for an operation that makes something, and else 0.
func creates(op *openapi.Operation) int {
	if op.Lists(http.StatusCreated) != nil {
		return 1
	}
	return 0
}

// storedDone: what is done with a resource stays done.
var storedDone = requirement.Rule{
	Name:        "stored-done",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "the state that an action answers with is not stored",
	Doc:         "If the answer to a request that does something with a thing is the thing, with the key that the path has, and a member in it differs from what was read before, then reading it does not give the old value again.",
	Explanation: "If an operation answers with the new state of a resource, reading the resource gives that state.",
	Fix:         "Store the new state before you answer, and clear what caches the old one.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		acts := func(op *openapi.Operation) bool { return s.Resource.IsPart(op) && op.Method == http.MethodPost }
		if s.Op != s.Resource.Read || !slices.ContainsFunc(s.Resource.Parts, acts) {
			return nil
		}
		return s.Should("RFC 9110, 9.3.3", "Reading gives the state that the answer to a POST about the thing had.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || !by.Aside || !by.Got.Success() || by.Got.Status == http.StatusAccepted || !p.Got.Success() {
			return requirement.None
		}
		was, said, is := lastRead(p, 0, at), resourceIn(p, answerOf(by)), resourceIn(p, p.Got.Reading.Root())
		if is == nil || !sameResource(was, said, by.Key) || partOf(p, was, said) {
			return requirement.None
		}
		out := requirement.None
		for _, m := range said.Members {
			old, now := was.Get(m.Name), is.Get(m.Name)
			if old == nil || now == nil || !scalar(m.Value) || jsontree.Equal(old, m.Value) {
				continue
			}
			if jsontree.Equal(now, old) {
				return requirement.Failed("not done "+m.Name, m.Name+" "+shown(p, m.Value)+", as "+by.Op.Name()+" answered", m.Name+" "+shown(p, now))
			}
			out = requirement.Passed
		}
		return out
	},
}

// sameResource reports whether two answers are about the resource with a key: both have it under
// one name.
func sameResource(a, b, key *jsontree.Value) bool {
	if a == nil || b == nil || key == nil {
		return false
	}
	for _, m := range a.Members {
		if other := b.Get(m.Name); scalar(m.Value) && m.Value.Text == key.Text && other != nil && other.Text == key.Text {
			return true
		}
	}
	return false
}

// partOf reports whether an answer that names a resource is about something that belongs to it: it
// has another id, or members that the resource does not have.
func partOf(p *requirement.Input, res, said *jsontree.Value) bool {
	return slices.ContainsFunc(said.Members, func(m jsontree.Member) bool {
		is := res.Get(m.Name)
		return is == nil && propertyOf(p, m.Name) == nil || is != nil && hints.IsKey(m.Name) && !jsontree.Equal(is, m.Value)
	})
}

var filled = plan.Mutator{
	Name: "filled",
	Doc:  "Makes a thing, puts or posts something below it and deletes it, because a server may fail where it is not empty.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Delete {
			return
		}
		for _, part := range fillers(r) {
			add(alone(about(openapi.Slug(part.Slug), judges(answered), 1, func(g *plan.Gen, _ int) []plan.Step {
				steps := script(g, r.Make, part, s.Op)
				steps[1].Aside = true
				return steps
			})))
		}
	},
}

// fillers returns the operations that put something below a resource: a PUT that names a
// further thing or a part, and a POST to a collection.
func fillers(r *resource.Resource) []*openapi.Operation {
	return slices.DeleteFunc(slices.Clone(r.Parts), func(op *openapi.Operation) bool {
		rest, below := strings.CutPrefix(op.Path, r.Path+"/")
		_, additional, _ := strings.Cut(strings.Trim(rest, "/"), "/")
		switch {
		case !below || op.IsAdditional() || op.Body == nil:
			return true
		case op.Method == http.MethodPut:
			return additional != "" && (strings.Contains(additional, "/") || !strings.HasPrefix(additional, "{"))
		}
		return op.Method != http.MethodPost || additional != "" || strings.HasPrefix(rest, "{") || op.Documented(2) == nil || op.Lists(http.StatusCreated) == nil
	})
}
