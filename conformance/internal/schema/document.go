package schema

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

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

// Document has the schemas of one document: it compiles them for the exact judge and walks them for
// generators.
type Document struct {
	root  *jsontree.Value // as the document has it
	names Names
	// remembered is how many bytes of bodies a shape remembers.
	remembered int
	walked     map[walked]flat

	// js are the compilers: one that decides, and those that assume what cannot be
	// decided; see assumption.
	js [assumptions]*jsonschema.Compiler
	// linked are the schemas whose references are set.
	linked [assumptions]map[*jsonschema.Schema]bool
	mu     sync.Mutex // alternatives are compiled while cases run
	// roots are the document as it applies in each direction. The compiler and the
	// generators use the same one.
	roots [2]*jsontree.Value
	// patterns are shared by all schemas.
	patterns patterns
	// units are the parts of each root that are read; the same for both if the
	// roots are equal.
	units     [2]*units
	openNulls int
}

// Names are how a document calls the places of its schemas.
type Names struct {
	// Clause is where the schema at a pointer stands, for people, and Of the name that it has.
	Clause, Of func(pointer string) string
}

// NewDocument returns the schemas of a document of this version of OpenAPI, which refers only to itself.
// Shapes remember so many bytes of the bodies that they read.
func NewDocument(root *jsontree.Value, openapi string, names Names, remembered int) *Document {
	c := &Document{root: root, names: names, remembered: remembered, walked: map[walked]flat{},
		roots: translate(root, openapi), patterns: patterns{kept: map[string]*pattern.Pattern{}}}
	c.units[Requests] = newUnits(c.roots[Requests], "mem://request/")
	c.units[Answers] = c.units[Requests]
	if c.roots[Requests] != c.roots[Answers] {
		c.units[Answers] = newUnits(c.roots[Answers], "mem://answer/")
	}
	c.openNulls = countOpenNulls(c.roots[Requests])
	return c
}

// under returns the compiler of validators with this assumption about what cannot
// be decided.
func (c *Document) under(a assumption) *jsonschema.Compiler {
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
func (c *Document) Load(url string) (any, error) {
	if strings.HasPrefix(url, c.units[Requests].base) {
		return c.units[Requests].Load(url)
	}
	return c.units[Answers].Load(url)
}

func (c *Document) compile(d Direction, pointer string) (*jsonschema.Schema, error) {
	return c.compileUnder(decides, d, pointer)
}

func (c *Document) compileUnder(a assumption, d Direction, pointer string) (*jsonschema.Schema, error) {
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

// link compiles the schema with a URL and everything it refers to.
//
// The library compiles a schema together with everything it refers to, and searches
// a list of these for each of them. If thousands of schemas refer to each other,
// that takes minutes. So a unit here refers only to stand-ins and is compiled
// alone, and its references are set afterwards.
func (c *Document) link(a assumption, d Direction, url string) (*jsonschema.Schema, error) {
	first, err := c.js[a].Compile(url)
	if err != nil {
		return nil, err
	}
	seen := map[*jsonschema.Schema]bool{}
	for todo := []*jsonschema.Schema{first}; len(todo) > 0; {
		s := todo[0]
		todo = todo[1:]
		if seen[s] || c.linked[a][s] {
			continue
		}
		seen[s] = true
		if s.Ref != nil {
			if target, ok := c.units[d].target(s.Ref.Location); ok {
				if s.Ref, err = c.js[a].Compile(target); err != nil {
					return nil, err
				}
			}
			todo = append(todo, s.Ref)
		}
		todo = append(todo, below(s)...)
	}
	maps.Copy(c.linked[a], seen) // not before all went well
	return first, nil
}

// below returns the schemas inside a schema, always in the same order.
func below(s *jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	add := func(list ...*jsonschema.Schema) {
		for _, one := range list {
			if one != nil {
				out = append(out, one)
			}
		}
	}
	named := func(m map[string]*jsonschema.Schema) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			add(m[name])
		}
	}
	add(s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems)
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		add(list...)
	}
	if extra, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
		add(extra)
	}
	named(s.Properties)
	named(s.DependentSchemas)
	matched := slices.Collect(maps.Values(s.PatternProperties))
	slices.SortFunc(matched, func(x, y *jsonschema.Schema) int { return cmp.Compare(x.Location, y.Location) })
	add(matched...)
	return out
}

// standing is the prefix of the path of a stand-in. Its number follows.
const standing = "for/"

// standIn returns the URL of the stand-in for the schema at a pointer.
func (u *units) standIn(pointer string) string {
	url := u.URL(pointer)
	n, known := u.standIns[url]
	if !known {
		n = len(u.targets)
		u.standIns[url] = n
		u.targets = append(u.targets, url)
	}
	return u.base + standing + strconv.Itoa(n)
}

