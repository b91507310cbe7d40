package checks

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// removed makes the cases that remove a member of an object in a thing, with null in a merge
// patch (RFC 7396, 2), where the schema allows that.
func removed(s *plan.Space, r *resource.Resource, members []*openapi.Property) []plan.Class {
	if r.Make.Body == nil || r.Make.Body.Shape == nil || !strings.HasPrefix(r.Patch.Body.Media, "application/merge-patch+json") {
		return nil
	}
	probe := generate.Probe(s.Op)
	members = slices.DeleteFunc(slices.Clone(members), func(p *openapi.Property) bool { return removing(probe, r, p) == nil })
	if len(members) == 0 {
		return nil
	}
	return []plan.Class{about("removed", []string{"stored-patched"}, len(members), func(g *generate.Gen, draw int) []plan.Step {
		steps := removing(g, r, members[draw])
		if steps == nil {
			steps = []*message.Message{g.Request(r.Make, true), simplest(g, r.Patch)}
		}
		return row(steps[0], simplest(g, s.Op), steps[1], simplest(g, s.Op))
	})}
}

// removing returns a request that makes a thing with an object in it, and a patch that removes
// a member of that object. It is nil if no member may be null.
func removing(g *generate.Gen, r *resource.Resource, p *openapi.Property) []*message.Message {
	at, made, q := "/"+jsontree.EscapePointer(p.Name), g.Request(r.Make, true), r.Make.Body.Shape.Schema.Property(p.Name)
	v := made.At(at)
	if q == nil || v == nil || v.Kind != jsontree.Object {
		return nil
	}
	if name, schema, open := g.FurtherName(q.Schema); open && schema != nil && !schema.Never && len(v.Members) == 0 {
		v.Members = append(v.Members, jsontree.M(name, g.BaselineValue(schema)))
		if !mustAccept(made.Reading()) {
			return nil
		}
	}
	for _, m := range v.Members {
		patch := simplest(g, r.Patch)
		if !patch.Set(at, jsontree.NewObject(jsontree.M(m.Name, jsontree.NewNull()))) {
			continue
		}
		if mustAccept(patch.Reading()) {
			return []*message.Message{made, patch}
		}
	}
	return nil
}
