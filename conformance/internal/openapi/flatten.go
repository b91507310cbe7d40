package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// flattener merges references and allOf into Schemas. It makes a new Schema for
// every use, so that a merge never changes a shared one. A schema that contains
// itself is followed once into itself. Schemas that refer to each other could be
// followed without end, so their number is limited too, and the schemas of a large
// document share that limit. What a value must have is followed further.
type flattener struct {
	clause func(pointer string) string // how a note names a place
	root   *jsontree.Value
	stack  []string
	depth  int // of the stack, beyond which only what is needed is followed
	left   int // schemas that may still be made of what is not needed
	hard   int // schemas that may still be made at all
	// merges counts the references and parts of allOf that were followed: they can
	// multiply without a schema being made.
	merges int
	names  int // that are required before, or without, a schema
	cut    bool
	whole  bool     // a cut makes the walk useless
	turned string   // the first schema that was not followed into itself once more
	over   []string // what else is not tried, a line each
	// choose says which alternative is merged, by the pointer of the list; the first if it
	// does not. It is nil to keep all alternatives apart.
	choose map[string]int
	sites  []site // lists of alternatives, in the order in which they were met
}

func (f *flattener) leave(what string) {
	if !slices.Contains(f.over, what) {
		f.over = append(f.over, what)
	}
}

const (
	flattenDepth = 40
	leastDepth   = 2 // the body and its members
	mostTurns    = 2
	mostMerges   = 20_000
	mostNames    = 4 * mostSchemas
)

// flatten walks a schema as a whole if its branches end. Otherwise it walks every branch
// to the same depth, as deep as the number of schemas allows, and says where it cut one.
func flatten(root *jsontree.Value, pointer string, most int, clause func(string) string, choose map[string]int) flat {
	again := ""
	if most > mostSchemas {
		f := flattener{root: root, clause: clause, depth: 2 * flattenDepth, left: most, hard: most, choose: choose, whole: true}
		if s := f.schema(pointer); !f.cut {
			return flat{schema: s, size: most - f.hard, left: f.over, sites: f.sites}
		}
		most, again = mostSchemas, f.turned
	}
	for depth := flattenDepth; ; depth = max(leastDepth, depth*3/4) {
		f := flattener{root: root, clause: clause, depth: depth, left: most, hard: mostSchemas, choose: choose}
		s := f.schema(pointer)
		again = cmp.Or(again, f.turned)
		if f.tooMany() {
			continue
		}
		out := flat{schema: s, size: mostSchemas - max(f.hard, 0), left: f.over, sites: f.sites}
		switch {
		case f.cut && again != "":
			out.cut, out.why = again, "it contains itself"
		case f.cut:
			out.cut, out.why = pointer, "there is room for "+strconv.Itoa(out.size)+" schemas of it"
		}
		return out
	}
}

func (f *flattener) schema(pointer string) *Schema {
	s := &Schema{Pointer: pointer}
	if f.tooMany() {
		return s
	}
	s.needs = f.needed(pointer)
	f.left--
	if f.hard--; f.hard < 0 {
		f.cut, s.Recursive = true, true
		return s
	}
	f.merge(s, pointer)
	s.needs = nil
	return s
}

// tooMany reports whether the walk needs another, less deep one, whatever it still
// makes.
func (f *flattener) tooMany() bool {
	return f.cut && (f.whole || f.left <= 0 && f.depth > leastDepth)
}

// lean reports whether only what a value must have is still followed.
func (f *flattener) lean() bool {
	if f.left > 0 && len(f.stack) <= f.depth {
		return false
	}
	f.cut = true
	return true
}

// again reports whether the schema at a pointer was followed often enough.
func (f *flattener) again(pointer string) bool {
	turns := 0
	for _, p := range f.stack {
		if p == pointer {
			turns++
		}
	}
	return turns >= mostTurns || len(f.stack) > 2*flattenDepth
}

// merge adds the schema at pointer to s.
func (f *flattener) merge(s *Schema, pointer string) {
	if f.tooMany() {
		return
	}
	node := f.root.At(pointer)
	if node == nil {
		return
	}
	if node.Kind == jsontree.Bool {
		s.Never = s.Never || !node.Bool
		return
	}
	if f.again(pointer) {
		f.turned = cmp.Or(f.turned, pointer)
		f.cut, s.Recursive = true, true
		return
	}
	if f.merges++; f.merges > mostMerges {
		f.cut, s.Recursive = true, true
		return
	}
	f.stack = append(f.stack, pointer)
	defer func() { f.stack = f.stack[:len(f.stack)-1] }()

	if ref := node.Get("$ref"); ref != nil && strings.HasPrefix(ref.Text, "#") {
		target := unfragment(ref.Text)
		s.Name = nameOf(target)
		f.merge(s, target)
	}
	if all := node.Get("allOf"); all != nil {
		name := s.Name
		for i := range all.Items {
			f.merge(s, pointer+"/allOf/"+strconv.Itoa(i))
		}
		s.Name = name
	}
	for _, m := range node.Members {
		f.keyword(s, pointer, m.Name, m.Value)
	}
}

// listed returns the values of an enum, an even selection if there are many.
func (f *flattener) listed(at string, all []*jsontree.Value) []*jsontree.Value {
	if len(all) <= mostListed {
		return all
	}
	f.leave(fmt.Sprintf("%d of %d listed values are tried (%s)", mostListed, len(all), f.clause(at)))
	out := make([]*jsontree.Value, mostListed)
	for i := range out {
		out[i] = all[i*(len(all)-1)/(mostListed-1)]
	}
	return out
}

// required marks the members that a list names, and adds those not seen yet.
func (f *flattener) required(s *Schema, at string, list *jsontree.Value) {
	for _, n := range list.Items {
		p := s.Property(n.Text)
		if p == nil {
			if f.names++; f.names > mostNames {
				f.cut = true
				return
			}
			p = &Property{Name: n.Text, Schema: &Schema{}}
			s.Properties = append(s.Properties, p)
		}
		p.Required, p.Need = true, at
	}
}

// properties adds the members of an object. The pointer of one is only put together
// if it is followed: most of those of a large document are not.
func (f *flattener) properties(s *Schema, at string, list *jsontree.Value) {
	for _, m := range list.Members {
		p := s.Property(m.Name)
		switch {
		case p == nil && !s.needs[m.Name] && f.lean():
		case p == nil && f.hard <= 0:
			f.cut = true
		case p == nil:
			s.Properties = append(s.Properties, &Property{Name: m.Name, Schema: f.schema(at + "/" + jsontree.EscapePointer(m.Name))})
		default:
			pointer := at + "/" + jsontree.EscapePointer(m.Name)
			p.Schema.Pointer = cmp.Or(p.Schema.Pointer, pointer)
			f.merge(p.Schema, pointer)
		}
	}
}

// list returns all schemas of a list, or only those that a value must have.
func (f *flattener) list(at string, v *jsontree.Value, needed int) []*Schema {
	n := len(v.Items)
	if n > mostListed {
		f.leave(fmt.Sprintf("%d of %d schemas are tried (%s)", mostListed, n, f.clause(at)))
		n = max(mostListed, needed)
	}
	if n > needed && f.lean() {
		n = needed
	}
	out := make([]*Schema, n)
	for i := range out {
		out[i] = f.schema(at + "/" + strconv.Itoa(i))
	}
	return out
}
