package contract

import (
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"encoding/json"

	"github.com/dlclark/regexp2"
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
	js *jsonschema.Compiler
	mu sync.Mutex // alternatives are compiled while cases run
	// roots are the document as each direction means it: what is compiled and
	// what a generator walks are the same.
	roots [2]*jsontree.Value
}

func newCompiler(root *jsontree.Value, openapi string) (*compiler, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseRegexpEngine(ecma)
	c.UseLoader(noLoader{})
	for _, f := range []struct {
		name string
		bits uint
	}{{"int32", 31}, {"int64", 63}} {
		c.RegisterFormat(&jsonschema.Format{Name: f.name, Validate: signed(f.name, f.bits)})
	}
	out := &compiler{js: c}
	for _, d := range []Direction{Requests, Answers} {
		out.roots[d] = translate(root, d, openapi)
		if err := c.AddResource(d.url(), out.roots[d].Native()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *compiler) compile(d Direction, pointer string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, err := c.js.Compile(d.url() + "#" + fragment(pointer))
	if err != nil {
		return nil, oneLine(err)
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

// ecma compiles the patterns of JSON Schema, which are ECMA-262; the time limit
// keeps a backtracking pattern from stopping a run.
func ecma(s string) (jsonschema.Regexp, error) {
	re, err := regexp2.Compile(s, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		if re, err = regexp2.Compile(s, regexp2.None); err != nil {
			return nil, err
		}
	}
	re.MatchTimeout = 100 * time.Millisecond
	return pattern{re}, nil
}

type pattern struct{ re *regexp2.Regexp }

func (p pattern) MatchString(s string) bool {
	ok, err := p.re.MatchString(s)
	return ok && err == nil
}

func (p pattern) String() string { return p.re.String() }
