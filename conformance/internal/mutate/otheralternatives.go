package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// mostOthers is how many other alternatives the values of one are sent as.
const mostOthers = 4

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
				others = append(others, spread(list, mostOthers)...)
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
func tagValues(m *openapi.Merged) []tagValue {
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
func onlyText(s *openapi.Schema) string {
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
func (p *place) tagged(full bool) func(*generate.Gen, tagValue) *message.Message {
	return func(g *generate.Gen, c tagValue) *message.Message {
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
