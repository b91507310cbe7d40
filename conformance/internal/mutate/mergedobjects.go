package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var mergedObjects = plan.Mutator{
	Name: "merged-objects",
	Doc:  "Sends members of the schema inside __proto__ and constructor.prototype, then a valid request without the optional ones, because code that merges objects deeply can change the defaults of every later request.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Closed {
			return nil
		}
		optional := slices.DeleteFunc(s.Op.Body.Shape.Schema.Optional(), func(p *openapi.Property) bool { return p.Schema.Never })
		if len(optional) == 0 {
			return nil
		}
		return []plan.Class{several("prototype", plan.ExpectNothing, 1, 2, func(g *generate.Gen, draw int) []plan.Step {
			inside := jsontree.NewObject()
			for _, p := range optional {
				inside.Set(p.Name, g.BaselineAt("/"+jsontree.EscapePointer(p.Name), p.Schema))
			}
			m := g.Baseline()
			if draw == 0 {
				m.Tree.Set("__proto__", inside)
			} else {
				m.Tree.Set("constructor", jsontree.NewObject(jsontree.M("prototype", inside)))
			}
			return row(m, g.Baseline())
		})}
	},
}
