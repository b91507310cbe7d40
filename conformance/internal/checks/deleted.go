package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var deleted = plan.Mutator{
	Name: "deleted",
	Doc:  "Makes a thing, deletes it and names it once more, because a server may answer that it deleted a thing and keep it.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range s.Resources {
			if r.Delete == nil || s.Op == r.Delete || s.Op == r.Replace {
				continue // a DELETE may be repeated, and a PUT may make the thing again
			}
			names := s.Op == r.Read || s.Op == r.Head || s.Op == r.Patch || r.IsPart(s.Op)
			if !names {
				continue
			}
			out = append(out, alone(about(openapi.Slug(r.Delete.Slug), []string{"gone"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				list := row(simplest(g, r.Make), simplest(g, r.Delete), simplest(g, s.Op))
				if s.Op.Method == http.MethodGet {
					// What it was before shows whether it is only marked as deleted.
					list = slices.Insert(list, 1, plan.Step{Message: simplest(g, s.Op), About: true})
					if put := r.PartAt(s.Op.Path, http.MethodPut); put != nil {
						// A part of it that a PUT writes is not there before.
						list = slices.Insert(list, 1, plan.Step{Message: simplest(g, put), About: true})
					}
				} else if s.Op == r.Head && r.Read != nil {
					// HEAD does not say whether it is only marked, and GET does.
					list = slices.Insert(list, 2, plan.Step{Message: simplest(g, r.Read), About: true, Open: true})
				} else if s.Op == r.Patch && r.Read != nil {
					// A PATCH may restore or change a thing that is only marked as deleted.
					list = slices.Insert(list, 1, plan.Step{Message: simplest(g, r.Read), About: true})
				}
				return list
			})))
		}
		return out
	},
}
