package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"unicode"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Gen makes the requests of a class. It has its own source of random numbers and
// its own fresh values.
type Gen struct {
	Op   *openapi.Operation
	Rand *rand.Rand
	// Over names the budget that the last value exceeds. The value cannot be used
	// then.
	Over string
	// Took is the work of all values made so far, in the unit of Space.Spend.
	Took  int
	id    Identity
	draw  int
	next  int
	key   uint64  // of hidden, made on first use
	made  int     // bytes of the value that is being made
	steps int     // of patterns that it took
	far   bool    // rich values are those of Fullest
	long  Long    // and these are long
	longs int     // bytes of the long values of the body, about
	falsy Falsy   // and these are what programs take for no value
	room  int     // the length that texts of a pattern reach, if above 0
	count *uint64 // what chooses their characters, if not nil
	// base and turn choose among texts of which few are known: base is the same for all of a
	// message, and turn differs for the items of a list and for values made one after the other.
	base, turn int64
	// shape is that of the value. It decides conditions.
	shape *schema.Shape
}

// New returns a generator that draws from a seed and takes fresh values from a
// number on.
func NewGen(op *openapi.Operation, seed uint64, id Identity, number int) *Gen {
	return &Gen{Op: op, id: id, next: number, Rand: rand.New(&splitmix{state: seed})}
}

// judge returns the shape that the value belongs to. Until one is set, it is that of the
// body.
func (g *Gen) judge() *schema.Shape {
	switch {
	case g.shape != nil:
		return g.shape
	case g.Op.Body != nil:
		return g.Op.Body.Shape
	}
	return g.Op.Params
}

// guesses reports whether values are drawn as names and sentences suggest.
func (g *Gen) guesses() bool { return !g.id.Unguessed.Has(g.Op) }

// told reports whether texts are drawn of the kinds that sentences alone tell of.
func (g *Gen) told() bool { return g.id.Told.Has(g.Op) }

// Used returns the number after the fresh ones that were taken.
func (g *Gen) Used() int { return g.next }

// Params returns the parameters of a gopter generator that draws only from the seed
// of this case.
func (g *Gen) Params() *gopter.GenParameters {
	return &gopter.GenParameters{MinSize: 0, MaxSize: 24, MaxShrinkCount: 0, Rng: g.Rand}
}

// Identity returns the identity that the generator was made with.
func (g *Gen) Identity() Identity { return g.id }

// number returns the next fresh number of the run, below 2^31.
func (g *Gen) number() int64 {
	n := g.next
	g.next++
	return int64(g.id.window())*window + int64(n%window) + 1
}

// longWord is the length after which a word is certainly unique: the rest can be
// cheap.
const longWord = 256

// word returns a fresh word of n letters and digits (at least 6) that begins with a
// letter and has at least one digit. No other request has it.
func (g *Gen) word(number int64, n int) string {
	n = max(n, 6)
	const letters, all = "bcdfghjkmnpqrstvwxz", "bcdfghjkmnpqrstvwxz23456789"
	h := Mix("word", g.id.space(), g.id.Seed^uint64(number)<<20^uint64(g.id.Generation)<<52)
	out := make([]byte, 0, n)
	for len(out) < n {
		if len(out) >= longWord {
			h = h*6364136223846793005 + 1442695040888963407
			out = append(out, all[h>>33%uint64(len(all))])
			continue
		}
		switch len(out) {
		case 0:
			out = append(out, letters[h%uint64(len(letters))])
			h /= uint64(len(letters))
		case 2:
			out = append(out, '2'+byte(h%8))
			h /= 8
		default:
			out = append(out, all[h%uint64(len(all))])
			h /= uint64(len(all))
		}
		if h < 1<<8 {
			h = Mix("more", string(out), uint64(number)^g.id.Seed)
		}
	}
	return string(out)
}

// Word returns a fresh word.
func (g *Gen) Word() string { return g.word(g.number(), 10) }

// Mix hashes what a seed depends on.
func Mix(a, b string, n uint64) uint64 {
	var tail [8]byte
	binary.BigEndian.PutUint64(tail[:], n)
	h := sha256.New()
	h.Write([]byte(a))
	h.Write([]byte{0})
	h.Write([]byte(b))
	h.Write(tail[:])
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// splitmix is a small random source that is cheap to seed (Steele et al., 2014).
type splitmix struct{ state uint64 }

// Uint64 returns the next 64 bits.
func (s *splitmix) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Int63 returns the next 63 bits.
func (s *splitmix) Int63() int64 { return int64(s.Uint64() >> 1) }

// Seed sets the state.
func (s *splitmix) Seed(n int64) { s.state = uint64(n) }

// Probe returns a generator for values that are tried while classes are made. They
// are never sent.
func Probe(op *openapi.Operation) *Gen { return &Gen{Op: op, Rand: rand.New(new(steady))} }

// steady is a random source that is cheap to make.
type steady struct{ n uint64 }

// Int63 returns the next 63 bits.
func (s *steady) Int63() int64 {
	s.n = s.n*6364136223846793005 + 1442695040888963407
	return int64(s.n >> 1)
}

// Seed sets the state.
func (s *steady) Seed(n int64) { s.n = uint64(n) }

// Limits of one generated value.
const (
	// MaxBody is the size in bytes of the largest baseline value. A server may
	// rightly refuse a larger one.
	MaxBody = 32 << 10

	maxText    = 8 << 10 // bytes of one generated text
	maxItems   = 1000    // items that an array, members that an object must have
	maxPattern = 1 << 21 // steps of the patterns of one value
)

// spend counts the size of a value. It returns false if the value is over the
// budget, and then it cannot be used.
func (g *Gen) spend(bytes int) bool {
	g.Took += bytes
	if g.made += bytes; g.made > MaxBody {
		g.exceed(fmt.Sprintf("more than %d kB in the plainest body", MaxBody>>10))
	}
	return g.Over == ""
}

func (g *Gen) exceed(what string) {
	if g.Over == "" {
		g.Over = what
	}
}

// OtherCase gives each ASCII letter of a text the other case.
func OtherCase(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= unicode.MaxASCII:
			return c
		case unicode.IsUpper(c):
			return unicode.ToLower(c)
		}
		return unicode.ToUpper(c)
	}, text)
}

