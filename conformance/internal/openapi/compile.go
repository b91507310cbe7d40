package openapi

import (
	"errors"
	"strings"
	"sync"

	"encoding/json"

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
