package plan

import (
	"math"
	"math/big"
	"math/rand"
	"regexp/syntax"
	"slices"
	"strconv"
	"time"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/pattern"
	"plantstore/conformance/internal/schema"
)

// Fresh values come from numbers. A window of numbers belongs to a seed and a
// dataset generation, and no two windows overlap, so a run repeats no value,
// neither its own nor one of an earlier generation. Inside a window each purpose
// has its own range (see Ranges).
const (
	FirstOffset = 64         // of the cases
	LastOffset  = window / 2 // after the cases
	Slack       = 2          // more than a message is known to take
	RetryStride = 32         // numbers of a retry place
	window      = 1 << 19
	windows     = (1<<31 - 1) / window
	// insteadOfFirst is the window that stands in for the first one. It has no power of two or ten,
	// and its own turn is so many generations away that no target has values of both.
	insteadOfFirst = windows / 3
	// Generations is the number of generations that can be tried.
	Generations = windows
)

// The ranges for requests that belong to no case. No message takes as many numbers
// as each of the last four holds.
const (
	Opening     = 0 // the first request of the pre-flight
	widest      = 8 << 10
	LongOpening = window - 4*widest // the same, if it takes more than FirstOffset numbers
	Example     = window - 3*widest // what shrinking puts in the place of a value
	Waiting     = window - 2*widest // requests to a target that is starting
	Marker      = window - widest   // what tells later runs of this one
)

// Identity says which fresh values a request takes.
type Identity struct {
	Seed       uint64
	Generation int
	// RunNumber is above 0 if earlier runs, with any seed, left their data.
	// Neighbours differ from one run number to the next.
	RunNumber int
	// Retry is 0 for the case itself, and otherwise the first retry id of a repeat:
	// the same case with other fresh values.
	Retry int
	// Neighbour, if above 0, also replaces the values that the case is about by
	// others of their class.
	Neighbour int
	// Space separates the values of operations: each has all numbers for itself. It
	// is empty where there is only one operation.
	Space string
	// Small are the operations that get only small numbers: no more may be ordered than are in
	// stock, say. Past and Soon are those that get dates in the past, or in the next weeks, where
	// they would lie in the far future. Nil stands for none.
	Small, Past, Soon *Operations
	// Told are those that get texts of the kinds that sentences alone tell of, and Unguessed those
	// whose values are not drawn as names and sentences suggest. Nil stands for none.
	Told, Unguessed *Operations
	// Today is the day from which the next weeks count.
	Today time.Time
	// Choices are the operations that get other values of enums than the first; nil if none does.
	Choices *Choices
	// Given are the operations that get the values of examples; nil if none does.
	Given *Given
	// Refused are the optional members that requests go without which only lead to others; nil for
	// none.
	Refused *Refused
	// Lap counts how often the numbers of retries began again.
	Lap int
}

// space names the numbers and words that the identity draws from.
func (id Identity) space() string {
	if id.Lap == 0 {
		return id.Space
	}
	return id.Space + "#" + strconv.Itoa(id.Lap)
}

// Later returns the identity for a retry id. After the last number, another lap starts.
func (id Identity) Later(retry int) Identity {
	id.Lap = max(0, retry-1) / ((LongOpening - LastOffset) / RetryStride)
	return id
}

// RetryNumber returns the first fresh number of a retry id, which counts from 1.
// After about seven thousand ids the numbers start again.
func RetryNumber(retry int) int {
	return LastOffset + (retry-1)%((LongOpening-LastOffset)/RetryStride)*RetryStride
}

// Owns reports whether a number is one of the fresh numbers of this identity's
// window.
func (id Identity) Owns(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n > 0 && uint64(n-1)/window == id.window()
}

// window returns the window of an identity. It is never the first one: that has the small numbers
// that cases are about, such as 1, 10 and 255, which are not fresh.
func (id Identity) window() uint64 {
	w := (Mix("window", id.space(), id.Seed)%windows + uint64(id.Generation)) % windows
	if w == 0 {
		return insteadOfFirst
	}
	return w
}

