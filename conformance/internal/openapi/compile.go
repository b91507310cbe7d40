package openapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// Direction is the way in which a body travels: readOnly members apply only to
// answers, writeOnly members only to requests (OpenAPI 3.1, 4.8.24).
type Direction uint8

// The directions.
const (
	Requests Direction = iota
	Answers
)

// compiler compiles the exact validators of one document.
type compiler struct {
	// js are the compilers: one that decides, and those that assume what cannot be
	// decided; see undecided.go.
	js [assumptions]*jsonschema.Compiler
	// linked are the schemas whose references are set; see link.go.
	linked [assumptions]map[*jsonschema.Schema]bool
	mu     sync.Mutex // alternatives are compiled while cases run
	// roots are the document as it applies in each direction. The compiler and the
	// generators use the same one.
	roots [2]*jsontree.Value
	// patterns are shared by all schemas.
	patterns patterns
	// units are the parts of each root that are read; the same for both if the
	// roots are equal.
	units [2]*units
	// openNulls says that some nullable may or may not allow null.
	openNulls bool
}

func newCompiler(root *jsontree.Value, openapi string) *compiler {
	c := &compiler{roots: translate(root, openapi), patterns: patterns{kept: map[string]*pattern.Pattern{}}}
	c.units[Requests] = newUnits(c.roots[Requests], "mem://request/")
	c.units[Answers] = c.units[Requests]
	if c.roots[Requests] != c.roots[Answers] {
		c.units[Answers] = newUnits(c.roots[Answers], "mem://answer/")
	}
	return c
}

// under returns the compiler of validators with this assumption about what cannot
// be decided.
func (c *compiler) under(a assumption) *jsonschema.Compiler {
	js := jsonschema.NewCompiler()
	js.DefaultDraft(jsonschema.Draft2020)
	if a != formless {
		js.AssertFormat()
	}
	js.UseRegexpEngine(a.engine(&c.patterns))
	js.UseLoader(c)
	// The library asserts two formats of its own, which are annotations here.
	unknown := func(any) error { return nil }
	for _, name := range []string{"period", "semver"} {
		js.RegisterFormat(&jsonschema.Format{Name: name, Validate: unknown})
	}
	for _, f := range formats {
		switch {
		case !f.asserted:
			js.RegisterFormat(&jsonschema.Format{Name: f.name, Validate: unknown})
		case f.low != "":
			js.RegisterFormat(&jsonschema.Format{Name: f.name, Validate: f.ranged()})
		case f.has != nil:
			js.RegisterFormat(&jsonschema.Format{Name: f.name, Validate: f.text()})
		}
	}
	return js
}

// Load returns the part of the document with a URL. Nothing else is ever opened.
func (c *compiler) Load(url string) (any, error) {
	if strings.HasPrefix(url, c.units[Requests].base) {
		return c.units[Requests].Load(url)
	}
	return c.units[Answers].Load(url)
}

func (c *compiler) compile(d Direction, pointer string) (*jsonschema.Schema, error) {
	return c.compileUnder(decides, d, pointer)
}

func (c *compiler) compileUnder(a assumption, d Direction, pointer string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.js[a] == nil {
		c.js[a], c.linked[a] = c.under(a), map[*jsonschema.Schema]bool{}
	}
	s, err := c.link(a, d, c.units[d].URL(pointer))
	if err != nil {
		return nil, schemaError(err, c.units[d])
	}
	return s, nil
}

// ranged checks whole numbers exactly. A value that is no integer is left to the
// keyword type (OpenAPI format registry).
func (f format) ranged() func(any) error {
	low, high := f.within()
	return func(v any) error {
		n, ok := v.(json.Number)
		if !ok || !jsontree.IsInteger(string(n)) || jsontree.InRange(string(n), low, high) {
			return nil
		}
		return errors.New("outside " + f.name)
	}
}

// text checks a text. A value that is none is left to the keyword type.
func (f format) text() func(any) error {
	return func(v any) error {
		if s, ok := v.(string); !ok || f.has(s) {
			return nil
		}
		return errors.New("no " + f.name)
	}
}

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
	minDepth     = 2 // the body and its members
	maxTurns     = 2
	maxMerges    = 20_000
	maxNames     = 4 * maxSchemas
)

// flatten walks a schema as a whole if its branches end. Otherwise it walks every branch
// to the same depth, as deep as the number of schemas allows, and says where it cut one.
func flatten(root *jsontree.Value, pointer string, maximum int, clause func(string) string, choose map[string]int) flat {
	again := ""
	if maximum > maxSchemas {
		f := flattener{root: root, clause: clause, depth: 2 * flattenDepth, left: maximum, hard: maximum, choose: choose, whole: true}
		if s := f.schema(pointer); !f.cut {
			return flat{schema: s, size: maximum - f.hard, left: f.over, sites: f.sites}
		}
		maximum, again = maxSchemas, f.turned
	}
	for depth := flattenDepth; ; depth = max(minDepth, depth*3/4) {
		f := flattener{root: root, clause: clause, depth: depth, left: maximum, hard: maxSchemas, choose: choose}
		s := f.schema(pointer)
		again = cmp.Or(again, f.turned)
		if f.tooMany() {
			continue
		}
		out := flat{schema: s, size: maxSchemas - max(f.hard, 0), left: f.over, sites: f.sites}
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
	if len(all) <= maxListed {
		return all
	}
	f.leave(fmt.Sprintf("%d of %d listed values are tried (%s)", maxListed, len(all), f.clause(at)))
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
			if f.names++; f.names > maxNames {
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
		f.leave(fmt.Sprintf("%d of %d schemas are tried (%s)", maxListed, n, f.clause(at)))
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
