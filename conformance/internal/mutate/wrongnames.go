package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// misname makes a name that propertyNames does not allow of one that it allows.
type misname func(right string) string

// wrongNames has one member with a name that breaks one keyword of propertyNames, and a
// value that fits. The keywords of a name share one requirement, so each has a class.
func (p *place) wrongNames(s *plan.Space) []plan.Class {
	n := p.schema.Names
	if n == nil || p.schema.Type() != "object" {
		return nil
	}
	var out []plan.Class
	with := func(kind string, list ...misname) {
		classes := invalid(s, p.where(), kind, list, func(g *generate.Gen, make misname) *message.Message { return p.misnamed(g, make) })
		for i := range classes {
			if classes[i].Subject != "" {
				classes[i].Subject += " " + kind
			}
		}
		out = append(out, classes...)
	}
	if n.Pattern != "" {
		with("name-outside-pattern", p.outsideNames()...)
		with("name-too-long-for-pattern", tooLong(n.Pattern))
		with("name-too-short-for-pattern", tooShort(n.Pattern))
	}
	if most := n.MaxLength; most != nil && *most < longest {
		with("long-name", func(right string) string {
			return right + strings.Repeat(lastLetter(right), max(1, *most+1-len([]rune(right))))
		},
			func(string) string { return strings.Repeat("a", *most+1) })
	}
	if least := n.MinLength; least != nil && *least > 1 {
		with("short-name", func(right string) string { return string([]rune(right)[:min(*least-1, len([]rune(right)))]) })
	}
	if n.Enum != nil || n.Const != nil {
		with("other-name", misname(title), misname(strings.ToUpper), misname(behind("s")), misname(before("_")))
	}
	return out
}

// outsideNames are names that keep the lengths of propertyNames and not its pattern.
func (p *place) outsideNames() []misname {
	var out []misname
	for _, spoil := range []func(string) string{title, behind("1"), behind("_"), before("_"), behind("!"), before("1"), strings.ToUpper, func(string) string { return "A1" }, split("-")} {
		out = append(out, func(right string) string {
			if n := p.schema.Names; n.MaxLength != nil {
				right = string([]rune(right)[:max(0, min(len([]rune(right)), *n.MaxLength-1))])
			}
			return spoil(right)
		})
	}
	return out
}

// misnamed is a baseline message with one member under a name that is not allowed.
func (p *place) misnamed(g *generate.Gen, make misname) *message.Message {
	m := p.in(g)
	v := p.get(m)
	if v == nil {
		return nil
	}
	name := make(g.BaselineText(p.schema.Names))
	if v.Get(name) != nil || p.schema.Closed || p.schema.Property(name) != nil {
		return nil
	}
	if most := p.schema.MaxProps; most != nil && len(v.Members) >= *most {
		i := slices.IndexFunc(v.Members, func(one jsontree.Member) bool {
			q := p.schema.Property(one.Name)
			return q == nil || !q.Required
		})
		if i < 0 {
			return nil
		}
		v.Members = slices.Delete(v.Members, i, i+1)
	}
	schema := p.schema.Extra
	v.Set(name, g.BaselineValue(schema))
	return m
}

// nearNames adds a member whose name is close to one that a pattern of a closed object
// matches: a server may look for the pattern anywhere in the name.
func (p *place) nearNames(s *plan.Space) []plan.Class {
	if len(p.schema.Patterns) == 0 {
		return nil
	}
	first := p.schema.Patterns[0]
	list := []misname{behind("1"), behind("!"), behind("_"), behind(" "), before("1"), before("a"), before(" "), split("-"), title, strings.ToUpper, misname(tooLong(first.Pattern))}
	return unlabelled(invalid(s, p.where(), "near-pattern-name", list, func(g *generate.Gen, make misname) *message.Message {
		name, ok := g.Named(first.Pattern)
		m := p.in(g)
		v := p.get(m)
		if name = make(name); !ok || v == nil || v.Get(name) != nil {
			return nil
		}
		v.Set(name, g.BaselineValue(first.Schema))
		return m
	}))
}