// smallest is how many values of a schema, from the least one on, are small.
const smallest = 10

// HasSmall reports whether the body of a baseline request has numbers that Small makes small.
// Keys are left out, because the target may take each only once.
func HasSmall(op *openapi.Operation) bool {
	if op.Body == nil {
		return false
	}
	s, found := op.Body.Shape.Schema, false
	eachNumber(s, "", Probe(op).BaselineValue(s), func(string, *schema.Schema, *jsontree.Value) { found = true })
	return found
}

// maxSmall returns the largest small number of a schema.
func maxSmall(s *schema.Schema) *big.Int {
	low, _, step := Bounds(s)
	maximum := new(big.Int).Mul(step, big.NewInt(smallest-1))
	return maximum.Add(maximum, low)
}

// eachNumber visits the numbers of a value at a path, keys apart, each with its path, in
// which an asterisk stands for the items of an array, and its schema.
func eachNumber(s *schema.Schema, path string, v *jsontree.Value, visit func(path string, s *schema.Schema, v *jsontree.Value)) {
	switch {
	case s == nil:
	case v.Kind == jsontree.Number && !hints.KeyAt(path):
		if one := numeric(s); one != nil {
			visit(path, one, v)
		}
	case v.Kind == jsontree.Array && !s.Unique:
		for i := range v.Items {
			eachNumber(s.Item(i), path+"/*", v.Items[i], visit)
		}
	case v.Kind == jsontree.Object:
		for i := range v.Members {
			if p := s.Property(v.Members[i].Name); p != nil && p.Resource == "" {
				eachNumber(p.Schema, path+"/"+jsontree.EscapePointer(p.Name), v.Members[i].Value, visit)
			}
		}
	}
}

// numeric returns the schema that bounds a number: the given one, or the only alternative of it
// that allows numbers. It is nil if there are several.
func numeric(s *schema.Schema) *schema.Schema {
	list := slices.Concat(s.AnyOf, s.OneOf)
	if len(list) == 0 {
		return s
	}
	list = slices.DeleteFunc(list, func(one *schema.Schema) bool { return !one.Allows("number") })
	if len(list) != 1 {
		return nil
	}
	return numeric(list[0])
}

const (
	// manyBits is the room, in bits, from which texts of a pattern are all different in
	// practice: a run takes some thousands.
	manyBits = 30
	// someBits is the room from which each of them gets another text.
	someBits = 16
	// roomy is the length that a fresh text reaches, where its pattern allows it: the
	// shortest texts are few, and a server may take each only once.
	roomy = 10
	// countStep is odd, so that counts times it, modulo a power of two, are all different.
	countStep = 2654435761
)

// patterned returns a text for a schema with a pattern. If the pattern has room, the text
// is fresh like a word. If every word matches the pattern, the text is one. If it
// has some room, the texts are counted. If it has not, the text is the same when its case
// is sent again, but not for a neighbour.
func (g *Gen) patterned(s *schema.Schema) (string, bool) {
	p := g.pattern(s.Pattern)
	if p == nil || p.Skeleton() == nil {
		return g.matching(s.Pattern, s.MinLength, s.MaxLength)
	}
	n := bits(p.Skeleton(), 0)
	if n < manyBits && takesWords(p, s) {
		if t, ok := g.asWord(s, p); ok {
			return t, true
		}
	}
	if g.id.Neighbour == 0 && n < manyBits {
		if n >= someBits {
			// The factor and the offset put the counts in another order, and repeat none.
			count := (uint64(g.number())*countStep + Mix("count", g.id.space(), g.id.Seed^uint64(g.id.Generation)<<52)) % (1 << int(n))
			g.count, g.room = &count, roomy
			defer func() { g.count, g.room = nil, 0 }()
		}
		return g.matching(s.Pattern, s.MinLength, s.MaxLength)
	}
	drawn := g.Rand
	seed := Mix("pattern", g.id.space(), g.id.Seed^uint64(g.number())<<20^uint64(g.id.Generation)<<52)
	g.Rand, g.room = rand.New(&splitmix{state: seed ^ uint64(g.id.Neighbour)<<8 ^ uint64(g.id.RunNumber)}), roomy
	t, ok := g.matching(s.Pattern, s.MinLength, s.MaxLength)
	g.Rand, g.room = drawn, 0
	return t, ok
}

