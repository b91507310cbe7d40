package contract

import (
	"errors"
	"math/big"
	"strings"
	"sync"

	"encoding/json"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// Direction is the way a body travels: readOnly members bind answers only,
// writeOnly members requests only (OpenAPI 3.1, 4.8.24).
type Direction uint8

// The directions.
const (
	Requests Direction = iota
	Answers
)

// compiler makes the exact validators of one document.
type compiler struct {
	// js are those that decide, or assume what is not decided: see undecided.go.
	js [assumptions]*jsonschema.Compiler
	// linked are the schemas whose references lead where they should: see link.go.
	linked [assumptions]map[*jsonschema.Schema]bool
	mu     sync.Mutex // alternatives are compiled while cases run
	// roots are the document as each direction means it: what is compiled and
	// what a generator walks are the same.
	roots [2]*jsontree.Value
	// patterns are shared by all schemas.
	patterns patterns
	// units are what is read of each root; one for both where they are the same.
	units [2]*units
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

// under makes the compiler of validators that say so of what is undecided.
func (c *compiler) under(a assumption) *jsonschema.Compiler {
	js := jsonschema.NewCompiler()
	js.DefaultDraft(jsonschema.Draft2020)
	js.AssertFormat()
	js.UseRegexpEngine(a.engine(&c.patterns))
	js.UseLoader(c)
	for _, f := range []struct {
		name string
		bits uint
	}{{"int32", 31}, {"int64", 63}} {
		js.RegisterFormat(&jsonschema.Format{Name: f.name, Validate: signed(f.name, f.bits)})
	}
	return js
}

// Load reads a unit; nothing else is ever opened.
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

// signed asserts int32 and int64 exactly; what is no integer is the business of
// type (OpenAPI format registry).
func signed(name string, bits uint) func(any) error {
	limit := new(big.Int).Lsh(big.NewInt(1), bits)
	low := new(big.Int).Neg(limit)
	high := new(big.Int).Sub(limit, big.NewInt(1))
	return func(v any) error {
		n, ok := v.(json.Number)
		if !ok || !jsontree.IsInteger(string(n)) || jsontree.InRange(string(n), low, high) {
			return nil
		}
		return errors.New("outside " + name)
	}
}
