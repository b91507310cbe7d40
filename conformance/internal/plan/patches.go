package plan

import (
	"cmp"
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// namePatches names a JSON Patch for each PATCH that takes one first, unless the user named
// values of its body. A patch that is drawn from the schema alone changes a member that the thing
// does not have, and is refused (RFC 6902, 4 and 5).
func namePatches(resources []*resource.Resource) {
	for _, r := range resources {
		if r.Patch == nil || r.Patch.Body == nil || !r.Patch.Body.Shape.Patch || len(r.Patch.Body.Shape.Domains) > 0 || r.Make == nil || r.Make.Body == nil {
			continue
		}
		if v := applicable(r); v != nil {
			r.Patch.Body.Shape.Domains[""] = openapi.Domain{Value: v}
		}
	}
}

// applicable returns a patch of one simple member that a thing is made with, or nil: the best of
// those that a server can apply.
func applicable(r *resource.Resource) *jsontree.Value {
	list := slices.Clone(r.Make.Body.Shape.Schema.Properties)
	slices.SortStableFunc(list, func(a, b *openapi.Property) int { return cmp.Compare(doubts(a), doubts(b)) })
	for _, p := range list {
		if !patchable(r, p) {
			continue
		}
		path := "/" + jsontree.EscapePointer(p.Name)
		value := generate.Probe(r.Make).BaselineAt(path, p.Schema)
		for _, op := range []string{"replace", "add"} {
			if op == "replace" && !p.Required {
				continue // the thing may be without it
			}
			v := jsontree.NewArray(jsontree.NewObject(jsontree.M("op", jsontree.NewString(op)), jsontree.M("path", jsontree.NewString(path)), jsontree.M("value", value)))
			if r.Patch.Body.Shape.Read(v.Emit()).Kind != openapi.Invalid {
				return v
			}
		}
	}
	return nil
}

// doubts counts why a server may refuse another value of a member: what is optional may depend on
// others, and no two things may have the same name.
func doubts(p *openapi.Property) (n int) {
	if !p.Required {
		n += 2
	}
	if p.Schema.Type() == "string" && p.Schema.Enum == nil {
		n++
	}
	return n
}

// patchable reports whether a member is simple and no key.
func patchable(r *resource.Resource, p *openapi.Property) bool {
	if p.Schema.ReadOnly || p.Schema.Never || openapi.IsKey(p.Name) || slices.Contains(openapi.Expressions(r.Patch.Path), p.Name) {
		return false
	}
	return slices.Contains([]string{"boolean", "integer", "number", "string"}, p.Schema.Type())
}