// Few reports whether a schema allows so few texts that a run may have used them all.
func Few(shape *schema.Shape, s *schema.Schema) bool {
	if s.MaxLength != nil && *s.MaxLength <= 4 || s.Drawn().Few() {
		return true
	}
	if s.Pattern == "" {
		return false
	}
	p := shape.Pattern(s.Pattern)
	return p == nil || p.Skeleton() == nil || bits(p.Skeleton(), 0) < manyBits && !takesWords(p, s)
}

// sampleWord is a text like a fresh word of the usual length.
const sampleWord = "g4hs8kd2vt"

// takesWords reports whether a pattern matches fresh words, because it asks for no more than
// one character that is no blank, say.
func takesWords(p *pattern.Pattern, s *schema.Schema) bool {
	return (s.MaxLength == nil || *s.MaxLength >= len(sampleWord)) && p.Match(sampleWord) == pattern.Yes
}

// bits returns the room of an expression, as far as texts of it are drawn: the binary
// logarithm of their number.
func bits(re *syntax.Regexp, depth int) float64 {
	if depth > expandDepth {
		return 0
	}
	maximum := func() (n float64) {
		for _, sub := range re.Sub {
			n = max(n, bits(sub, depth+1))
		}
		return n
	}
	switch re.Op {
	case syntax.OpCharClass:
		return math.Log2(float64(max(1, usualValue(re.Rune))))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return math.Log2(26)
	case syntax.OpConcat, syntax.OpCapture:
		n := 0.0
		for _, sub := range re.Sub {
			n += bits(sub, depth+1)
		}
		return n
	case syntax.OpAlternate, syntax.OpQuest:
		return maximum()
	case syntax.OpStar, syntax.OpPlus:
		return maximum() * roomy
	case syntax.OpRepeat:
		n := max(re.Min, roomy)
		if re.Max >= 0 {
			n = max(re.Min, min(re.Max, roomy))
		}
		return maximum() * float64(n)
	}
	return 0
}

// varies reports whether an expression has more than one text, as far as texts of it are drawn:
// whether bits is above 0, without the cost of the count.
func varies(re *syntax.Regexp, depth int) bool {
	switch {
	case depth > expandDepth, re.Op == syntax.OpRepeat && re.Max == 0:
		return false
	case re.Op == syntax.OpCharClass:
		return usualValue(re.Rune) > 1
	case re.Op == syntax.OpAnyChar, re.Op == syntax.OpAnyCharNotNL:
		return true
	}
	return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return varies(sub, depth+1) })
}

// fractions are numbers between the bounds of a schema that need not be whole: its first multiples,
// or the one in the middle.
func fractions(s *schema.Schema) (out []*jsontree.Value) {
	first := func(texts ...string) *big.Rat {
		for _, text := range texts {
			if r, ok := jsontree.Rat(text); ok {
				return r
			}
		}
		return new(big.Rat)
	}
	low, high, step := first(s.Minimum, s.Above), first(s.Maximum, s.Below), first(s.Multiple)
	at := new(big.Rat).Add(low, high)
	at.Quo(at, big.NewRat(2, 1))
	if step.Sign() > 0 {
		n := new(big.Rat).Quo(low, step)
		at.Mul(step, new(big.Rat).SetInt(new(big.Int).Div(n.Num(), n.Denom())))
	}
	for range 4 {
		if digits, exact := at.FloatPrec(); exact {
			out = append(out, jsontree.NewNumber(at.FloatString(digits)))
		}
		at = new(big.Rat).Add(at, step)
	}
	return out
}