// target returns the URL of the schema that a stand-in replaces.
func (u *units) target(location string) (string, bool) {
	rest, ok := strings.CutPrefix(location, u.base+standing)
	n, err := strconv.Atoi(strings.TrimSuffix(rest, "#"))
	if !ok || err != nil || n < 0 || n >= len(u.targets) {
		return "", false
	}
	return u.targets[n], true
}

// Shape returns the shape of the schema at a pointer, which is walked into so many at most. Bodies that
// are nothing but a reference to one component share what is below it. The error is a *Malformed, an
// *Endless, or what else the compiler says.
func (c *Document) Shape(d Direction, pointer string, maximum int) (*Shape, error) {
	meant := c.Plain(pointer)
	exact, err := c.compile(d, meant)
	if wrong := (*Malformed)(nil); errors.As(err, &wrong) {
		return nil, wrong
	}
	if f := newFinite(c.roots[d]); !f.at(pointer) {
		return nil, &Endless{f.chain}
	}
	if err != nil {
		return nil, err
	}
	key := walked{d, meant, maximum}
	one, known := c.walked[key]
	if !known {
		one = flatten(c.roots[d], pointer, maximum, c.names, nil)
		c.walked[key] = one
	}
	own := *one.schema
	own.Pointer = pointer
	one.schema = &own
	return c.newShape(d, one, exact, meant), nil
}

// newShape returns the shape of a schema that was walked, with the exact one at a pointer.
func (c *Document) newShape(d Direction, one flat, exact *jsonschema.Schema, pointer string) *Shape {
	out := &Shape{Schema: one.schema, Size: one.size, Cut: one.cut, Why: one.why, Untried: one.left, Alternatives: one.sites, Direction: d,
		exact: exact, pointer: pointer, document: c, Domains: map[string]Domain{}, found: newFound(), before: newReadings(c.remembered)}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, part := range one.parts {
		out.conditionals = append(out.conditionals, conditional{c.units[d].URL(part), part})
	}
	return out
}

// Plain follows references that contain nothing else, so that a schema is
// compiled once, however many operations refer to it.
func (c *Document) Plain(pointer string) string {
	for range 16 {
		v := c.root.At(pointer)
		ref := v.Get("$ref")
		if ref == nil || len(v.Members) > 1 || !strings.HasPrefix(ref.Text, "#/") {
			break
		}
		pointer = jsontree.FromFragment(ref.Text)
	}
	return pointer
}

// Size returns how many schemas a walk into so many at most makes, and how many alternatives could be
// chosen beside the first ones.
func (c *Document) Size(d Direction, pointer string, maximum int) (size, further int) {
	one := flatten(c.roots[d], pointer, maximum, c.names, nil)
	for _, s := range one.sites {
		further += len(s.Names) - 1
	}
	return one.size, further
}

// OpenNulls is how many schemas of the document may or may not allow null.
func (c *Document) OpenNulls() int { return c.openNulls }

// Done forgets what only Shape needs, when no further shape is asked for.
func (c *Document) Done() { c.walked = nil }

// Endless is a schema that no finite value satisfies, and where it leads back to itself.
type Endless struct{ Pointer string }

// Malformed is a schema that its metaschema refuses, and where.
type Malformed struct{ Pointer, What string }

// Error returns the reason without the place.
func (e *Malformed) Error() string { return e.What }

// schemaError describes why a schema does not compile, with the place inside it if
// it is known.
func schemaError(err error, u *units) error {
	var invalid *jsonschema.SchemaValidationError
	var cause *jsonschema.ValidationError
	if !errors.As(err, &invalid) || !errors.As(invalid.Err, &cause) {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return errors.New(u.plainly(line))
	}
	for len(cause.Causes) > 0 {
		// The cause deepest inside the schema is the most exact.
		deepest := cause.Causes[0]
		for _, c := range cause.Causes {
			if depth(c) > depth(deepest) {
				deepest = c
			}
		}
		cause = deepest
	}
	pointer := u.pointer(invalid.URL)
	for _, token := range cause.InstanceLocation {
		pointer += "/" + jsontree.EscapePointer(token)
	}
	what := cause.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	return &Malformed{pointer, strings.Join(strings.Fields(what), " ")}
}

// depth is how far into the schema an error and its causes lead.
func depth(e *jsonschema.ValidationError) int {
	d := len(e.InstanceLocation)
	for _, c := range e.Causes {
		d = max(d, depth(c))
	}
	return d
}

// countOpenNulls counts the schemas that leave null open.
func countOpenNulls(root *jsontree.Value) int {
	n := 0
	for todo := []*jsontree.Value{root}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v.Get(looseNull) != nil {
			n++
		}
		todo = append(todo, v.Items...)
		for _, m := range v.Members {
			todo = append(todo, m.Value)
		}
	}
	return n
}

func (e *Endless) Error() string { return "no value satisfies this schema" }
