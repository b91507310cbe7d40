package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var siblings = plan.Mutator{
	Name: "siblings",
	Doc:  "Makes two things in one collection, deletes one of them and reads or lists the other one, because a server may delete by a condition that both of them meet.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if !r.LeavesSiblings() {
				continue
			}
			out = append(out, alone(about("read", []string{"siblings-kept"}, 2, func(g *generate.Gen, draw int) []plan.Step {
				steps := parted(g, r, draw)
				return append(steps, plan.Step{Message: simplest(g, s.Op), About: true, Thing: draw})
			})))
		}
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.List }) {
			if !r.LeavesSiblings() || s.Op.Listing == nil || s.Op.Listing.Key == "" {
				continue
			}
			out = append(out, alone(about("list", []string{"siblings-kept"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				steps := parted(g, r, 0)
				steps[0].Own = true // a list that others share may have it on a later page
				whole := func() plan.Step { return plan.Step{Message: wholeList(g, r), About: true} }
				return append(slices.Insert(steps, 2, whole()), plan.Step{Message: simplest(g, r.Read), About: true}, whole())
			})))
		}
		return out
	},
}

// sibling makes another thing in the collection of the first one, with a number.
func sibling(m *message.Message, thing int) plan.Step {
	nested := len(openapi.Expressions(m.Op.Path)) > 0
	return plan.Step{Message: m, About: nested, Makes: nested, Thing: thing}
}

// parted makes steps that make two things in one collection, read the one of a number and
// delete the other.
func parted(g *generate.Gen, r *resource.Resource, kept int) []plan.Step {
	steps := row(simplest(g, r.Make), simplest(g, r.Make), simplest(g, r.Read), simplest(g, r.Delete))
	steps[1] = sibling(steps[1].Message, 1)
	steps[2].Thing, steps[3].Thing = kept, 1-kept
	steps[1-kept].Aside, steps[3].Aside = true, true
	return steps
}
