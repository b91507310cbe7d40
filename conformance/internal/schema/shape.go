package schema

import (
	"maps"
	"slices"
	"strings"
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
	// Cut is the place where the walk ended although the document continues, and Why; empty if it
	// did not. Untried is what else of it is not tried, a line each.
	Cut, Why string
	Untried  []string
	// Alternatives are the lists of alternatives of which one can be chosen.
	Alternatives []Alternatives
	// Patch says that the value is a JSON Patch (RFC 6902): whether the places that it
	// names are there depends on the target.
	Patch bool
	// Part says that members which a value leaves out stay as they are. Whole is what the
	// document says of the resource that the value is a part of.
	Part  bool
	Whole []*Schema
	// Domains replace the must-accept values of single places, keyed by path.
	Domains map[string]Domain

	merged   map[string][]Merged // by the path of their values
	before   *readings           // nil remembers nothing
	exact    *jsonschema.Schema
	pointer  string // of exact
	document *Document
	found    *found
	// conditionals are the schemas of then and else.
	conditionals []conditional
}

// conditional is a then or else, as the exact judge names it and as the document does.
type conditional struct{ url, pointer string }

// conditional returns the pointer of the innermost then or else that a schema of the exact judge
// stands in, or "".
func (s *Shape) conditional(url string) string {
	var in conditional
	for _, c := range s.conditionals {
		if rest, found := strings.CutPrefix(url, c.url); found && (rest == "" || rest[0] == '/') && len(c.url) > len(in.url) {
			in = c
		}
	}
	return in.pointer
}

// found is what was found out about a schema: it depends on that alone, and copies of a shape share
// it.
type found struct {
	mu       sync.Mutex
	branches map[string]*jsonschema.Schema
	patterns map[string]*pattern.Pattern
	pairs    map[pairing][]Pair
}

func newFound() *found {
	return &found{branches: map[string]*jsonschema.Schema{}, patterns: map[string]*pattern.Pattern{}, pairs: map[pairing][]Pair{}}
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
	s.found.mu.Lock()
	defer s.found.mu.Unlock()
	if b, ok := s.found.branches[pointer]; ok {
		return b
	}
	b, err := s.document.compile(s.Direction, pointer)
	if err != nil {
		b = nil
	}
	s.found.branches[pointer] = b
	return b
}

// Matches reports whether a value satisfies a part of the schema. Generators use it
// for conditions. An undecided value does not match.
func (s *Shape) Matches(part *Schema, v *jsontree.Value) bool {
	ok, _ := keeps(s.branch(part.Pointer), v.Native())
	return ok && (part.Beside == nil || s.Matches(part.Beside, v))
}

// Pattern returns a compiled pattern of the schema, or nil if it does not compile.
func (s *Shape) Pattern(text string) *pattern.Pattern {
	s.found.mu.Lock()
	defer s.found.mu.Unlock()
	p, ok := s.found.patterns[text]
	if !ok {
		p, _ = pattern.Compile(text) // Load refused what does not compile
		s.found.patterns[text] = p
	}
	return p
}

// Mismatches reports whether a text surely does not match a pattern of the schema.
func (s *Shape) Mismatches(text, value string) bool {
	re := s.Pattern(text)
	return re != nil && re.Match(value) == pattern.No
}

// Copy returns a shape with domains and a memory of its own.
func (s *Shape) Copy() *Shape {
	out := *s
	out.Domains, out.before = maps.Clone(s.Domains), s.before.again()
	return &out
}

// AssertNoFormat makes the exact judge take values of any format.
func (s *Shape) AssertNoFormat() (err error) {
	s.exact, err = s.document.compileUnder(formless, s.Direction, s.pointer)
	return err
}

// wholeAt returns what the document says of the whole of the object at a path.
func (s *Shape) wholeAt(path string) []*Schema {
	var out []*Schema
	for _, whole := range s.Whole {
		for _, name := range strings.Split(path, "/")[1:] {
			plain, _ := jsontree.UnescapePointer(name) // it was escaped
			p := whole.Property(plain)
			if whole = nil; p == nil {
				break
			}
			whole = p.Schema
		}
		if whole != nil {
			out = append(out, whole)
		}
	}
	return out
}

