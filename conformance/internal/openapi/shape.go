package openapi

import (
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// Shape is a schema in one direction: for generators, for the exact judge, and with
// the domains that say which of its values are must-accept.
type Shape struct {
	Schema    *Schema
	Direction Direction
	// Size is the number of schemas that were walked.
	Size int
	// Cut says that the walk ended somewhere although the document continues.
	Cut bool
	// Patch says that the value is a JSON Patch (RFC 6902): whether the places that it
	// names are there depends on the target.
	Patch bool
	// Part says that members which a value leaves out stay as they are. Whole is what the
	// document says of the thing that the value is a part of.
	Part  bool
	Whole []*Schema
	// Unguessed says that the target refused the kinds and the order of values that names and
	// sentences suggest: then nothing is drawn because of them.
	Unguessed bool
	// Told says that the target refused plain texts: requests get those that sentences tell of.
	Told bool
	// Domains replace the must-accept values of single places, keyed by path.
	Domains map[string]Domain

	sites    []site              // lists of alternatives
	merged   map[string][]Merged // by the path of their values
	before   *readings           // nil remembers nothing
	exact    *jsonschema.Schema
	pointer  string // of exact
	compiler *compiler
	mu       sync.Mutex
	branches map[string]*jsonschema.Schema
	patterns map[string]*pattern.Pattern
	pairs    map[*Schema][]Pair
}

// Domain narrows or widens the must-accept values of one place. The zero value
// changes nothing.
type Domain struct {
	// Given says how to treat an optional member that is present: "may-refuse"
	// means that some implementations rightly refuse it.
	Given string
	// MinLength and MaxLength bound a must-accept string, in code points.
	MinLength, MaxLength int
	// Minimum and Maximum bound a must-accept number, as JSON numbers.
	Minimum, Maximum string
	// Examples are texts that an implementation may accept if it accepts only those
	// of a list.
	Examples []string
	// Value is a value that the target accepts. Any other may then be refused.
	Value *jsontree.Value
}

// Default bounds of must-accept values where neither the document nor the
// requirements file states bounds: every implementation has to accept them.
const (
	mustAcceptLength = 64
	mustAcceptDepth  = 16
	schemaDepth      = 512 // the exact judge looks no deeper
	mustAcceptItems  = 16
	safeInteger      = "2147483647"
	baselineLength   = 32
	baselineMaximum  = "2147483647"
	int64Maximum     = "9223372036854775807"
	doubleDigits     = 15
)

// branch returns the compiled schema at a pointer, for anyOf and oneOf.
func (s *Shape) branch(pointer string) *jsonschema.Schema {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.branches[pointer]; ok {
		return b
	}
	b, err := s.compiler.compile(s.Direction, pointer)
	if err != nil {
		b = nil
	}
	s.branches[pointer] = b
	return b
}

// Matches reports whether a value satisfies a part of the schema. Generators use it
// for conditions. An undecided value does not match.
func (s *Shape) Matches(part *Schema, v *jsontree.Value) bool {
	ok, _ := keeps(s.branch(part.Pointer), v.Native())
	return ok
}

// Pattern returns a compiled pattern of the schema, or nil if it does not compile.
func (s *Shape) Pattern(text string) *pattern.Pattern {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.patterns[text]
	if !ok {
		p, _ = pattern.Compile(text) // Load refused what does not compile
		s.patterns[text] = p
	}
	return p
}

// Mismatches reports whether a text surely does not match a pattern of the schema.
func (s *Shape) Mismatches(text, value string) bool {
	re := s.Pattern(text)
	return re != nil && re.Match(value) == pattern.No
}

func newBranches() map[string]*jsonschema.Schema { return map[string]*jsonschema.Schema{} }
