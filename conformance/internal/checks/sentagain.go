package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var sentAgain = plan.Mutator{
	Name: "sent-again",
	Doc:  "Sends a request that makes a thing twice with one value of a header field such as Idempotency-Key, where the description of the field says what happens to a request that is sent again, because a server may make two things.",
	Classes: func(s *plan.Space) []plan.Class {
		field := s.Op.MadeOnce()
		if field == nil || !slices.ContainsFunc(s.Resources, func(r *resource.Resource) bool { return r.Make == s.Op && !r.Chosen() }) {
			return nil
		}
		members := s.Op.Members()
		at := slices.IndexFunc(members, func(m openapi.Member) bool { return m.Path == field.Place() })
		c := about("post", []string{"made-once"}, 1, func(g *generate.Gen, _ int) []plan.Step {
			first := giving(g, s.Op, &members[at])
			return []plan.Step{{Message: first}, {Message: first.Clone(), Repeats: true}}
		})
		c.Hinted = s.Op.Accepted.MadeOnce == nil
		return []plan.Class{c}
	},
}