// unpaired returns the name of the member that a member of a part has to agree with and that
// is not in that part, or "". The thing has it, and its value is not known. An item of a list
// is never a part: lists are replaced.
func (s *Shape) unpaired(of *Schema, v *jsontree.Value, m jsontree.Member, path string) string {
	if !s.Part || strings.Contains(path+"/", "/*/") || m.Value.Kind != jsontree.Number && m.Value.Kind != jsontree.String {
		return ""
	}
	for _, schema := range append([]*Schema{of}, s.wholeAt(path)...) {
		for _, pair := range s.Pairs(schema, false) {
			if other := pair.other(m.Name); !pair.Told && other != nil && v.Get(other.Name) == nil && !pair.agrees(m) {
				return other.Name
			}
		}
	}
	return ""
}

// incomplete returns the name of a member that an object inside a part lacks although the
// whole thing requires it, or "". The thing may have it already: that is not known.
func (s *Shape) incomplete(v *jsontree.Value, path string) string {
	if !s.Part || path == "" || strings.Contains(path+"/", "/*/") {
		return ""
	}
	for _, whole := range s.wholeAt(path) {
		for _, p := range whole.Properties {
			if p.Required && !p.Schema.ReadOnly && v.Get(p.Name) == nil {
				return p.Name
			}
		}
	}
	return ""
}

const unpaired = "it has to agree with "

// Unpaired reports whether nothing but what is stored may be a reason to refuse a valid
// value: it has one member of a pair alone.
func (r *Reading) Unpaired() bool {
	if r == nil {
		return false
	}
	for _, reason := range r.Reasons {
		if !strings.HasPrefix(reason.What, unpaired) {
			return false
		}
	}
	return r.Kind == MayRefuse && len(r.Reasons) > 0
}

// Bounds of what a shape remembers, in bytes of bodies. ForOne is for a single run, which
// reads a body when it is drawn and again when it is sent. ForMore has room for all bodies
// of a plan, for runs that send them again.
const (
	rememberedBody = 2 << 10
	ForOne         = 32 << 10
	ForMore        = 4 << 20
)

// readings are the readings of bodies that were read before: a reading depends on the bytes and the
// domains alone. The shared parts are never changed; each caller gets its own copy of the rest.
type readings struct {
	mu      sync.RWMutex
	of      map[string]Reading
	order   []string // the oldest first
	held    int
	maximum int
}

// newReadings returns nil, which remembers nothing, if there is no room.
func newReadings(maximum int) *readings {
	if maximum == 0 {
		return nil
	}
	return &readings{of: map[string]Reading{}, maximum: maximum}
}

// again returns readings of the same size that remember nothing yet.
func (r *readings) again() *readings {
	if r == nil {
		return nil
	}
	return newReadings(r.maximum)
}

// find returns the caller's own copy of a reading, or nil.
func (r *readings) find(body []byte) *Reading {
	if r == nil || len(body) > rememberedBody {
		return nil
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if known, ok := r.of[string(body)]; ok {
		return &known
	}
	return nil
}

// keep remembers a reading, and forgets the oldest if there is no room.
func (r *readings) keep(body []byte, as *Reading) {
	if r == nil || len(body) > rememberedBody {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	text := string(body)
	if _, known := r.of[text]; known {
		return
	}
	for r.held += len(text); r.held > r.maximum && len(r.order) > 0; r.order = r.order[1:] {
		r.held -= len(r.order[0])
		delete(r.of, r.order[0])
	}
	r.order = append(r.order, text)
	kept := *as
	// Clipped, so that an append makes a copy.
	kept.Violations, kept.Reasons, kept.Unusual = slices.Clip(as.Violations), slices.Clip(as.Reasons), slices.Clip(as.Unusual)
	r.of[text] = kept
}
