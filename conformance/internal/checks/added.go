package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

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
	return about(openapi.Slug(post.Slug), []string{"stored-added"}, draws, func(g *generate.Gen, draw int) []plan.Step {
		page := (&list{Listing: s.Op.Listing, op: s.Op}).recent(g)
		page.About = true
		var made []*message.Message
		for _, op := range above {
			made = append(made, simplest(g, op))
		}
		return append(row(append(made, with(g, post, draw))...), page)
	})
}
