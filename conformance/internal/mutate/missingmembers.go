package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

const missingEach = 4

var missingMembers = plan.Mutator{
	Name: "missing-members",
	Doc:  "Leaves out one or two required members, because servers often fill in a default for a missing member.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		list := required(s)
		for i, p := range list {
			out = append(out, invalid(s, p.where(), "missing", make([]int, missingEach), without(p))...)
			out = append(out, invalid(s, p.where(), "missing-but-nested", []int{0, 1, 2, 3}, nestedOnly(p))...)
			out = append(out, ahead(invalid(s, p.where(), "missing-beside-others", make([]int, 1), amongOthers(p)))...)
			for _, q := range list[i+1:] {
				if q.up == p.up {
					out = append(out, invalid(s, p.up.where(), "missing-"+lastPart(p)+"-"+lastPart(q), make([]int, 1), without(p, q))...)
				}
			}
		}
		return out
	},
}

// without returns a baseline request that lacks the members.
func without(list ...*place) func(*generate.Gen, int) *message.Message {
	return func(g *generate.Gen, _ int) *message.Message {
		m := list[0].in(g)
		for _, p := range list {
			if up := p.up.get(m); up != nil {
				up.Remove(p.name)
			}
		}
		return m
	}
}

// nestedOnly returns a request that has the member in an unknown member alone: in an object, in
// one in an array, or where JavaScript keeps what an object inherits.
func nestedOnly(p *place) func(*generate.Gen, int) *message.Message {
	return func(g *generate.Gen, draw int) *message.Message {
		m := p.in(g)
		up := p.up.get(m)
		if p.up.schema.Closed || up == nil || up.Kind != jsontree.Object || up.Get(p.name) == nil {
			return nil
		}
		name, inside := stray, jsontree.NewObject(jsontree.M(p.name, up.Get(p.name)))
		switch draw {
		case 1:
			inside = jsontree.NewArray(inside)
		case 2:
			name = "__proto__"
		case 3:
			name, inside = "constructor", jsontree.NewObject(jsontree.M("prototype", inside))
		}
		up.Remove(p.name)
		up.Set(name, inside)
		return m
	}
}

// amongOthers returns a request with every other member of an object below the top and
// without the one. An empty object may be refused for being empty, and a parameter
// cannot even hold one.
func amongOthers(p *place) func(*generate.Gen, int) *message.Message {
	return func(g *generate.Gen, _ int) *message.Message {
		if p.up.up == nil {
			return nil
		}
		m := p.in(g)
		up := p.up.get(m)
		if up == nil || up.Kind != jsontree.Object {
			return nil
		}
		up.Remove(p.name)
		if len(up.Members) > 0 {
			return nil // the plain case has others already
		}
		for _, q := range p.up.members() {
			if q.Name != p.name && !q.Schema.Never && !q.Schema.ReadOnly && p.up.schema.Property(q.Name) != nil {
				up.Set(q.Name, g.BaselineValue(q.Schema))
			}
		}
		if len(up.Members) == 0 {
			return nil
		}
		return m
	}
}

func lastPart(p *place) string { return p.slug[strings.LastIndexByte(p.slug, '.')+1:] }
