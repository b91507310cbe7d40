package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
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
	// Cut says that the walk ended somewhere although the document continues.
	Cut bool
	// Patch says that the value is a JSON Patch (RFC 6902): whether the places that it
	// names are there depends on the target.
	Patch bool
	// Part says that members which a value leaves out stay as they are. Whole is what the
	// document says of the resource that the value is a part of.
	Part  bool
	Whole []*Schema
	// Domains replace the must-accept values of single places, keyed by path.
	Domains map[string]Domain

	sites    []site              // lists of alternatives
	merged   map[string][]Merged // by the path of their values
	before   *readings           // nil remembers nothing
	exact    *jsonschema.Schema
	pointer  string // of exact
	compiler *compiler
	found    *found
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
	b, err := s.compiler.compile(s.Direction, pointer)
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
	return ok
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

// Limits of what is walked. A body is walked as a whole, unless its schemas lead to each
// other without end. What is cut is named in LeftOut.
const (
	maxSchemas   = 400    // of one body that does not end, or has more than wholeSchemas
	wholeSchemas = 4000   // of one body that ends
	minSchemas   = 5      // of one body, if there is no room for more
	minInputs    = 100    // of the parameters of one operation
	allSchemas   = 80_000 // that are kept, of all bodies together
)

// share decides how many schemas each body may be walked into. Where all do not fit, only
// what is tested counts, and bodies that need less leave the rest to the others. Requests
// come first: an answer is judged as a whole wherever its walk ends.
func (l *loader) share() {
	l.maximum = [2]int{wholeSchemas, wholeSchemas}
	operations := 0
	l.each(func(_, _, _, _ string) { operations++ })
	if operations*2*maxSchemas <= allSchemas {
		return
	}
	every := l.sizes(func(string, string, string) bool { return true })
	if level(slices.Concat(every[Requests], every[Answers]), allSchemas) == wholeSchemas {
		return
	}
	sizes := l.sizes(l.tested)
	l.scarce = true
	l.maximum[Answers] = level(sizes[Answers], allSchemas/4)
	l.maximum[Requests] = level(sizes[Requests], allSchemas-l.maximum[Answers]*len(sizes[Answers]))
}

// tested reports whether an operation is tested, as far as the loader is told.
func (l *loader) tested(path, method, pointer string) bool {
	return l.c.others.Tested == nil || l.c.others.Tested(l.newOperation(path, method, pointer))
}

// sizes walks each body of some operations, and those of one component once, to count
// their schemas.
func (l *loader) sizes(of func(path, method, pointer string) bool) [2][]int {
	var out [2][]int
	counted := map[walked]bool{}
	count := func(d Direction, content string) {
		list := l.root.At(content)
		if list == nil {
			return
		}
		for _, m := range list.Members {
			pointer, _ := l.resolve(content + "/" + jsontree.EscapePointer(m.Name))
			key := walked{direction: d, pointer: l.plainly(pointer + "/schema")}
			if l.root.At(key.pointer) == nil || counted[key] {
				continue
			}
			counted[key] = true
			one := flatten(l.js.roots[d], key.pointer, wholeSchemas, l.c.Clause, nil)
			copies := 1
			for _, s := range one.sites {
				copies += len(s.names) - 1
			}
			if d == Requests { // each alternative is a copy of it
				one.size *= min(copies, maxAlternatives+1)
			}
			out[d] = append(out[d], one.size)
		}
	}
	l.each(func(path, method, _, operation string) {
		if !of(path, method, operation) {
			return
		}
		body, _ := l.resolve(operation + "/requestBody")
		count(Requests, body+"/content")
		if responses := l.root.At(operation + "/responses"); responses != nil {
			for _, m := range responses.Members {
				pointer, _ := l.resolve(operation + "/responses/" + jsontree.EscapePointer(m.Name))
				count(Answers, pointer+"/content")
			}
		}
	})
	return out
}

// level returns how much each part may take of so much in all, if the smaller ones leave
// what they do not need to the others.
func level(parts []int, all int) int {
	slices.Sort(parts)
	for i, n := range parts {
		rest := len(parts) - i
		if n*rest > all {
			return max(all/rest, minSchemas)
		}
		all -= n
	}
	return wholeSchemas
}

// Limits of what is tried; the rest is named in LeftOut too.
const (
	maxListed = 100  // values of an enum
	maxDigits = 1000 // characters of a number in a schema
)

