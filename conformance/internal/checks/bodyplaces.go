package checks

import (
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
)

// maxEnvelopes bounds how deep a resource is looked for in a body.
const maxEnvelopes = 3

// envelope returns where the members of a resource are in a body, as a JSON pointer, and what the
// schema says of the object there: bodies such as {"data": {...}} have one required object and
// nothing else that a client chooses. In JSON:API documents they are the attributes of data, which
// may be left out.
func envelope(b *openapi.Body) (at string, of *schema.Schema) {
	if b == nil || b.Shape == nil {
		return "", nil
	}
	of = b.Shape.Schema
	for range maxEnvelopes {
		var in *schema.Property
		for _, p := range of.Properties {
			switch {
			case p.Schema.Const != nil || len(p.Schema.Enum) == 1 || hints.IsKey(p.Name) || p.Schema.ReadOnly:
				continue // not chosen by a client
			case in == nil && len(p.Schema.Properties) > 0 && (p.Required || strings.HasPrefix(b.Media, "application/vnd.api+json")):
				in = p
				continue
			}
			return at, of
		}
		if in == nil {
			return at, of
		}
		at, of = at+"/"+jsontree.EscapePointer(in.Name), in.Schema
	}
	return at, of
}

// enrich gives members of the resource in a request rich values.
func enrich(g *plan.Gen, m *message.Message, list ...*schema.Property) {
	at, _ := envelope(m.Op.Body)
	if at != "" && m.At(at) == nil {
		m.Set(at, jsontree.NewObject())
	}
	g.Enrich(m, at, list)
}

// filledIn returns a request with optional members, also behind an envelope.
func filledIn(g *plan.Gen, op *openapi.Operation) *message.Message {
	m := g.Request(op, true)
	if at, of := envelope(op.Body); at != "" {
		enrich(g, m, of.Properties...)
	}
	return m
}

// unwrapped returns the object of an answer that has members of a request: the answer
// itself, or the object in it that holds the resource. It is nil if there is none.
func unwrapped(v, sent *jsontree.Value) *jsontree.Value {
	if v == nil || sent == nil || v.Kind != jsontree.Object || sent.Kind != jsontree.Object {
		return nil
	}
	level, enough := []*jsontree.Value{v}, 1
	for depth := range maxEnvelopes {
		if depth > 1 {
			enough = (len(sent.Members) + 1) / 2 // far below, a name or two may be those of something else
		}
		var below []*jsontree.Value
		for _, v := range level {
			if len(sent.Members) > 0 && shared(v, sent) >= enough {
				return v
			}
			for _, m := range v.Members {
				if m.Value.Kind == jsontree.Object {
					below = append(below, m.Value)
				}
			}
		}
		level = below
	}
	return nil
}

// shared counts the members of an object that another one has too.
func shared(v, sent *jsontree.Value) int {
	n := 0
	for _, m := range sent.Members {
		if v.Get(m.Name) != nil {
			n++
		}
	}
	return n
}

// propertyBelow returns what a schema says of a member of the resource that it describes, or nil:
// its own, or that of the object in it.
func propertyBelow(s *schema.Schema, name string) *schema.Property {
	level := []*schema.Schema{s}
	for range maxEnvelopes {
		var below []*schema.Schema
		for _, s := range level {
			if p := s.Property(name); p != nil {
				return p
			}
			for _, p := range s.Properties {
				if len(p.Schema.Properties) > 0 {
					below = append(below, p.Schema)
				}
			}
		}
		level = below
	}
	return nil
}

// shownValue is how much of a value of an answer a sentence shows, in bytes.
const shownValue = 80

// wrong returns the outcome with the place of what is wrong in the answer and the value there,
// which is nil if nothing is there.
func wrong(p *requirement.Input, o requirement.Outcome, at string, v *jsontree.Value) requirement.Outcome {
	o.Found, o.At = true, at
	if v != nil {
		o.Value = p.Shorten(v.String(), shownValue)
	}
	return o
}

// inResource returns the outcome with the place of a member of the resource that an answer is about, if
// it stands in the answer or in a member of it.
func inResource(p *requirement.Input, res *jsontree.Value, name string, o requirement.Outcome) requirement.Outcome {
	if root := p.Got.Reading.Root(); res != root {
		for _, m := range root.Members {
			if m.Value == res {
				return wrong(p, o, "/"+jsontree.EscapePointer(m.Name)+"/"+jsontree.EscapePointer(name), res.Get(name))
			}
		}
		return o
	}
	return wrong(p, o, "/"+jsontree.EscapePointer(name), res.Get(name))
}

// isAt says what stands at a place: "/3/base_url is null". A place without a value is missing.
func isAt(o requirement.Outcome) string {
	at := o.At
	if at == "" {
		at = "the body"
	}
	if o.Value == "" {
		return "no " + at
	}
	return at + " is " + o.Value
}

// allowed is the sentence of a requirement about an answer, with what the document allows there: the
// sentence about a list of values, or about a bound, does not name them.
func allowed(p *requirement.Input, key schema.Key) string {
	sentence, s := p.Requirement.Sentence, p.Got.Form.Shape.Schema.At(key.Path)
	if s == nil {
		return sentence
	}
	text := map[string]string{"minimum": s.Minimum, "maximum": s.Maximum, "exclusiveMinimum": s.Above, "exclusiveMaximum": s.Below, "multipleOf": s.Multiple, "format": s.Format, "pattern": s.Pattern}[key.Keyword]
	switch {
	case key.Keyword == "enum":
		var list []string
		for _, v := range s.Enum {
			list = append(list, v.String())
		}
		text = strings.Join(list, ", ")
	case key.Keyword == "const" && s.Const != nil:
		text = s.Const.String()
	}
	if text == "" {
		return sentence
	}
	return strings.TrimSuffix(sentence, ".") + ": " + jsontree.Cut(text, 2*shownValue)
}
