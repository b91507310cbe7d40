package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// room is where an object takes members that no property names.
type room struct {
	name   func(g *generate.Gen) (string, bool)
	schema *openapi.Schema
}

func (p *place) rooms() []room {
	s := p.schema
	if s.Type() != "object" {
		return nil
	}
	var out []room
	for _, k := range s.Patterns {
		out = append(out, room{func(g *generate.Gen) (string, bool) { return g.Named(k.Pattern) }, k.Schema})
	}
	if !s.Closed && (s.Extra != nil || s.Names != nil) {
		out = append(out, room{func(g *generate.Gen) (string, bool) {
			name, _, ok := g.FurtherName(s)
			return name, ok
		}, s.Extra})
	}
	return out
}

var additionalMembers = plan.Mutator{
	Name: "additional-members",
	Doc:  "Adds members that patternProperties, additionalProperties or propertyNames allow, with matching and other values, because servers often ignore the schema of such members.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			rooms := p.rooms()
			var fit []room
			var bad []misfit
			for _, r := range rooms {
				for range givenEach {
					fit = append(fit, r)
				}
				if r.schema == nil {
					continue
				}
				for _, value := range unfit {
					bad = append(bad, misfit{r, value})
				}
			}
			return slices.Concat(
				sorted(s, p.where(), "further-member", fit, p.further),
				invalid(s, p.where(), "unfit-further-member", bad, p.unfitting),
				p.fullest(s))
		})
	},
}

// misfit is a member that is let in, with a value that may not be.
type misfit struct {
	room  room
	value another
}

func (p *place) further(g *generate.Gen, r room) *message.Message {
	return p.unfitting(g, misfit{r, func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value { return right }})
}

func (p *place) unfitting(g *generate.Gen, bad misfit) *message.Message {
	m := p.in(g)
	v := p.get(m)
	name, ok := bad.room.name(g)
	if !ok || v == nil || v.Kind != jsontree.Object || v.Get(name) != nil {
		return nil
	}
	v.Set(name, bad.value(g, g.BaselineValue(bad.room.schema)))
	return m
}

// fullest are objects with as many members as are just allowed.
func (p *place) fullest(s *plan.Space) []plan.Class {
	var counts []int
	if n := p.schema.MinProps; n != nil {
		counts = append(counts, *n, *n+1)
	}
	if n := p.schema.MaxProps; n != nil {
		counts = append(counts, *n-1, *n)
	}
	slices.Sort(counts)
	return sorted(s, p.where(), "members", slices.Compact(counts), func(g *generate.Gen, n int) *message.Message {
		m := p.in(g)
		v := p.get(m)
		if v == nil || v.Kind != jsontree.Object {
			return nil // a schema that names no type has other must-accept values
		}
		for _, q := range p.members() {
			if v.Get(q.Name) == nil && len(v.Members) < n && !q.Schema.Never && !q.Schema.ReadOnly {
				v.Set(q.Name, g.BaselineValue(q.Schema))
			}
		}
		for len(v.Members) < min(n, mostItems) {
			name, schema, ok := g.FurtherName(p.schema)
			if !ok || v.Get(name) != nil {
				return nil
			}
			v.Set(name, g.BaselineValue(schema))
		}
		if len(v.Members) != n {
			return nil
		}
		return m
	})
}