// walked is a schema that was walked for one body and is used for all that refer to it.
type walked struct {
	direction Direction
	pointer   string
	aside     bool // what is not tested has only what a value needs
}

// flat is the result of flatten.
type flat struct {
	schema *Schema
	size   int
	left   []string
	sites  []site
	// cut is the place where the walk ended although the document continues, and why; empty
	// if it did not.
	cut, why string
}

// walk returns the schema at pointer, whose references lead to meant. Bodies that are
// nothing but a reference to one component share what is below it.
func (l *loader) walk(d Direction, pointer, meant string) flat {
	key := walked{d, meant, l.scarce && l.aside}
	one, known := l.walked[key]
	if !known {
		maximum := l.maximum[d]
		if key.aside {
			maximum = minSchemas
		}
		if strings.HasPrefix(pointer, "/"+inputs+"/") {
			maximum = max(maximum, minInputs)
		}
		one = flatten(l.js.roots[d], pointer, maximum, l.c.Clause, nil)
		l.walked[key] = one
	}
	own := *one.schema
	own.Pointer = pointer
	one.schema = &own
	return one
}

// cut names a schema that is tried only in part, once, however many bodies lead there. An
// answer is judged as a whole.
func (l *loader) cut(d Direction, one flat) {
	if one.cut == "" || d == Answers || l.scarce && l.aside {
		return
	}
	at := one.cut
	if l.cuts == nil {
		l.cuts = map[string]bool{}
	}
	if !l.cuts[at] {
		l.cuts[at] = true
		l.c.Cut++
		l.leaveOut("%s: the schema goes deeper than it is tried: %s (%s)", l.c.Clause(at), one.why, l.c.Where(at))
	}
}

// each calls f for every operation of the document.
func (l *loader) each(f func(path, method, item, pointer string)) {
	paths := l.root.Get("paths")
	if paths == nil {
		return
	}
	for _, p := range paths.Members {
		if strings.HasPrefix(p.Name, "x-") {
			continue // an extension (OpenAPI 3.1, 4.8.8)
		}
		pointer, item := "/paths/"+jsontree.EscapePointer(p.Name), p.Value
		if item.Get("$ref") != nil {
			pointer, item = l.resolve(pointer)
		}
		names, at := l.methodsOf(item)
		for i, method := range names {
			f(p.Name, method, pointer, pointer+at[i])
		}
	}
}

// Slug returns a name of the document in the form of requirement ids: lower-case
// letters, digits and single hyphens. It is empty if the name has no ASCII letters
// or digits.
func Slug(s string) string {
	var b strings.Builder
	hyphen := false
	for _, c := range strings.ToLower(s) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			if hyphen {
				b.WriteByte('-')
			}
			hyphen = false
			b.WriteRune(c)
			continue
		}
		hyphen = b.Len() > 0
	}
	return Short(b.String(), s)
}

// NameSlug is Slug for a member name: never empty.
func NameSlug(name string) string {
	switch s := Slug(name); {
	case s != "":
		return s
	case name == "":
		return "empty"
	}
	return "member"
}

// longestSlug bounds what one name adds to an id.
const longestSlug = 96

// Short shortens the slug of a long name. A digest of the name distinguishes it
// from others with the same beginning.
func Short(slug, name string) string {
	if len(slug) <= longestSlug {
		return slug
	}
	sum := sha256.Sum256([]byte(name))
	return strings.TrimRight(slug[:longestSlug-9], "-") + "-" + hex.EncodeToString(sum[:4])
}

// Slugs makes slugs unique: if several names of the document have the same slug,
// the second gets -2, the third -3.
type Slugs struct {
	taken map[string]bool
	last  map[string]int
}

// NewSlugs returns a Slugs that never returns the reserved slugs.
func NewSlugs(reserved ...string) *Slugs {
	s := &Slugs{taken: map[string]bool{}, last: map[string]int{}}
	for _, r := range reserved {
		s.taken[r] = true
	}
	return s
}

// Taken reports whether a slug is in use.
func (s *Slugs) Taken(slug string) bool { return s.taken[slug] }

// Take returns the slug, or the next free one.
func (s *Slugs) Take(slug string) string {
	out := slug
	for n := max(2, s.last[slug]); s.taken[out]; n++ {
		out = slug + "-" + strconv.Itoa(n)
		s.last[slug] = n
	}
	s.taken[out] = true
	return out
}
