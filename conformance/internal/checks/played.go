package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// played returns the request that makes a thing and the steps of an order about it.
func played(g *generate.Gen, r *resource.Resource, o order) []plan.Step {
	out := row(g.Request(r.Make, true))
	full := false
	for _, step := range o.steps {
		one := plan.Step{About: true}
		switch step {
		case stepRead:
			one.Message = simplest(g, r.Read)
		case stepPut:
			one.Message = with(g, r.Replace, 1+g.Rand.Intn(2))
			if full {
				one.Message = g.Request(r.Replace, true)
			}
			full = !full
		case stepPatch:
			one.Message = somePatch(g, r.Patch)
		case stepAction:
			one = doing(g, allActions(r)[o.action])
		case stepRefused:
			one.Message, one.Open = spoiled(g, r.Patch), true
		case stepDelete:
			one.Message = simplest(g, r.Delete)
		case stepList:
			one.Message = wholeList(g, r)
		case stepMake:
			one = plan.Step{Message: simplest(g, r.Make), Aside: true, Thing: 1}
		case stepDrop:
			one = plan.Step{Message: simplest(g, r.Delete), About: true, Aside: true, Thing: 1}
		}
		out = append(out, one)
	}
	return out
}

// doing is a step that does something with the thing, which may be refused.
func doing(g *generate.Gen, op *openapi.Operation) plan.Step {
	return plan.Step{Message: g.Request(op, true), About: true, Aside: true, Open: true}
}

// thenRead is played with a read of the thing at the end.
func thenRead(g *generate.Gen, r *resource.Resource, o order) []plan.Step {
	return append(played(g, r, o), plan.Step{Message: simplest(g, r.Read), About: true})
}

// wholeList returns a request for the list that shows what was made last, without filters.
func wholeList(g *generate.Gen, r *resource.Resource) *message.Message {
	return narrowed(g, r.List, simplest(g, r.List))
}

// somePatch returns a patch of one or two members.
func somePatch(g *generate.Gen, op *openapi.Operation) *message.Message {
	m := simplest(g, op)
	members := op.Body.Shape.Schema.Properties
	for range 1 + g.Rand.Intn(2) {
		p := members[g.Rand.Intn(len(members))]
		g.Enrich(m, []*openapi.Property{p})
	}
	return m
}
