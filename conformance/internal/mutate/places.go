package mutate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// place is one schema of a request body or of a parameter, and how to reach it.
type place struct {
	schema *schema.Schema
	path   string // as requirements name it: array indices are "*"
	at     string // JSON pointer into the body or the parameters of a message made by in
	// section reports whether the place is in the parameters.
	section bool
	slug    string
	member  bool   // it is one of an object, by its name: neither root nor item
	name    string // of the member
	need    string // where it is required
	needed  bool   // the member is required
	up      *place
}

const placeDepth = 8

// reservedPlaces stand in class slugs where no member does.
var reservedPlaces = []string{wholeBody.Name, transport.Name, "encoding", "duplicate", "nesting", "number"}

// places lists the schemas of the body, parents first, in document order, and then
// those of the parameters.
func places(s *plan.Space) []*place {
	if s.Op.Body == nil && s.Op.Params == nil {
		return nil
	}
	return s.Once("places", func() any { return reached(s) }).([]*place)
}

// reached lists the places that a baseline message can have a value at.
func reached(s *plan.Space) []*place {
	var out []*place
	if s.Op.Body != nil {
		out = append(out, &place{schema: s.Op.Body.Shape.Schema, needed: true})
	}
	taken := openapi.NewSlugs(reservedPlaces...)
	out = append(out, ofSections(s, taken)...)
	for i := 0; i < len(out); i++ {
		if p := out[i]; strings.Count(p.at, "/") < placeDepth {
			out = append(out, slices.DeleteFunc(p.below(s, taken), func(p *place) bool { return !p.reachable(s) })...)
		}
	}
	return out
}

// ofSections lists the places of parameters. The sections themselves are no places:
// every request has them.
func ofSections(s *plan.Space, taken *openapi.Slugs) []*place {
	if s.Op.Params == nil {
		return nil
	}
	var out []*place
	for _, in := range s.Op.Params.Schema.Properties {
		section := &place{schema: in.Schema, path: in.Name, at: "/" + in.Name, slug: in.Name, section: true, needed: true}
		out = append(out, slices.DeleteFunc(section.below(s, taken), func(p *place) bool { return !p.reachable(s) })...)
	}
	return out
}

// reachable reports whether a baseline request can have a value at the place, and
// notes if that exceeds the budget.
func (p *place) reachable(s *plan.Space) bool {
	g := plan.Probe(s.Op)
	m := g.Baseline()
	p.ensure(g, m)
	if g.Over != "" {
		s.Leave(jsontree.Cut(p.path, 100) + " is not tried: " + g.Over)
		return false
	}
	up := p.up.get(m)
	return p.get(m) != nil && up != nil && (up.Kind == jsontree.Object) == p.member
}

// below lists the members and items of a place.
func (p *place) below(s *plan.Space, taken *openapi.Slugs) []*place {
	var out []*place
	for _, m := range p.members() {
		if m.Schema.Never || m.Schema.ReadOnly {
			continue
		}
		at := "/" + jsontree.EscapePointer(m.Name)
		out = append(out, p.child(at, at, word(m.Name), m.Schema, taken))
		last := out[len(out)-1]
		last.member, last.name, last.needed, last.need = true, m.Name, m.Required, m.Need
	}
	out = append(out, p.unnamed(s, taken)...)
	if p.schema.Type() != "array" || p.schema.MaxItems != nil && *p.schema.MaxItems == 0 {
		return out
	}
	for i, item := range p.schema.Prefix {
		n := strconv.Itoa(i)
		out = append(out, p.child("/*", "/"+n, n, item, taken))
	}
	if p.schema.Items != nil && len(p.schema.Prefix) == 0 {
		out = append(out, p.child("/*", "/"+strconv.Itoa(p.behindContained()), "*", p.schema.Items, taken))
	}
	for _, c := range out {
		c.needed = c.needed || !c.member
	}
	return out
}

// behindContained is how many items of an array stand before the one that a place is about: those that
// contains asks for stay, where there is room for one more.
func (p *place) behindContained() int {
	n := p.schema.MinContained()
	if p.schema.Contains == nil || p.schema.MaxItems != nil && n >= *p.schema.MaxItems {
		return 0
	}
	return n
}

