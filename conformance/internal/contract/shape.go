package contract

import (
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plantstore/conformance/internal/jsontree"
)

// Shape is a schema in one direction: what a generator walks, the exact judge,
// and the domains that say which of its values are plain.
type Shape struct {
	Schema    *Schema
	Direction Direction
	// Size is the number of schemas that were walked into.
	Size int
	// Domains overlay the plain values of single places, keyed by path.
	Domains map[string]Domain

	exact    *jsonschema.Schema
	compiler *compiler
	mu       sync.Mutex
	branches map[string]*jsonschema.Schema
	patterns map[string]jsonschema.Regexp
}

// Domain narrows or widens what is plain at one place. The zero value changes
// nothing.
type Domain struct {
	// Given says what an optional member is when it is given at all: "edge"
	// means that some implementations rightly refuse it.
	Given string
	// MinLength and MaxLength bound a plain string, in code points.
	MinLength, MaxLength int
	// Minimum and Maximum bound a plain number, as JSON numbers.
	Minimum, Maximum string
	// Examples are texts that an implementation may take where it takes only
	// those of a list.
	Examples []string
}

// Default bounds of plain values where neither the document nor an overlay
// speaks (design: every implementation must take them).
const (
	plainLength   = 64
	plainDepth    = 16
	schemaDepth   = 512 // the exact judge looks no deeper
	plainItems    = 16
	safeInteger   = "2147483647"
	mildLength    = 32
	mildMaximum   = "2147483647"
	int32Maximum  = "2147483647"
	int64Maximum  = "9223372036854775807"
	doubleDigits  = 15
	plainBodySize = 8 << 10
)

// branch gives the compiled schema at a pointer, for anyOf and oneOf.
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

// Matches tells whether a value keeps one part of the schema: a generator asks
// so which way a condition goes.
func (s *Shape) Matches(part *Schema, v *jsontree.Value) bool {
	b := s.branch(part.Pointer)
	return b != nil && b.Validate(v.Native()) == nil
}

// pattern gives a compiled pattern of patternProperties; nil where it does not
// compile.
func (s *Shape) pattern(text string) jsonschema.Regexp {
	s.mu.Lock()
	defer s.mu.Unlock()
	re, ok := s.patterns[text]
	if !ok {
		if made, err := ecma(text); err == nil {
			re = made
		}
		s.patterns[text] = re
	}
	return re
}

func newBranches() map[string]*jsonschema.Schema { return map[string]*jsonschema.Schema{} }
