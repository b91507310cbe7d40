package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// MaxSchemas is how many schemas are walked at most of a body that does not end.
const MaxSchemas = 400

// Limits of what is tried; the rest is named in LeftOut too.
const (
	maxListed = 100  // values of an enum
	maxDigits = 1000 // characters of a number in a schema
)

// flat is the result of flatten.
type flat struct {
	schema *Schema
	size   int
	left   []string
	sites  []Alternatives
	parts  []string // the pointers of then and else
	// cut is the place where the walk ended although the document continues, and why; empty
	// if it did not.
	cut, why string
}

// walked is a schema that was walked for one body and is used for all that refer to it.
type walked struct {
	direction Direction
	pointer   string
	maximum   int
}

// flattener merges references and allOf into Schemas. It makes a new Schema for
// every use, so that a merge never changes a shared one. A schema that contains
// itself is followed once into itself. Schemas that refer to each other could be
// followed without end, so their number is limited too, and the schemas of a large
// document share that limit. What a value must have is followed further.
type flattener struct {
	names Names
	root  *jsontree.Value
	stack []string
	depth int // of the stack, beyond which only what is needed is followed
	left  int // schemas that may still be made of what is not needed
	hard  int // schemas that may still be made at all
	// merges counts the references and parts of allOf that were followed: they can
	// multiply without a schema being made.
	merges int
	asked  int // names that are required before, or without, a schema
	cut    bool
	whole  bool     // a cut makes the walk useless
	turned string   // the first schema that was not followed into itself once more
	over   []string // what else is not tried, a line each
	// choose says which alternative is merged, by the pointer of the list; the first if it
	// does not. It is nil to keep all alternatives apart.
	choose map[string]int
	sites  []Alternatives // lists of alternatives, in the order in which they were met
	parts  []string       // then and else, by their pointers
}

func (f *flattener) leave(what string) {
	if !slices.Contains(f.over, what) {
		f.over = append(f.over, what)
	}
}

const (
	flattenDepth = 40
	minDepth     = 2 // the body and its members
	maxTurns     = 2
	maxMerges    = 20_000
	maxNames     = 4 * MaxSchemas
)

// flatten walks a schema as a whole if its branches end. Otherwise it walks every branch
// to the same depth, as deep as the number of schemas allows, and says where it cut one.
func flatten(root *jsontree.Value, pointer string, maximum int, names Names, choose map[string]int) flat {
	again := ""
	if maximum > MaxSchemas {
		f := flattener{root: root, names: names, depth: 2 * flattenDepth, left: maximum, hard: maximum, choose: choose, whole: true}
		if s := f.schema(pointer); !f.cut {
			return flat{schema: s, size: maximum - f.hard, left: f.over, sites: f.sites, parts: f.parts}
		}
		maximum, again = MaxSchemas, f.turned
	}
	for depth := flattenDepth; ; depth = max(minDepth, depth*3/4) {
		f := flattener{root: root, names: names, depth: depth, left: maximum, hard: MaxSchemas, choose: choose}
		s := f.schema(pointer)
		again = cmp.Or(again, f.turned)
		if f.tooMany() {
			continue
		}
		out := flat{schema: s, size: MaxSchemas - max(f.hard, 0), left: f.over, sites: f.sites, parts: f.parts}
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
	if s.Contains != nil && s.Items != nil {
		s.Contains.Beside = s.Items
		f.merge(s.Contains, s.Items.Pointer) // an item that is contained is an item too
	}
	s.needs = nil
	return s
}

// tooMany reports whether the walk needs another, less deep one, whatever it still
// makes.
func (f *flattener) tooMany() bool {
	return f.cut && (f.whole || f.left <= 0 && f.depth > minDepth)
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
	return turns >= maxTurns || len(f.stack) > 2*flattenDepth
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
	if f.merges++; f.merges > maxMerges {
		f.cut, s.Recursive = true, true
		return
	}
	f.stack = append(f.stack, pointer)
	defer func() { f.stack = f.stack[:len(f.stack)-1] }()

	if ref := node.Get("$ref"); ref != nil && strings.HasPrefix(ref.Text, "#") {
		target := jsontree.FromFragment(ref.Text)
		s.Name = f.names.Of(target)
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
	if len(all) <= maxListed {
		return all
	}
	f.leave(fmt.Sprintf("%d of %d listed values are tried (%s)", maxListed, len(all), f.names.Clause(at)))
	out := make([]*jsontree.Value, maxListed)
	for i := range out {
		out[i] = all[i*(len(all)-1)/(maxListed-1)]
	}
	return out
}

// required marks the members that a list names, and adds those not seen yet.
func (f *flattener) required(s *Schema, at string, list *jsontree.Value) {
	for _, n := range list.Items {
		p := s.Property(n.Text)
		if p == nil {
			if f.asked++; f.asked > maxNames {
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
	if n > maxListed {
		f.leave(fmt.Sprintf("%d of %d schemas are tried (%s)", maxListed, n, f.names.Clause(at)))
		n = max(maxListed, needed)
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

// needed returns the members that the schema at a pointer requires.
func (f *flattener) needed(pointer string) map[string]bool {
	n := needs{root: f.root, left: leanSteps}
	n.add(pointer, 0)
	return n.names
}

type needs struct {
	root  *jsontree.Value
	names map[string]bool // nil if there is none
	left  int             // schemas that are still looked at: allOf in allOf multiplies
}

func (n *needs) add(pointer string, depth int) {
	node := n.root.At(pointer)
	if n.left--; node == nil || node.Kind != jsontree.Object || depth > leanDepth || n.left < 0 {
		return
	}
	if list := node.Get("required"); list != nil {
		names := list.Texts()
		if n.names == nil && len(names) > 0 {
			n.names = make(map[string]bool, len(names))
		}
		for _, name := range names {
			n.names[name] = true
		}
	}
	if ref := node.Get("$ref"); ref != nil && strings.HasPrefix(ref.Text, "#") {
		n.add(jsontree.FromFragment(ref.Text), depth+1)
	}
	if all := node.Get("allOf"); all != nil {
		for i := range all.Items {
			n.add(pointer+"/allOf/"+strconv.Itoa(i), depth+1)
		}
	}
}

// How much is examined to find the required members: references in a row, and
// schemas.
const (
	leanDepth = 8
	leanSteps = 1000
)
