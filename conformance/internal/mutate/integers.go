package mutate

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// region is a stretch of integers that code with one kind of number handles
// alike; it ends with its largest number.
type region struct {
	kind string
	last string
}

var regions = []region{
	{"up-to-int8", "127"},
	{"above-int8", "255"},
	{"above-uint8", "32767"},
	{"above-int16", "65535"},
	{"above-uint16", "16777216"},
	{"above-float", "2147483647"},
	{"above-int32", "4294967295"},
	{"above-uint32", "9007199254740992"},
	{"above-double", "4611686018427387904"},
	{"near-int64", "9223372036854775807"},
}

// landmarks are the integers beside powers of two and ten that code trips over.
var landmarks = []string{
	"9", "99", "127", "255", "257", "999", "32767", "65535", "65537", "99999", "999999",
	"16777215", "16777217", "16777219", "33554433", "2147483646", "2147483647", "2147483649", "3000000000",
	"4294967294", "4294967295", "4294967297", "4294967298", "1700000000000", "1099511627775", "123456789012345",
	"999999999999999", "9007199254740990", "9007199254740991", "9007199254740993", "9007199254740995", "9007199254740997",
	"9999999999999999", "10000000000000001", "12345678901234567", "99999999999999999", "100000000000000001",
	"123456789012345678", "999999999999999999", "1000000000000000001", "1152921504606846977",
	"4611686018427387903", "4611686018427387905", "9000000000000000001", "9223372036854774783", "9223372036854775295",
	"9223372036854775800", "9223372036854775805", "9223372036854775806", "9223372036854775807",
}

// landmarksByRegion adds the powers of two and ten and sorts all by region.
func landmarksByRegion() [][]string {
	seen := map[string]bool{}
	out := make([][]string, len(regions))
	add := func(n *big.Int) {
		text := n.String()
		for i, r := range regions {
			if jsontree.Compare(text, r.last) <= 0 {
				if !seen[text] {
					out[i] = append(out[i], text)
				}
				seen[text] = true
				return
			}
		}
	}
	for _, base := range []int64{2, 10} {
		for n := big.NewInt(1); n.BitLen() < 64; n = new(big.Int).Mul(n, big.NewInt(base)) {
			add(n)
		}
	}
	for _, text := range landmarks {
		n, _ := new(big.Int).SetString(text, 10)
		add(n)
	}
	for _, list := range out {
		slices.SortFunc(list, jsontree.Compare)
	}
	return out
}

var integers = plan.Mutator{
	Name: "integers",
	Doc:  "Sends integers over the whole range, with those next to powers of two and ten, because code that uses a smaller type or a double changes or refuses some.",
	Classes: func(s *plan.Space) []plan.Class {
		by := landmarksByRegion()
		return each(s, func(p *place) []plan.Class {
			if !p.number() {
				return nil
			}
			var out []plan.Class
			n := rank(s, p, (*place).number)
			for i, r := range regions {
				out = append(out, sorted(s, p.where(), r.kind, sampleOf(by[i], n), func(g *generate.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewNumber(g.Int(text, stepFor(text, r.last))))
				})...)
			}
			if p.schema.Format != "int64" || violates(p.with(generate.Probe(s.Op), jsontree.NewNumber(regions[len(regions)-1].last))) {
				return out
			}
			return append(out, sorted(s, p.where(), "random", make([]int, cmp.Or(s.Draws/2, 1)), func(g *generate.Gen, _ int) *message.Message {
				n, _ := wide(g.BaselineNumber(p.schema))(g.Params()).Retrieve()
				return p.with(g, jsontree.NewNumber(n.(string)))
			})...)
		})
	},
}

// stepFor leads away from the end of a region, and past even numbers where a
// double has no others.
func stepFor(text, last string) int64 {
	switch {
	case text == last || len(text) == len(last) && text[:len(text)/2] == last[:len(last)/2]:
		return -1
	case len(text) > 15:
		return 2
	}
	return 1
}

// wide draws integers of 32 to 63 bits, every length alike; the low bits are
// those of a fresh number, so that no two draws meet.
func wide(fresh string) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		low, err := strconv.ParseInt(fresh, 10, 64)
		if err != nil || low < 0 || low >= 1<<31 {
			return gopter.NewGenResult(fresh, gopter.NoShrinker)
		}
		bits := p.Rng.Intn(32)
		high := int64(1)<<bits | p.Rng.Int63()&(int64(1)<<bits-1)
		return gopter.NewGenResult(strconv.FormatInt(high<<31|low, 10), gopter.NoShrinker)
	}
}
