package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// setting is what a condition looks at: a member with a value; a nil value is
// the baseline one.
type setting struct {
	name  string
	value *jsontree.Value
}

// conditionViolation is one thing that a setting asks for, left out or of another type.
type conditionViolation struct {
	set   setting
	part  *openapi.Schema
	asked *openapi.Property
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
func (p *place) askedOf(s *plan.Space, set setting, part *openapi.Schema, q *openapi.Property) []plan.Class {
	var groups [][]another
	if q.Required && s.Most > 0 {
		groups = append(groups, []another{nil})
	}
	if q.Schema.Pointer != "" {
		if s.Most > 0 {
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
func refusedBy(q *openapi.Schema) [][]another {
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
	return func(g *generate.Gen, right *jsontree.Value) *jsontree.Value {
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
	for _, spoil := range []func(string) string{behind("!"), before("!"), behind("x"), split(" "), strings.ToUpper, strings.ToLower, behind(" ")} {
		out = append(out, func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
			return jsontree.NewString(spoil(right.Text))
		})
	}
	return out
}
