package generate

import (
	"slices"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// Complete adds to an object the members that its members require through the
// conditions of the schema: dependentRequired, dependentSchemas, and if with then
// or else.
func (g *Gen) Complete(s *openapi.Schema, v *jsontree.Value) { g.complete(s, v, 0) }

// Accompany adds to an object the members that one of its members requires through
// dependentRequired and dependentSchemas, and those that these require. It changes no
// member that is there.
func (g *Gen) Accompany(s *openapi.Schema, v *jsontree.Value, name string) {
	before := len(v.Members)
	for _, d := range s.Dependent {
		for _, need := range d.Needs {
			if d.Name == name && v.Get(need) == nil {
				g.add(s, v, need, 0)
			}
		}
	}
	for _, d := range s.Depending {
		if d.Name == name {
			g.meet(s, &openapi.Schema{Properties: slices.DeleteFunc(slices.Clone(d.Schema.Properties), func(p *openapi.Property) bool {
				return v.Get(p.Name) != nil
			})}, v, 0)
		}
	}
	for _, m := range v.Members[before:] {
		g.Accompany(s, v, m.Name)
	}
}

// add adds a member to an object, with the schema that the object has for it.
func (g *Gen) add(s *openapi.Schema, v *jsontree.Value, name string, depth int) {
	var schema *openapi.Schema
	if p := s.Property(name); p != nil {
		schema = p.Schema
	}
	v.Set(name, g.baseline(schema, depth+1))
}

func (g *Gen) complete(s *openapi.Schema, v *jsontree.Value, depth int) {
	for _, d := range s.Dependent {
		for _, name := range d.Needs {
			if v.Get(d.Name) != nil && v.Get(name) == nil && g.spend(len(name)+4) {
				g.add(s, v, name, depth)
			}
		}
	}
	for _, d := range s.Depending {
		if v.Get(d.Name) != nil {
			g.meet(s, d.Schema, v, depth)
		}
	}
	for _, c := range s.Conditions {
		if branch := g.Branch(c, v); branch != nil {
			g.meet(s, branch, v, depth)
		}
	}
}

// Branch returns the schema that applies to a value through a condition: then or else,
// or nil if there is none.
func (g *Gen) Branch(c openapi.Condition, v *jsontree.Value) *openapi.Schema {
	switch {
	case g.judge() == nil:
		return nil
	case g.judge().Matches(c.If, v):
		return c.Then
	}
	return c.Else
}

// meet adds to an object the members that another schema requires, and replaces the
// values that it does not allow.
func (g *Gen) meet(s, part *openapi.Schema, v *jsontree.Value, depth int) {
	for _, p := range part.Properties {
		old := v.Get(p.Name)
		if old == nil && !p.Required || old != nil && (silent(p) || g.judge().Matches(p.Schema, old)) {
			continue
		}
		schema := p.Schema
		if own := s.Property(p.Name); own != nil && (silent(p) || old == nil) {
			value := g.baseline(own.Schema, depth+1)
			if silent(p) || g.judge().Matches(p.Schema, value) {
				v.Set(p.Name, value)
				continue
			}
		}
		v.Set(p.Name, g.baseline(schema, depth+1))
	}
}

// silent reports whether a member is required without a schema.
func silent(p *openapi.Property) bool { return p != nil && p.Schema.Pointer == "" }
