package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// naming returns the resources that an operation is about: it reads, changes, deletes or lists
// their things, does something with one or below one, or makes a thing that refers to one.
func naming(s *plan.Space) []*resource.Resource {
	var out []*resource.Resource
	for _, r := range s.Resources {
		own := []*openapi.Operation{r.Read, r.Head, r.Replace, r.Patch, r.Delete, r.List}
		if slices.Contains(own, s.Op) || r.IsPart(s.Op) || slices.Contains(allActions(r), s.Op) || r.NamedBy(s.Op) != nil {
			out = append(out, r)
		}
	}
	return out
}

// thenNamed adds a request that names the thing with this number. Only what holds in every
// state is judged: the request may be refused, but must not end in a server error.
func thenNamed(g *generate.Gen, r *resource.Resource, op *openapi.Operation, thing int, before ...plan.Step) []plan.Step {
	last := plan.Step{About: true, Thing: thing}
	last.Message = simplest(g, op)
	if place := r.NamedBy(op); place != nil {
		last.Message, last.Refers = giving(g, op, place), true
	} else if op == r.List {
		last.Message = wholeList(g, r)
	}
	return append(before, last)
}

// answers makes a class of cases whose last request must be answered, in a documented form. They
// run alone if they may delete.
func answerClass(op *openapi.Operation, kind string, cases int, build func(g *generate.Gen, draw int) []plan.Step) plan.Class {
	c := about(kind, []string{"answered"}, cases, build)
	c.Alone = op.Method == "DELETE"
	return c
}
