package checks

import (
	"net/http"
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/rule"
)

var refusedScenario = plan.Mutator{
	Name: "refused",
	Doc:  "Makes a thing, reads it, sends a change with a valid and an invalid member, or with a tag in If-Match that it never had, and reads it again, because a server may store members one after the other until one is refused.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			for _, change := range []*openapi.Operation{r.Patch, r.Replace} {
				if change == nil || change == r.Make {
					continue
				}
				if change.Body != nil && change.Lists(http.StatusPreconditionFailed) != nil && takesTag(change, plan.AsForeign) {
					out = append(out, about(openapi.Slug(change.Slug)+"-matched", []string{"refused-unchanged"}, 1, func(g *generate.Gen, _ int) []plan.Step {
						steps := inForm(conditional(row(g.Request(r.Make, true), simplest(g, s.Op), g.Request(change, true)), "If-Match", 1), plan.AsForeign)
						steps[2].Open = true
						return append(steps, plan.Step{Message: simplest(g, s.Op), About: true})
					}))
				}
				if !canSpoil(change) {
					continue
				}
				out = append(out, about(openapi.Slug(change.Slug), []string{"refused-unchanged"}, 1, func(g *generate.Gen, _ int) []plan.Step {
					steps := row(g.Request(r.Make, true), simplest(g, s.Op), spoiled(g, change), simplest(g, s.Op))
					steps[2].Open = true
					return steps
				}))
			}
		}
		return out
	},
}

// refusedUnchanged: what is refused changes nothing.
var refusedUnchanged = rule.Rule{
	Name:        "refused-unchanged",
	Rank:        rule.History,
	Role:        rule.RoleHistory,
	Doc:         "An answer that reads a thing after a refused request about it has the values from before. After 408 the request may have been handled in part.",
	Explanation: "A request that is refused leaves the resource as it was: a change is made as a whole or not at all.",
	Fix:         "Check the whole request before you change anything, or change everything in one transaction.",
	Check: func(p *rule.Input) rule.Outcome {
		by, at := p.Wrote()
		if by == nil || !by.Got.Refusal() || by.Got.Status == http.StatusRequestTimeout || !p.Got.Success() {
			return rule.None
		}
		return changedRest(p, at, nil, by.Op.Name()+" that was refused")
	},
}

// canSpoil reports whether a body can have a valid member and one of a wrong type.
func canSpoil(op *openapi.Operation) bool {
	if op.Body == nil || op.Body.Form() {
		return false
	}
	members := op.Body.Shape.Schema.Properties
	return len(members) > 1 && slices.ContainsFunc(members, func(p *openapi.Property) bool { return wrongFor(p) != nil })
}

// wrongFor returns a value of a type that no server takes for that of a member, or nil.
func wrongFor(p *openapi.Property) *jsontree.Value {
	switch {
	case p.Schema.ReadOnly || p.Schema.Never:
	case !p.Schema.Allows("object"):
		return jsontree.NewObject()
	case !p.Schema.Allows("array"):
		return jsontree.NewArray()
	}
	return nil
}

// spoiled returns a request with new values that is invalid at its last member alone.
func spoiled(g *generate.Gen, op *openapi.Operation) *message.Message {
	m := simplest(g, op)
	members := slices.Clone(op.Body.Shape.Schema.Properties)
	i := len(members) - 1
	for wrongFor(members[i]) == nil {
		i--
	}
	wrong := members[i]
	g.Enrich(m, slices.Delete(members, i, i+1))
	m.Tree.Members = slices.DeleteFunc(m.Tree.Members, func(v jsontree.Member) bool { return v.Name == wrong.Name })
	m.Tree.Set(wrong.Name, wrongFor(wrong))
	return m
}
