package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var jsonPatchedScenario = plan.Mutator{
	Name: "json-patched",
	Doc:  "Makes a thing, reads it, sends a JSON Patch and reads it again, because a server may apply some of the operations, or those of a patch whose test fails.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if !r.TakesJSONPatch() || r.Make.Body == nil {
				continue
			}
			for _, kind := range patchKinds() {
				members := patchable(r, kind.optional)
				if len(members) == 0 {
					continue
				}
				out = append(out, about(kind.name, []string{"json-patched", "refused-unchanged"}, min(len(members), mostOperations), func(g *generate.Gen, draw int) []plan.Step {
					p := newPatch(g, r, members[draw])
					kind.build(p)
					steps := row(g.Request(r.Make, !kind.without), simplest(g, s.Op), p.message(), simplest(g, s.Op))
					steps[2].Open = true // a server may let nobody change this member
					return steps
				}))
			}
		}
		return out
	},
}

// mostOperations is how many members are patched in one way.
const mostOperations = 2

// patchKind is a way to patch a member. If it is optional, the thing may be without it, and
// is without it at first if the kind says so.
type patchKind struct {
	name              string
	optional, without bool
	build             func(p *patch)
}

func patchKinds() []patchKind {
	return []patchKind{
		{"replaced", false, false, func(p *patch) { p.add("replace", p.value) }},
		{"added", true, true, func(p *patch) { p.add("add", p.value) }},
		{"removed", true, false, func(p *patch) { p.add("remove", nil) }},
		{"tested", false, false, func(p *patch) { p.add("replace", p.value); p.add("test", p.other) }},
	}
}

// patchable lists the simple members that a thing is made with: all, or those that may be
// left out.
func patchable(r *resource.Resource, optional bool) []*openapi.Property {
	var out []*openapi.Property
	for _, p := range r.Make.Body.Shape.Schema.Properties {
		switch p.Schema.Type() {
		case "string", "integer", "number", "boolean":
			if !p.Schema.ReadOnly && !p.Schema.Never && !(optional && p.Required) {
				out = append(out, p)
			}
		}
	}
	return out
}
