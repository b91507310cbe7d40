package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var filled = plan.Mutator{
	Name: "filled",
	Doc:  "Makes a thing, puts or posts something below it and deletes it, because a server may fail where it is not empty.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.Delete }) {
			for _, part := range fillers(r) {
				out = append(out, alone(about(openapi.Slug(part.Slug), []string{"answered"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					steps := row(simplest(g, r.Make), simplest(g, part), simplest(g, s.Op))
					steps[1].Aside = true
					return steps
				})))
			}
		}
		return out
	},
}

// fillers returns the operations that put something below a thing: a PUT that names a
// further thing or a part, and a POST to a collection.
func fillers(r *resource.Resource) []*openapi.Operation {
	return slices.DeleteFunc(slices.Clone(r.Parts), func(op *openapi.Operation) bool {
		rest, below := strings.CutPrefix(op.Path, r.Path+"/")
		_, further, _ := strings.Cut(strings.Trim(rest, "/"), "/")
		switch {
		case !below || op.IsFurther() || op.Body == nil:
			return true
		case op.Method == http.MethodPut:
			return further != "" && (strings.Contains(further, "/") || !strings.HasPrefix(further, "{"))
		}
		return op.Method != http.MethodPost || further != "" || strings.HasPrefix(rest, "{") || op.Documented(2) == nil || op.Lists(http.StatusCreated) == nil
	})
}