// unnamed lists a member for each schema of members that the place does not name: those
// of patternProperties and additionalProperties.
func (p *place) unnamed(s *plan.Space, taken *openapi.Slugs) []*place {
	if p.section {
		return nil
	}
	var out []*place
	for _, r := range p.rooms() {
		name, ok := r.name(plan.Probe(s.Op), nil)
		if !ok || r.schema == nil || r.schema.Never || p.schema.Property(name) != nil {
			continue
		}
		one := p.child("/*", "/"+jsontree.EscapePointer(name), "extra", r.schema, taken)
		one.member, one.name = true, name
		out = append(out, one)
	}
	return out
}

// members are the properties of a place; where alternatives hold them, those of
// the one that the baseline value takes.
func (p *place) members() []*schema.Property {
	out := p.schema.Properties
	for _, list := range [][]*schema.Schema{p.schema.OneOf, p.schema.AnyOf} {
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

func (p *place) child(path, at, slug string, s *schema.Schema, taken *openapi.Slugs) *place {
	if p.slug != "" {
		slug = p.slug + "." + slug
	}
	return &place{schema: s, path: p.path + path, at: p.at + at, slug: taken.Take(slug), section: p.section, up: p}
}

// label is the place as case ids write it.
func (p *place) label() string {
	if p.slug == "" {
		return wholeBody.Name
	}
	return p.slug
}

// where is the place of a class that changes this one.
func (p *place) where() plan.Place { return plan.Place{Name: p.label(), Path: p.path} }

// word spells a member name as a part of a slug; letters keep their case.
func word(name string) string {
	for i := range len(name) {
		c := name[i]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if c < '0' || c > '9' {
				if c != '_' && c != '-' {
					return openapi.NameSlug(name)
				}
			}
		}
	}
	return openapi.Short(cmp.Or(name, "empty"), name)
}

// domain returns what is known of the must-accept values of the place.
func (p *place) domain(s *plan.Space) schema.Domain {
	path := p.path
	if p.section {
		path = "/" + path
	}
	return p.shape(s).Domains[path]
}

// free reports whether the place takes any text, also one that was sent before.
func (p *place) free() bool {
	s := p.schema
	if strings.HasPrefix(p.path, "header/") && hints.TakenOnce(p.name) {
		return false
	}
	return s.Type() == "string" && s.AnyText()
}

// certain reports whether every baseline message has the place.
func (p *place) certain() bool {
	for q := p; q.up != nil; q = q.up {
		if !q.needed {
			return false
		}
	}
	return true
}

// number reports whether the place takes numbers without a list of values.
func (p *place) number() bool {
	t := p.schema.Type()
	return (t == "integer" || t == "number") && p.schema.Enum == nil && p.schema.Const == nil
}

// freeText is the first place of a JSON body that takes any text.
func freeText(s *plan.Space) *place {
	for _, p := range inJSON(s, tried(s)) {
		if p.free() && p.needed {
			return p
		}
	}
	return nil
}

// freeTexts lists the required members of a JSON body that take any text.
func freeTexts(s *plan.Space) []*place {
	var out []*place
	for _, p := range inJSON(s, tried(s)) {
		if p.free() && p.certain() {
			out = append(out, p)
		}
	}
	return out
}

// optional lists the members that may be left out.
func optional(s *plan.Space) []*place {
	var out []*place
	for _, p := range tried(s) {
		if p.member && !p.needed {
			out = append(out, p)
		}
	}
	return out
}

// required lists the members that an object must have.
func required(s *plan.Space) []*place {
	var out []*place
	for _, p := range tried(s) {
		if p.member && p.needed {
			out = append(out, p)
		}
	}
	return out
}

// maxPaired bounds the members of which each is paired with each.
const maxPaired = 4

// pairable lists members of the body that take any text or number.
func pairable(s *plan.Space) []*place {
	var out []*place
	for _, p := range tried(s) {
		if len(out) < maxPaired && p.member && p.up != nil && p.up.up == nil && (p.free() || p.number()) {
			out = append(out, p)
		}
	}
	return out
}

// resource is one of what the path names: plant of /plants.
func resource(s *plan.Space) string { return strings.TrimSuffix(lastSegment(s), "s") }

func lastSegment(s *plan.Space) string { return s.Op.Path[strings.LastIndexByte(s.Op.Path, '/')+1:] }
