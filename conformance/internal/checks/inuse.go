package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var inUse = plan.Mutator{
	Name: "in-use",
	Doc:  "Makes a thing and another one that refers to it, deletes the first and calls the operations of both, because a server may fail where a thing is still in use, or where what it refers to is gone.",
	Classes: func(s *plan.Space) []plan.Class {
		if drawnFor(s) == 0 {
			return nil
		}
		var out []plan.Class
		for _, of := range s.Resources {
			if of.Delete == nil || of.Chosen() {
				continue
			}
			if of.NamedBy(s.Op) != nil {
				out = append(out, alone(answerClass(s.Op, openapi.Slug(of.Delete.Slug), 1, func(g *generate.Gen, _ int) []plan.Step {
					return thenNamed(g, of, s.Op, 0, row(simplest(g, of.Make), simplest(g, of.Delete))...)
				})))
			}
			for _, user := range s.Resources {
				place := of.NamedBy(user.Make)
				if place != nil && s.Op == of.Delete {
					out = append(out, alone(answerClass(s.Op, openapi.Slug(user.Make.Slug), 1, func(g *generate.Gen, _ int) []plan.Step {
						return thenNamed(g, of, s.Op, 0, used(g, of, user, place)...)
					})))
				}
				below := of.Holds(user) && s.Op != user.Read // deleted-above reads it
				if user == of || place == nil && !below || !slices.Contains(naming(s), user) || user.NamedBy(s.Op) != nil {
					continue
				}
				out = append(out, alone(answerClass(s.Op, openapi.Slug(of.Delete.Slug), 1, func(g *generate.Gen, _ int) []plan.Step {
					steps := used(g, of, user, place)
					thing := steps[1].Thing
					drop := plan.Step{Message: simplest(g, of.Delete), About: true, Aside: true, Open: true}
					return thenNamed(g, user, s.Op, thing, append(steps, drop)...)
				})))
			}
		}
		return out
	},
}

// used makes a thing, and another one that refers to it in its body or is below it.
func used(g *generate.Gen, of, user *resource.Resource, place *openapi.Member) []plan.Step {
	steps := row(simplest(g, of.Make), simplest(g, user.Make))
	if steps[1].Makes = true; place != nil {
		steps[1].Message, steps[1].Thing, steps[1].Refers = giving(g, user.Make, place), 1, true
	}
	return steps
}

// giving returns the simplest request that has a member.
func giving(g *generate.Gen, op *openapi.Operation, member *openapi.Member) *message.Message {
	m := simplest(g, op)
	g.Give(m, []openapi.Member{*member})
	return m
}
