package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand"
	"strconv"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/contract"
)

// Fresh values come from numbers: a case owns a few, a sequence more, and the
// upper half of a window belongs to twins. A window of a seed and an epoch
// never meets another's, so a run never repeats a value, nor one of an earlier
// epoch.
const (
	firstOffset = 64 // the numbers below belong to the pre-flight
	slack       = 2
	twinStride  = 32
	window      = 1 << 19
	lastOffset  = window / 2
	windows     = (1<<31 - 1) / window
	// Epochs is the number of epochs that can be tried.
	Epochs = windows
)

// Identity says which fresh values a build takes.
type Identity struct {
	Seed  uint64
	Epoch int
	// Round is above 0 where earlier runs, of whatever seed, left their data:
	// neighbours differ from round to round.
	Round int
	// Twin is 0 for the case itself, else the first twin place of a repeat: the
	// same thing with other fresh values.
	Twin int
	// Neighbour, above 0, also moves values that are the subject of the case to
	// another one of their class.
	Neighbour int
}

// Gen is what a class builds from: a source of chance of its own and fresh
// values.
type Gen struct {
	Op    *contract.Operation
	Space *Space
	Rand  *rand.Rand
	// Over names the budget that the value made last exceeds; the value is then
	// of no use.
	Over string
	// Took counts the work of all values made so far, as Space.Spend counts.
	Took  int
	id    Identity
	next  int
	key   uint64 // of hidden, made when it is first asked for
	made  int    // bytes of the value that is being made
	steps int    // of patterns that it took
}

func newGen(p *Plan, c *Case, id Identity) *Gen {
	g := &Gen{Op: c.Op, Space: p.spaces[c.Op], id: id, next: c.offset}
	g.Rand = rand.New(&splitmix{state: c.Seed})
	if id.Twin > 0 {
		g.next = TwinNumber(id.Twin)
	}
	return g
}

// Preflight gives a generator for the requests that belong to no case; number
// tells them apart.
func (p *Plan) Preflight(op *contract.Operation, id Identity, number int) *Gen {
	return &Gen{Op: op, Space: p.spaces[op], id: id, next: number, Rand: rand.New(&splitmix{state: mix(p.Digest, "preflight", uint64(number))})}
}

// Params gives the parameters of a gopter generator that draws from this case's
// own chance alone.
func (g *Gen) Params() *gopter.GenParameters {
	return &gopter.GenParameters{MinSize: 0, MaxSize: 24, MaxShrinkCount: 0, Rng: g.Rand}
}

// Identity gives what the generator was made with.
func (g *Gen) Identity() Identity { return g.id }

// number gives the next fresh number of the run, below 2^31.
func (g *Gen) number() int64 {
	n := g.next
	g.next++
	first := mix("window", "", g.id.Seed) % windows
	w := (first + uint64(g.id.Epoch)) % windows
	return int64(w)*window + int64(n%window) + 1
}

// longWord is where a word is told apart from all others: what follows is cheap.
const longWord = 256

// word gives a fresh word of n letters and digits (at least 6), letter first,
// one digit at least: nobody else has it.
func (g *Gen) word(number int64, n int) string {
	n = max(n, 6)
	const letters, all = "bcdfghjkmnpqrstvwxz", "bcdfghjkmnpqrstvwxz23456789"
	h := mix("word", "", g.id.Seed^uint64(number)<<20^uint64(g.id.Epoch)<<52)
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
			h = mix("more", string(out), uint64(number)^g.id.Seed)
		}
	}
	return string(out)
}

// Word gives a fresh word.
func (g *Gen) Word() string { return g.word(g.number(), 10) }

// mix hashes what a seed depends on.
func mix(a, b string, n uint64) uint64 {
	var tail [8]byte
	binary.BigEndian.PutUint64(tail[:], n)
	h := sha256.New()
	h.Write([]byte(a))
	h.Write([]byte{0})
	h.Write([]byte(b))
	h.Write(tail[:])
	return binary.BigEndian.Uint64(h.Sum(nil))
}

// splitmix is a small source that costs nothing to seed (Steele et al., 2014).
type splitmix struct{ state uint64 }

// Uint64 gives the next 64 bits.
func (s *splitmix) Uint64() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Int63 gives the next 63 bits.
func (s *splitmix) Int63() int64 { return int64(s.Uint64() >> 1) }

// Seed sets the state.
func (s *splitmix) Seed(n int64) { s.state = uint64(n) }

// TwinNumber is the first fresh number of a twin, for Preflight.
func TwinNumber(twin int) int { return window/2 + (twin-1)*twinStride%lastOffset }

// Owns tells whether a number is one of the fresh ones of this identity's
// window.
func (id Identity) Owns(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	first := mix("window", "", id.Seed) % windows
	w := (first + uint64(id.Epoch)) % windows
	return err == nil && n > 0 && uint64(n-1)/window == w
}
