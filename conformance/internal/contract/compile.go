package contract

import (
	"errors"
	"fmt"
	"math/big"
	"sync"

	"encoding/json"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plantstore/conformance/internal/jsontree"
)

// Direction is the way a body travels: readOnly members bind answers only,
// writeOnly members requests only (OpenAPI 3.1, 4.8.24).
type Direction uint8

// The directions.
const (
	Requests Direction = iota
	Answers
)

func (d Direction) url() string {
	if d == Requests {
		return "mem://request/document"
	}
	return "mem://answer/document"
}

// compiler makes the exact validators of one document.
type compiler struct {
	// js are those that decide, or assume what is not decided: see undecided.go.
	js [assumptions]*jsonschema.Compiler
	mu sync.Mutex // alternatives are compiled while cases run
	// roots are the document as each direction means it: what is compiled and
	// what a generator walks are the same.
	roots [2]*jsontree.Value
}

func newCompiler(root *jsontree.Value, openapi string) (*compiler, error) {
	out := &compiler{}
	for _, d := range []Direction{Requests, Answers} {
		out.roots[d] = translate(root, d, openapi)
	}
	var err error
	out.js[decides], err = out.under(decides)
	return out, err
}

// under makes the compiler of validators that say so of what is undecided.
func (c *compiler) under(a assumption) (*jsonschema.Compiler, error) {
	js := jsonschema.NewCompiler()
	js.DefaultDraft(jsonschema.Draft2020)
	js.AssertFormat()
	js.UseRegexpEngine(a.engine)
	js.UseLoader(noLoader{})
	for _, f := range []struct {
		name string
		bits uint
	}{{"int32", 31}, {"int64", 63}} {
		js.RegisterFormat(&jsonschema.Format{Name: f.name, Validate: signed(f.name, f.bits)})
	}
	for d, root := range c.roots {
		if err := js.AddResource(Direction(d).url(), root.Native()); err != nil {
			return nil, err
		}
	}
	return js, nil
}

func (c *compiler) compile(d Direction, pointer string) (*jsonschema.Schema, error) {
	return c.compileUnder(decides, d, pointer)
}

func (c *compiler) compileUnder(a assumption, d Direction, pointer string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.js[a] == nil {
		var err error
		if c.js[a], err = c.under(a); err != nil {
			return nil, oneLine(err)
		}
	}
	s, err := c.js[a].Compile(d.url() + "#" + fragment(pointer))
	if err != nil {
		return nil, schemaError(err)
	}
	return s, nil
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is outside the document: bring it inside", url)
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
