package lifecycles

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
)

var added = plan.Mutator{
	Name: "added",
	Doc:  "Makes a thing, posts an item to a list below it, such as the comments of a page, or one above which nothing is, and reads the list, because a server may answer that it took an item and keep nothing. It is tried where no single item can be read.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			post := r.Adder(s.Op)
			if post == nil {
				continue
			}
			out = append(out, about(contract.Slug(post.Slug), []string{"stored-added"}, draws, func(g *generate.Gen, draw int) []plan.Step {
				page := (&list{Listing: s.Op.Listing, op: s.Op}).recent(g)
				page.About = true
				return append(row(simplest(g, r.Make), with(g, post, draw)), page)
			}))
		}
		if s.Adder != nil {
			out = append(out, alone(about(contract.Slug(s.Adder.Slug), []string{"stored-added"}, draws, func(g *generate.Gen, draw int) []plan.Step {
				page := (&list{Listing: s.Op.Listing, op: s.Op}).recent(g)
				page.About = true
				return append(row(with(g, s.Adder, draw)), page)
			})))
		}
		return out
	},
}
