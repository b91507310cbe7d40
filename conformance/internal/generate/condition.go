package generate

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

// Complete adds to an object the members that its members require through the
// conditions of the schema: dependentRequired, dependentSchemas, and if with then
// or else.
func (g *Gen) Complete(s *contract.Schema, v *jsontree.Value) { g.complete(s, v, 0) }

func (g *Gen) complete(s *contract.Schema, v *jsontree.Value, depth int) {
	for _, d := range s.Dependent {
		for _, name := range d.Needs {
			if p := s.Property(name); v.Get(d.Name) != nil && v.Get(name) == nil && g.spend(len(name)+4) {
				var schema *contract.Schema
				if p != nil {
					schema = p.Schema
				}
				v.Set(name, g.baseline(schema, depth+1))
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
func (g *Gen) Branch(c contract.Condition, v *jsontree.Value) *contract.Schema {
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
func (g *Gen) meet(s, part *contract.Schema, v *jsontree.Value, depth int) {
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
func silent(p *contract.Property) bool { return p != nil && p.Schema.Pointer == "" }
