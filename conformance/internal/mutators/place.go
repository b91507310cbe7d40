package mutators

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// place is one schema of a request body and how to reach it.
type place struct {
	schema *contract.Schema
	path   string // as requirements name it: array indices are "*"
	at     string // JSON pointer into a message made by in
	slug   string
	member bool   // it is one of an object, by its name: neither root nor item
	name   string // of the member
	needed bool   // the member is required
	up     *place
}

const placeDepth = 8

// reservedPlaces stand in class slugs where no member does.
var reservedPlaces = []string{wholeBody, transportPlace, "encoding", "duplicate", "nesting", "number"}

// places lists the schemas of the body, parents first, in document order.
func places(s *plan.Space) []*place {
	if s.Op.Body == nil {
		return nil
	}
	return s.Once("places", func() any { return reached(s) }).([]*place)
}

// reached lists the places that a plain message can have a value at.
func reached(s *plan.Space) []*place {
	root := &place{schema: s.Op.Body.Shape.Schema, needed: true}
	out := []*place{root}
	taken := contract.NewSlugs(reservedPlaces...)
	for i := 0; i < len(out); i++ {
		if p := out[i]; strings.Count(p.at, "/") < placeDepth {
			out = append(out, slices.DeleteFunc(p.below(taken), func(p *place) bool { return !p.reachable(s) })...)
		}
	}
	return out
}

// reachable tells whether a plain message can be given a value at the place, and
// notes where that exceeds the budget.
func (p *place) reachable(s *plan.Space) bool {
	g := generate.Probe(s.Op)
	tree := g.Mild().Tree
	p.ensure(g, tree)
	if g.Over != "" {
		s.Leave(jsontree.Cut(p.path, 100) + " is not tried: " + g.Over)
		return false
	}
	up := tree.At(p.up.at)
	return tree.At(p.at) != nil && up != nil && (up.Kind == jsontree.Object) == p.member
}

// below lists the members and items of a place.
func (p *place) below(taken *contract.Slugs) []*place {
	var out []*place
	for _, m := range p.members() {
		if m.Schema.Never || m.Schema.ReadOnly {
			continue
		}
		at := "/" + jsontree.EscapePointer(m.Name)
		out = append(out, p.child(at, at, word(m.Name), m.Schema, taken))
		last := out[len(out)-1]
		last.member, last.name, last.needed = true, m.Name, m.Required
	}
	if p.schema.Type() != "array" || p.schema.MaxItems != nil && *p.schema.MaxItems == 0 {
		return out
	}
	for i, item := range p.schema.Prefix {
		n := strconv.Itoa(i)
		out = append(out, p.child("/*", "/"+n, n, item, taken))
	}
	if p.schema.Items != nil && len(p.schema.Prefix) == 0 {
		out = append(out, p.child("/*", "/0", "*", p.schema.Items, taken))
	}
	for _, c := range out {
		c.needed = c.needed || !c.member
	}
	return out
}

// members are the properties of a place; where alternatives hold them, those of
// the one that the mild value takes.
func (p *place) members() []*contract.Property {
	out := p.schema.Properties
	for _, list := range [][]*contract.Schema{p.schema.OneOf, p.schema.AnyOf} {
		if len(list) > 0 {
			for _, m := range list[0].Properties {
				if p.schema.Property(m.Name) == nil {
					out = append(out[:len(out):len(out)], m)
				}
			}
		}
	}
	return out
}

func (p *place) child(path, at, slug string, s *contract.Schema, taken *contract.Slugs) *place {
	if p.slug != "" {
		slug = p.slug + "." + slug
	}
	return &place{schema: s, path: p.path + path, at: p.at + at, slug: taken.Take(slug), up: p}
}

// label is the place as class slugs write it.
func (p *place) label() string {
	if p.slug == "" {
		return wholeBody
	}
	return p.slug
}

// in gives a mild message that has a value at the place.
func (p *place) in(g *generate.Gen) *request.Message {
	m := g.Mild()
	p.ensure(g, m.Tree)
	return m
}

func (p *place) ensure(g *generate.Gen, tree *jsontree.Value) {
	if p.up == nil {
		return
	}
	p.up.ensure(g, tree)
	if tree.At(p.at) == nil {
		p.set(tree, g.MildAt(p.path, p.schema))
	}
}

// set puts a value at the place; the place above must be there.
func (p *place) set(tree *jsontree.Value, v *jsontree.Value) {
	if p.up == nil {
		*tree = *v
		return
	}
	up := tree.At(p.up.at)
	if up == nil {
		return
	}
	if p.member {
		up.Set(p.name, v)
		return
	}
	if i, err := strconv.Atoi(p.at[strings.LastIndexByte(p.at, '/')+1:]); err == nil && i < len(up.Items) {
		up.Items[i] = v
	} else {
		up.Items = append(up.Items, v)
	}
}

// remove takes out what ensure put at the place of a member.
func (p *place) remove(tree *jsontree.Value) {
	if up := tree.At(p.up.at); up != nil {
		up.Remove(p.name)
	}
}

// with gives a mild message with this value at the place.
func (p *place) with(g *generate.Gen, v *jsontree.Value) *request.Message {
	m := g.Mild()
	if p.up != nil {
		p.up.ensure(g, m.Tree)
	}
	p.set(m.Tree, v)
	return m
}

// word spells a member name as a part of a slug; letters keep their case.
func word(name string) string {
	for i := range len(name) {
		c := name[i]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if c < '0' || c > '9' {
				if c != '_' && c != '-' {
					return contract.NameSlug(name)
				}
			}
		}
	}
	return contract.Short(orElse(name, "empty"), name)
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// free tells whether the place takes any text.
func (p *place) free() bool {
	s := p.schema
	return s.Type() == "string" && s.Enum == nil && s.Const == nil && s.Pattern == "" && s.Format == ""
}

// certain tells whether every mild message has the place.
func (p *place) certain() bool {
	for q := p; q.up != nil; q = q.up {
		if !q.needed {
			return false
		}
	}
	return true
}

// nonceMark stands in listed texts for a fresh word.
const nonceMark = "§"

// fill puts a fresh word into a listed text; one without a mark is the subject
// itself.
func fill(g *generate.Gen, text string) string {
	if strings.Contains(text, nonceMark) {
		return strings.ReplaceAll(text, nonceMark, g.Word())
	}
	return g.Text(text)
}
