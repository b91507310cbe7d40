package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

var conditions = plan.Mutator{
	Name: "conditions",
	Doc:  "Meets a condition of dependentRequired, dependentSchemas or if, then leaves out or mistypes what it requires, because servers often check members only one by one.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if p.schema.Type() != "object" {
				return nil
			}
			settings := p.settings()
			var bad []conditionViolation
			for _, set := range settings {
				for _, part := range p.parts(set) {
					for _, q := range part.Properties {
						if q.Required {
							bad = append(bad, conditionViolation{set, part, q, nil})
						}
						if q.Schema.Pointer == "" {
							continue
						}
						for _, value := range unfit {
							bad = append(bad, conditionViolation{set, part, q, value})
						}
					}
				}
			}
			return slices.Concat(sorted(s, p.where(), "condition-met", settings, p.settled),
				invalid(s, p.where(), "condition-missed", bad, p.violating), p.asked(s, settings))
		})
	},
}

// settings are the members that others depend on, and the values that a
// condition tells apart.
func (p *place) settings() []setting {
	var out []setting
	add := func(name string, value *jsontree.Value) {
		if !slices.ContainsFunc(out, func(o setting) bool {
			return o.name == name && (o.value == nil) == (value == nil) && (value == nil || jsontree.Equal(o.value, value))
		}) {
			out = append(out, setting{name, value})
		}
	}
	for _, d := range p.schema.Dependent {
		add(d.Name, nil)
	}
	for _, d := range p.schema.Depending {
		add(d.Name, nil)
	}
	for _, c := range p.schema.Conditions {
		p.told(c, add)
	}
	return out
}

// told adds the values of members that a condition tells apart.
func (p *place) told(c openapi.Condition, add func(name string, value *jsontree.Value)) {
	for _, q := range c.If.Properties {
		if c := q.Schema.Const; c != nil {
			add(q.Name, c)
		}
		for _, v := range q.Schema.Enum {
			add(q.Name, v)
		}
		if own := p.schema.Property(q.Name); own != nil {
			for _, v := range own.Schema.Enum {
				add(q.Name, v)
			}
			if own.Schema.Type() == "boolean" {
				add(q.Name, jsontree.NewBool(true))
				add(q.Name, jsontree.NewBool(false))
			}
		}
		add(q.Name, nil)
	}
}

// parts are the schemas that a setting may bring in.
func (p *place) parts(set setting) []*openapi.Schema {
	var out []*openapi.Schema
	for _, d := range p.schema.Depending {
		if d.Name == set.name {
			out = append(out, d.Schema)
		}
	}
	for _, c := range p.schema.Conditions {
		if c.If.Property(set.name) != nil {
			out = append(out, c.Parts()...)
		}
	}
	return out
}

// settled is a baseline message with the setting and all that it asks for.
func (p *place) settled(g *generate.Gen, set setting) *message.Message {
	m := p.in(g)
	v := p.get(m)
	own := p.schema.Property(set.name)
	switch {
	case set.value != nil:
		v.Set(set.name, set.value.Clone())
	case v.Get(set.name) != nil:
	case own != nil:
		v.Set(set.name, g.BaselineValue(own.Schema))
	default:
		v.Set(set.name, freshText(g))
	}
	g.Complete(p.schema, v)
	return m
}

func (p *place) violating(g *generate.Gen, b conditionViolation) *message.Message {
	m := p.settled(g, b.set)
	v := p.get(m)
	for _, c := range p.schema.Conditions {
		if slices.Contains(c.Parts(), b.part) && g.Branch(c, v) != b.part {
			return nil // the condition goes the other way
		}
	}
	if b.value == nil {
		v.Remove(b.asked.Name)
		return m
	}
	right := v.Get(b.asked.Name)
	if right == nil {
		right = g.BaselineValue(b.asked.Schema)
	}
	v.Set(b.asked.Name, b.value(g, right))
	return m
}
