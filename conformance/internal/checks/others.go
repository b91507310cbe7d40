package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var others = plan.Mutator{
	Name: "others",
	Doc:  "Makes a thing and lists, reads, changes or deletes it as another principal, because a server may check who asks and not to whom the thing belongs, or check it too late.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasOther() {
			return nil
		}
		var out []plan.Class
		for _, r := range s.Resources {
			out = append(out, othersUnlistedClasses(s, r)...)
			if r.ForOthers(s.Op) == nil {
				continue
			}
			out = append(out, othersUnchangedClasses(s, r)...)
			out = append(out, about("named", []string{"others-kept"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				// What its maker reads shows whether the other one names the same thing.
				steps := row(simplest(g, r.Make), simplest(g, r.Read))
				if post := fillerOf(r, s.Op); post != nil {
					steps = append(steps, plan.Step{Message: g.Request(post, true), About: true, Aside: true, Open: true})
				}
				if r.IsPart(s.Op) && s.Op.Method == http.MethodGet {
					steps = append(steps, plan.Step{Message: simplest(g, s.Op), About: true, Aside: true})
				}
				theirs := row(nil, simplest(g, r.Read), simplest(g, s.Op))[1:]
				if s.Op == r.Read {
					theirs = theirs[1:]
				}
				return append(steps, asOther(theirs)...)
			}))
		}
		return out
	},
}

// fillerOf returns the POST that adds to a list below a thing, or nil. An empty list would
// reveal nothing.
func fillerOf(r *resource.Resource, op *openapi.Operation) *openapi.Operation {
	if op.Method != http.MethodGet || op.Listing == nil || !r.IsPart(op) {
		return nil
	}
	return r.PartAt(op.Path, http.MethodPost)
}

// asOther makes steps requests of the other principal.
func asOther(steps []plan.Step) []plan.Step {
	for _, st := range steps {
		st.Message.Other = true
	}
	return steps
}

// othersUnchanged makes the cases that read a thing after the other principal asked to change
// or delete it.
func othersUnchangedClasses(s *plan.Space, r *resource.Resource) []plan.Class {
	var out []plan.Class
	if s.Op != r.Read {
		return nil
	}
	for _, change := range r.ChangesForOthers() {
		if !change.HasOther() {
			continue
		}
		out = append(out, about(openapi.Slug(change.Slug), []string{"others-unchanged"}, 1, func(g *generate.Gen, _ int) []plan.Step {
			read := func() plan.Step { return plan.Step{Message: simplest(g, r.Read), About: true} }
			theirs := asOther([]plan.Step{read(), {Message: g.Request(change, true), About: true}})
			return append(append(row(simplest(g, r.Make)), read()), append(theirs, read())...)
		}))
	}
	return out
}

// othersUnlisted makes the case that lists as the other principal what that one cannot read.
func othersUnlistedClasses(s *plan.Space, r *resource.Resource) []plan.Class {
	if !r.ListsOwned(s.Op) || !r.Read.HasOther() {
		return nil
	}
	l := listOf(s)
	return []plan.Class{alone(about("listed", []string{"others-unlisted"}, 1, func(g *generate.Gen, _ int) []plan.Step {
		steps := append(row(g.Request(r.Make, true), simplest(g, r.Read)), l.bothEnds(g)...)
		return append(steps, asOther(append([]plan.Step{{Message: simplest(g, r.Read), About: true}}, l.bothEnds(g)...))...)
	}))}
}
