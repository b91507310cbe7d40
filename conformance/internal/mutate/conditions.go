package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
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
func (p *place) told(c schema.Condition, add func(name string, value *jsontree.Value)) {
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
func (p *place) parts(set setting) []*schema.Schema {
	var out []*schema.Schema
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
func (p *place) settled(g *plan.Gen, set setting) *message.Message {
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

func (p *place) violating(g *plan.Gen, b conditionViolation) *message.Message {
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

// setting is what a condition looks at: a member with a value; a nil value is
// the baseline one.
type setting struct {
	name  string
	value *jsontree.Value
}

// conditionViolation is one thing that a setting asks for, left out or of another type.
type conditionViolation struct {
	set   setting
	part  *schema.Schema
	asked *schema.Property
	value another // nil: left out
}

// asked has, for each keyword of each member that a part of a condition speaks of, values
// that break it where the part applies. The classes of the member itself meet the one part
// and never the other.
func (p *place) asked(s *plan.Space, settings []setting) []plan.Class {
	var out []plan.Class
	tried := map[string]bool{}
	for _, set := range settings {
		for _, part := range p.parts(set) {
			for _, q := range part.Properties {
				if about := part.Pointer + " " + q.Name; !tried[about] {
					made := p.askedOf(s, set, part, q)
					tried[about] = len(made) > 0
					out = append(out, made...)
				}
			}
		}
	}
	return out
}

// askedOf breaks what one part asks of one member, each kind of keyword by itself.
func (p *place) askedOf(s *plan.Space, set setting, part *schema.Schema, q *schema.Property) []plan.Class {
	var groups [][]another
	if q.Required && s.Max > 0 {
		groups = append(groups, []another{nil})
	}
	if q.Schema.Pointer != "" {
		if s.Max > 0 {
			groups = append(groups, unfit)
		}
		groups = append(groups, refusedBy(q.Schema)...)
	}
	var out []plan.Class
	for _, group := range groups {
		var bad []conditionViolation
		for _, value := range group {
			bad = append(bad, conditionViolation{set, part, q, value})
		}
		for _, class := range invalid(s, p.where(), "condition-"+word(q.Name), bad, p.violating) {
			if class.Subject != "" {
				class.Subject += " " + part.Pointer // then and else may both bound a member
			}
			out = append(out, class)
		}
	}
	return out
}

// refusedBy are values that the keywords of a schema just refuse, in a list for each kind.
func refusedBy(q *schema.Schema) [][]another {
	var out [][]another
	for _, list := range [][]*jsontree.Value{beside(q.Enum), besideOne(q.Const), outerBounds(q), offMultiple(q)} {
		var group []another
		for _, v := range list {
			group = append(group, always(v))
		}
		out = append(out, group)
	}
	if n := q.MinLength; n != nil && *n > 0 {
		out = append(out, []another{cutTo(*n - 1)})
	}
	if n := q.MaxLength; n != nil && *n < longest {
		out = append(out, []another{cutTo(*n + 1), cutTo(2 * *n)})
	}
	if q.Pattern != "" || q.Format != "" {
		out = append(out, spoilt())
	}
	return out
}

// cutTo cuts or lengthens the right text to a number of characters.
func cutTo(n int) another {
	return func(g *plan.Gen, right *jsontree.Value) *jsontree.Value {
		text := []rune(right.Text)
		if right.Kind != jsontree.String || len(text) == 0 {
			text = []rune(padded(g, n, "e"))
		}
		if len(text) < n {
			text = append(text, []rune(strings.Repeat(string(text[len(text)-1]), n-len(text)))...)
		}
		return jsontree.NewString(string(text[:n]))
	}
}

// spoilt are the right text with something behind it, before it and inside it.
func spoilt() []another {
	var out []another
	for _, corrupt := range []func(string) string{behind("!"), before("!"), behind("x"), split(" "), strings.ToUpper, strings.ToLower, behind(" ")} {
		out = append(out, func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
			return jsontree.NewString(corrupt(right.Text))
		})
	}
	return out
}

// maxOthers is how many other alternatives the values of one are sent as.
const maxOthers = 4

// tagValue is a member that tells alternatives apart, with the value of another one.
type tagValue struct{ member, value string }

var otherAlternatives = plan.Mutator{
	Name: "other-alternatives",
	Doc:  "Sends the members of one alternative with the discriminator value of another, or of none, because servers often check what is common to all alternatives and no more.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if p.section {
				return nil
			}
			var others, none []tagValue
			for i := range p.schema.Merged {
				m := &p.schema.Merged[i]
				list := tagValues(m)
				others = append(others, spread(list, maxOthers)...)
				if len(list) > 0 {
					none = append(none, tagValue{list[0].member, list[0].value + "x"}, tagValue{list[0].member, ""})
				}
			}
			return append(
				ahead(invalid(s, p.where(), "says-it-is-another", others, p.tagged(false))),
				append(ahead(invalid(s, p.where(), "says-it-is-another-with-all-members", others, p.tagged(true))),
					ahead(invalid(s, p.where(), "says-it-is-unknown", none, p.tagged(false)))...)...)
		})
	},
}

// tagValues are the values of the member that tells the alternatives apart: the discriminator,
// or a member that has one value in each.
func tagValues(m *schema.Merged) []tagValue {
	var out []tagValue
	for _, value := range m.Others {
		out = append(out, tagValue{m.Member, value})
	}
	if out != nil || m.Index >= len(m.All) {
		return out
	}
	for _, own := range m.All[m.Index].Properties {
		mine := onlyText(own.Schema)
		if mine == "" {
			continue
		}
		for _, other := range m.All {
			if q := other.Property(own.Name); q != nil {
				if theirs := onlyText(q.Schema); theirs != "" && theirs != mine {
					out = append(out, tagValue{own.Name, theirs})
				}
			}
		}
	}
	return out
}

// onlyText is the text that a schema takes as its only value, or an empty one.
func onlyText(s *schema.Schema) string {
	only := s.Const
	if only == nil && len(s.Enum) == 1 {
		only = s.Enum[0]
	}
	if only == nil || only.Kind != jsontree.String {
		return ""
	}
	return only.Text
}

// tagged is a message with the value of another alternative at a place; if full, with
// every optional member of its own.
func (p *place) tagged(full bool) func(*plan.Gen, tagValue) *message.Message {
	return func(g *plan.Gen, c tagValue) *message.Message {
		m := p.in(g)
		v := p.get(m)
		if v == nil || v.Kind != jsontree.Object || v.Get(c.member) == nil {
			return nil
		}
		added := false
		for _, q := range p.schema.Optional() {
			if full && v.Get(q.Name) == nil && !q.Schema.Never {
				v.Set(q.Name, g.BaselineValue(q.Schema))
				added = true
			}
		}
		if full && !added {
			return nil
		}
		v.Set(c.member, jsontree.NewString(c.value))
		return m
	}
}
