package checks

import (
	"net/http"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var partReplaced = plan.Mutator{
	Name: "part-replaced",
	Doc:  "Makes a thing, replaces a part of it twice and reads the part, such as the settings of a user, because a server may keep the first value, or none.",
	Classes: func(s *plan.Space) []plan.Class {
		if s.Op.Method != http.MethodGet {
			return nil
		}
		var out []plan.Class
		for _, r := range s.Resources {
			put := r.PartAt(s.Op.Path, http.MethodPut)
			if put == nil || put.Body == nil {
				continue
			}
			out = append(out, about(openapi.Slug(put.Slug), []string{"stored-replaced"}, draws, func(g *generate.Gen, draw int) []plan.Step {
				return row(simplest(g, r.Make), with(g, put, draws-1-draw), with(g, put, draw), simplest(g, s.Op))
			}))
		}
		return out
	},
}