// Operations is a set of operations that need values of a certain kind, which no schema tells.
type Operations struct{ has map[*openapi.Operation]bool }

// Set says whether an operation is one of them.
func (o *Operations) Set(op *openapi.Operation, is bool) {
	if o.has == nil {
		o.has = map[*openapi.Operation]bool{}
	}
	o.has[op] = is
}

// Has reports whether an operation is one of them. A nil set has none.
func (o *Operations) Has(op *openapi.Operation) bool { return o != nil && o.has[op] }

// modest keeps the numbers of a body within those of the examples, if there are any, and
// makes them small if the target takes no others.
func (g *Gen) modest(shape *schema.Shape, path string, s *schema.Schema, v *jsontree.Value) {
	body := g.Op.Body
	if body == nil || shape != body.Shape {
		return
	}
	small := g.id.Small.Has(g.Op)
	if !small && len(body.Usual) == 0 {
		return
	}
	changed := false
	eachNumber(s, path, v, func(path string, s *schema.Schema, v *jsontree.Value) {
		maximum := body.Usual[path]
		if small {
			maximum = maxSmall(s)
		}
		if maximum == nil {
			return
		}
		if to := upTo(s, maximum, v); to != v {
			*v, changed = *to, true
		}
	})
	if changed {
		g.orderedBelow(s, v)
	}
}

// orderedBelow puts the pairs of all objects of a value in order again.
func (g *Gen) orderedBelow(s *schema.Schema, v *jsontree.Value) {
	switch {
	case s == nil || v == nil || g.judge() == nil:
	case v.Kind == jsontree.Array:
		for i, item := range v.Items {
			g.orderedBelow(s.Item(i), item)
		}
	case v.Kind == jsontree.Object:
		for _, m := range v.Members {
			if p := s.Property(m.Name); p != nil {
				g.orderedBelow(p.Schema, m.Value)
			}
		}
		g.ordered(s, v, free)
	}
}

// upTo returns a number that is not above another one, as far as the schema has such.
func upTo(s *schema.Schema, maximum *big.Int, v *jsontree.Value) *jsontree.Value {
	n, whole := new(big.Int).SetString(v.Text, 10)
	low, high, step := Bounds(s)
	if v.Kind != jsontree.Number || !whole || s.Enum != nil || s.Const != nil || n.Cmp(maximum) <= 0 || maximum.Cmp(low) < 0 || maximum.Cmp(high) > 0 {
		return v
	}
	span := new(big.Int).Sub(maximum, low)
	span.Div(span, step).Add(span, big.NewInt(1))
	return jsontree.NewNumber(n.Mod(n, span).Mul(n, step).Add(n, low).String())
}

// Given holds the values of baseline requests for operations that accept no others, such as the
// examples of the document: a server may know only the plans that they name.
type Given struct {
	of map[*openapi.Operation]map[string]*jsontree.Value
}

// Set says which values the baseline requests of an operation have, by their paths. Nil stands
// for what the target has there.
func (v *Given) Set(op *openapi.Operation, values map[string]*jsontree.Value) {
	if v.of == nil {
		v.of = map[*openapi.Operation]map[string]*jsontree.Value{}
	}
	v.of[op] = values
}

// Of returns these values.
func (v *Given) Of(op *openapi.Operation) map[string]*jsontree.Value {
	if v == nil {
		return nil
	}
	return v.of[op]
}

// give puts the values into a baseline request. Any other may then be refused.
func (g *Gen) give(m *message.Message) {
	values := g.id.Given.Of(m.Op)
	for _, path := range slices.Sorted(maps.Keys(values)) {
		switch v := values[path]; {
		case m.At(path) == nil:
		case v == nil:
			m.Given(path, m.At(path).Clone()) // the target replaces it with its own
		case m.Set(path, v.Clone()):
			m.Given(path, v)
		}
	}
}

// Refused holds the optional members that the target refuses, whatever their value was: a request
// that only leads to another one goes without them. Where some are refused only beside others, there
// are several such lists, and the cases of a class take turns.
type Refused struct {
	of map[*openapi.Operation][][]string
}

// Set says which members of an operation these are, by their paths.
func (r *Refused) Set(op *openapi.Operation, lists [][]string) {
	if r.of == nil {
		r.of = map[*openapi.Operation][][]string{}
	}
	r.of[op] = lists
}

// Of returns those of a draw.
func (r *Refused) Of(op *openapi.Operation, draw int) []string {
	if r == nil || len(r.of[op]) == 0 {
		return nil
	}
	return r.of[op][draw%len(r.of[op])]
}
