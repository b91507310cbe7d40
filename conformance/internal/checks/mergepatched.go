package checks

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// objectPatch returns a request that makes a resource with an object at a member, and a patch of
// that object. They are nil if there is none that must be accepted.
type objectPatch func(g *plan.Gen, r *resource.Resource, p *schema.Property) (made, patch *message.Message)

// mergePatched makes the cases that change an object in a resource with a merge patch (RFC 7396,
// 2): remove a member of it with null, or name another one.
func mergePatched(s *plan.Space, r *resource.Resource, members []*schema.Property) []plan.Class {
	if r.Make.Body == nil || r.Make.Body.Shape == nil || !isMergePatch(r.Patch) {
		return nil
	}
	var out []plan.Class
	probe := plan.Probe(s.Op)
	for _, one := range []struct {
		kind  string
		rule  requirement.Rule
		build objectPatch
	}{{"removed", storedPatched, removing}, {"another-named", patchLeavesRest, namingAnother}} {
		fit := slices.DeleteFunc(slices.Clone(members), func(p *schema.Property) bool {
			made, _ := one.build(probe, r, p)
			return made == nil
		})
		if len(fit) == 0 {
			continue
		}
		out = append(out, about(one.kind, judges(one.rule), len(fit), func(g *plan.Gen, draw int) []plan.Step {
			made, patch := one.build(g, r, fit[draw])
			if made == nil {
				made, patch = g.Request(r.Make, true), simplest(g, r.Patch)
			}
			return row(made, simplest(g, s.Op), patch, simplest(g, s.Op))
		}))
	}
	return out
}

// isMergePatch reports whether an operation takes merge patches.
func isMergePatch(op *openapi.Operation) bool {
	return op.Body != nil && strings.HasPrefix(op.Body.Media, "application/merge-patch+json")
}

// withObject returns a request that makes a resource with an object at a member, the place of it,
// and the object, which has a member if it may.
func withObject(g *plan.Gen, r *resource.Resource, p *schema.Property) (made *message.Message, at string, v *jsontree.Value) {
	in, _ := envelope(r.Patch.Body)
	at, made = in+"/"+jsontree.EscapePointer(p.Name), g.Request(r.Make, true)
	q := propertyBelow(r.Make.Body.Shape.Schema, p.Name)
	if v = made.At(at); q == nil || v == nil || v.Kind != jsontree.Object {
		return made, at, nil
	}
	if name, of, open := g.AdditionalName(q.Schema, v); open && of != nil && !of.Never && len(v.Members) == 0 {
		v.Members = append(v.Members, jsontree.M(name, g.BaselineValue(of)))
		if !mustAccept(made.Reading()) {
			return made, at, nil
		}
	}
	return made, at, v
}

// removing patches one member of the object with null.
func removing(g *plan.Gen, r *resource.Resource, p *schema.Property) (made, patch *message.Message) {
	made, at, v := withObject(g, r, p)
	if v == nil {
		return nil, nil
	}
	for _, m := range v.Members {
		patch := simplest(g, r.Patch)
		if patch.Set(at, jsontree.NewObject(jsontree.M(m.Name, jsontree.NewNull()))) && mustAccept(patch.Reading()) {
			return made, patch
		}
	}
	return nil, nil
}

// namingAnother patches the object with one member, beside another one that it has.
func namingAnother(g *plan.Gen, r *resource.Resource, p *schema.Property) (made, patch *message.Message) {
	made, at, v := withObject(g, r, p)
	if v == nil {
		return nil, nil
	}
	var list []jsontree.Member
	for _, q := range p.Schema.Properties {
		list = append(list, jsontree.M(q.Name, g.BaselineValue(q.Schema)))
	}
	if name, of, open := g.AdditionalName(p.Schema, nil); open && of != nil && !of.Never {
		list = append(list, jsontree.M(name, g.BaselineValue(of)))
	}
	for _, m := range list {
		patch := simplest(g, r.Patch)
		beside := slices.ContainsFunc(v.Members, func(is jsontree.Member) bool { return is.Name != m.Name })
		if beside && patch.Set(at, jsontree.NewObject(m)) && mustAccept(patch.Reading()) {
			return made, patch
		}
	}
	return nil, nil
}

// mergedRest fails a member of an object that a merge patch of the object does not name, and that
// is gone or another now (RFC 7396, 2).
func mergedRest(p *requirement.Input, at int, patch *jsontree.Value) requirement.Outcome {
	is, out := resourceIn(p, p.Got.Reading.Root()), requirement.None
	for _, m := range patch.Members {
		was, _ := knownBefore(p, at, m.Name)
		now := is.Get(m.Name)
		if m.Value.Kind != jsontree.Object || was == nil || was.Kind != jsontree.Object || now == nil || now.Kind != jsontree.Object {
			continue
		}
		if was = given(p, at, m.Name, was); was == nil {
			continue
		}
		for _, old := range was.Members {
			v := now.Get(old.Name)
			switch {
			case m.Value.Get(old.Name) != nil || old.Value.Kind == jsontree.Null || secret(old.Name):
			case v == nil || !kept(old.Value, v):
				name := m.Name + "/" + old.Name
				return requirement.Failed("changed "+name, name+" as before the PATCH, which does not name it", name+" "+shown(p, v))
			default:
				out = requirement.Passed
			}
		}
	}
	return out
}
