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
				invalid(s, p.where(), "condition-missed", bad, p.violating), p.asked(s, settings), p.allowed(s, settings))
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
	for _, c := range p.schema.All() {
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
	for _, c := range p.schema.All() {
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
	m, v := p.inPart(g, b.set, b.part)
	if m == nil {
		return nil
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

// inPart returns a message where a setting holds, and its value at the place. It returns nil if a condition
// goes the other way than to a part.
func (p *place) inPart(g *plan.Gen, set setting, part *schema.Schema) (*message.Message, *jsontree.Value) {
	m := p.settled(g, set)
	v := p.get(m)
	if slices.ContainsFunc(p.schema.All(), func(c schema.Condition) bool {
		return slices.Contains(c.Parts(), part) && g.Branch(c, v) != part
	}) {
		return nil, nil
	}
	return m, v
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
		groups = append(append(groups, refusedBy(q.Schema)...), p.otherwise(set, part, q))
	}
	var out []plan.Class
	for _, group := range groups {
		var bad []conditionViolation
		for _, value := range group {
			bad = append(bad, conditionViolation{set, part, q, value})
		}
		out = append(out, invalid(s, p.where(), "condition-"+word(q.Name), bad, p.violating)...)
	}
	return out
}

// otherwise are the values that a member has where a part does not apply.
func (p *place) otherwise(set setting, part *schema.Schema, q *schema.Property) []another {
	own := p.schema.Property(q.Name)
	if own == nil {
		return nil
	}
	of := []*schema.Schema{own.Schema}
	for _, other := range p.parts(set) {
		if its := other.Property(q.Name); other != part && its != nil && !its.Schema.Never {
			of = append(of, own.Schema.Within(its.Schema))
		}
	}
	var out []another
	for _, one := range of {
		out = append(out, func(g *plan.Gen, _ *jsontree.Value) *jsontree.Value { return g.BaselineValue(one) })
	}
	return out
}

// conditionValue is a member, where a part of a condition applies, with a value of a schema.
type conditionValue struct {
	set    setting
	part   *schema.Schema
	member string
	of     *schema.Schema
}

// allowed sends the values that the keywords of a member in then or else just allow, where that part of the
// condition applies.
func (p *place) allowed(s *plan.Space, settings []setting) []plan.Class {
	var out []plan.Class
	tried := map[string]bool{}
	for _, set := range settings {
		for _, part := range p.parts(set) {
			for _, q := range part.Properties {
				about := part.Pointer + " " + q.Name
				if q.Schema.Never || q.Schema.Pointer == "" || tried[about] {
					continue
				}
				whole, at := q.Schema, p.where()
				if own := p.schema.Property(q.Name); own != nil {
					whole = own.Schema.Within(q.Schema)
				}
				for _, below := range places(s) {
					if below.up == p && below.member && below.name == q.Name {
						at = below.where()
					}
				}
				var list []conditionValue
				for _, of := range justAllowed(whole, s.Max > 0) {
					list = append(list, conditionValue{set, part, q.Name, of})
				}
				made := first(2, sorted(s, at, "condition-kept", list, p.allowing))
				tried[about] = len(made) > 0
				out = append(out, made...)
			}
		}
	}
	return out
}

func (p *place) allowing(g *plan.Gen, c conditionValue) *message.Message {
	m, v := p.inPart(g, c.set, c.part)
	if m == nil {
		return nil
	}
	v.Set(c.member, g.BaselineValue(c.of))
	return m
}

// justAllowed are schemas of the values that the keywords of a schema just allow.
func justAllowed(s *schema.Schema, few bool) []*schema.Schema {
	out := []*schema.Schema{s}
	for _, v := range slices.Concat(s.Enum, innerBounds(s, few)) {
		one := *s
		one.Const = v
		out = append(out, &one)
	}
	for _, n := range []*int{s.MinLength, s.MaxLength} {
		if n != nil && *n <= longest {
			one := *s
			one.MinLength, one.MaxLength = n, n
			out = append(out, &one)
		}
	}
	for _, n := range []*int{s.MinItems, s.MaxItems} {
		if n != nil && *n <= maxItems {
			one := *s
			one.MinItems, one.MaxItems = n, n
			out = append(out, &one)
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
	for _, corrupt := range []func(string) string{behind("!"), before("!"), behind("x"), split(" "), strings.ToUpper, strings.ToLower, behind(" "), shorter} {
		out = append(out, func(_ *plan.Gen, right *jsontree.Value) *jsontree.Value {
			return jsontree.NewString(corrupt(right.Text))
		})
	}
	return out
}

// shorter leaves out the last character of a text.
func shorter(text string) string {
	r := []rune(text)
	return string(r[:max(0, len(r)-1)])
}
