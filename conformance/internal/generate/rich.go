package generate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// Rich returns a valid request of another operation with more in its body than the
// simplest one: optional members at every level, longer texts, the last value of an
// enum, false, decimals, times with an offset and lists of two items. A member that
// would make the request invalid is left as it was, and so is one that names another
// thing.
func (g *Gen) Rich(op *openapi.Operation) *message.Message {
	m := g.Request(op, false)
	switch {
	case op.Body == nil || m.Tree == nil:
	case m.Tree.Kind == jsontree.Object:
		g.Enrich(m, slices.DeleteFunc(slices.Clone(richMembers(op.Body.Shape.Schema)), func(p *openapi.Property) bool {
			return slices.Contains(g.id.Refused.Of(op), "/"+jsontree.EscapePointer(p.Name))
		}))
	default:
		g.enrich(m, "", op.Body.Shape.Schema)
	}
	return m
}

// Enrich gives members of the body rich values, as far as the message stays valid.
func (g *Gen) Enrich(m *message.Message, list []*openapi.Property) {
	for _, p := range list {
		path := "/" + jsontree.EscapePointer(p.Name)
		if !p.Schema.ReadOnly && !p.Schema.Never && !slices.Contains(m.Op.Bind, path) && !domained(m.Op.Body.Shape, path) {
			g.enrich(m, path, p.Schema)
		}
	}
	m.Bind()
}

// enrich gives one place of the body a rich value, if the message stays valid.
func (g *Gen) enrich(m *message.Message, path string, s *openapi.Schema) {
	of := *g
	of.Op, of.shape = m.Op, m.Op.Body.Shape
	of.made, of.steps, of.Over = 0, 0, ""
	more := m.Clone()
	set := more.Set(path, of.rich(s, 0))
	of.order(more)
	g.next = of.next
	switch r := more.Reading(); {
	case set && r != nil && (r.Kind == openapi.MustAccept || r.Unpaired() || g.long != noLengths && onlyLong(r)):
		*m, g.longs = *more, of.longs
	case g.far || g.long != noLengths:
		plain := *g
		plain.far, plain.long = false, noLengths
		plain.enrich(m, path, s)
		g.next = plain.next
	}
}

// richMembers lists the members of an object: its own, or those of the alternative that
// the simplest request has.
func richMembers(s *openapi.Schema) []*openapi.Property {
	switch {
	case len(s.Properties) > 0:
		return s.Properties
	case len(s.OneOf) > 0:
		return richMembers(s.OneOf[0])
	case len(s.AnyOf) > 0:
		return richMembers(s.AnyOf[0])
	}
	return nil
}

// domained reports whether the user says which values a member has, or one below it.
func domained(shape *openapi.Shape, path string) bool {
	for at := range shape.Domains {
		if at == path || strings.HasPrefix(at, path+"/") {
			return true
		}
	}
	return false
}

// rich returns a value of a schema that has more to lose than the simplest one.
func (g *Gen) rich(s *openapi.Schema, depth int) *jsontree.Value {
	switch {
	case s == nil || depth > richDepth || s.Const != nil:
		return g.baseline(s, depth)
	case len(s.Enum) > 0:
		return g.copied(s.Enum[len(s.Enum)-1])
	case len(s.OneOf) > 0 || len(s.AnyOf) > 0:
		return g.baseline(s, depth)
	}
	switch s.Type() {
	case "object":
		v := g.baselineObject(s, depth)
		for _, p := range s.Properties {
			if !p.Schema.ReadOnly && !p.Schema.Never {
				v.Set(p.Name, g.rich(p.Schema, depth+1))
			}
		}
		g.inOrder(s, v, free)
		if g.far {
			g.moreMembers(s, v, depth)
		}
		return v
	case "array":
		v := g.baselineArray(s, depth)
		if n := len(v.Items); len(s.Prefix) == 0 && s.Contains == nil && (s.MaxItems == nil || n < *s.MaxItems) {
			v.Items = append(v.Items, g.baseline(s.Items, depth+1))
		}
		if s.Items != nil && !s.Unique && len(s.Prefix) == 0 {
			for i := range v.Items {
				v.Items[i] = g.rich(s.Items, depth+1)
			}
		}
		if n := g.long.items(s); n > len(v.Items) {
			g.prolong(v, s, n, depth)
		}
		return v
	case "number":
		return g.decimals(s)
	case "integer":
		if g.far {
			return g.exact(s)
		}
	case "boolean":
		return jsontree.NewBool(g.far)
	case "string":
		return jsontree.NewString(g.longer(s))
	}
	return g.baseline(s, depth)
}

// richDepth is how many levels of a body have optional members.
const richDepth = 4

// decimals returns a number with decimals, if the schema allows one.
func (g *Gen) decimals(s *openapi.Schema) *jsontree.Value {
	plain := g.BaselineNumber(s)
	for _, more := range []string{".37", ".5"} {
		v := jsontree.NewNumber(plain + more)
		if !strings.Contains(plain, ".") && g.judge().Matches(s, v) {
			return v
		}
	}
	return jsontree.NewNumber(plain)
}

// longer returns a text of several words, as long as the schema allows, or a time with
// an offset.
func (g *Gen) longer(s *openapi.Schema) string {
	plain := g.BaselineText(s)
	switch {
	case s.Format == "date-time" && s.Code == nil:
		return strings.Replace(plain, "Z", "+05:30", 1)
	case !s.AnyText():
		return plain
	case g.far:
		return g.written(s)
	}
	if n := g.long.text(s); n > shortText && g.longs < mostLongs {
		return g.lengthen(plain, n)
	}
	text := plain + " & " + g.Word() + " " + g.Word() + " " + g.Word()
	if s.MaxLength != nil && len(text) > *s.MaxLength {
		text = strings.TrimSpace(text[:max(len(plain), *s.MaxLength)])
	}
	return text
}
