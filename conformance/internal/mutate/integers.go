package mutate

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
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

// narrow are the regions that show a narrower type than int64: they come first.
var narrow = []string{"above-int32", "above-double"}

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
				list := sorted(s, p.where(), r.kind, sampleOf(by[i], n), func(g *plan.Gen, text string) *message.Message {
					return p.with(g, jsontree.NewNumber(g.Int(text, stepFor(text, r.last))))
				})
				if p.schema.Format == "int64" && slices.Contains(narrow, r.kind) {
					list = first(1, list)
				}
				out = append(out, list...)
			}
			if p.schema.Format != "int64" || violates(p.with(plan.Probe(s.Op), jsontree.NewNumber(regions[len(regions)-1].last))) {
				return out
			}
			return append(out, sorted(s, p.where(), "random", make([]int, cmp.Or(s.Draws/2, 1)), func(g *plan.Gen, _ int) *message.Message {
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

// numberBound is one bound of a number and the way into the range.
type numberBound struct {
	keyword, text string
	inward        int64
}

func bounds(s *schema.Schema) []numberBound {
	var out []numberBound
	for _, b := range []numberBound{{"minimum", s.Minimum, 1}, {"maximum", s.Maximum, -1},
		{"exclusiveMinimum", s.Above, 1}, {"exclusiveMaximum", s.Below, -1}} {
		if b.text != "" {
			out = append(out, b)
		}
	}
	return out
}

// stepOf returns the distance between two numbers that a schema allows: its
// multipleOf, or 1.
func stepOf(s *schema.Schema) *big.Rat {
	if r, ok := jsontree.Rat(s.Multiple); ok && s.Multiple != "" && r.Sign() > 0 {
		return r
	}
	return big.NewRat(1, 1)
}

// decimal writes a rational exactly if it ends within 30 decimal places.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(30), "0")
}

// distinct drops values that are there already.
func distinct(list []*jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range list {
		if !slices.ContainsFunc(out, func(o *jsontree.Value) bool { return jsontree.Equal(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}

// numberGroup is one kind of number; "#" is replaced with the fresh number of the
// place.
type numberGroup struct {
	kind  string
	items []string
}

// spelled fills a listed number: "#" is the fresh one, "+64#" that much above
// the power of two.
func spelled(item, fresh string) string {
	if power, ok := strings.CutPrefix(item, "+"); ok {
		bits, err := strconv.Atoi(strings.TrimSuffix(power, "#"))
		n, whole := new(big.Int).SetString(fresh, 10)
		if err != nil || !whole {
			return fresh
		}
		return n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(bits))).String()
	}
	if fresh == "0" && strings.HasPrefix(item, "-#") {
		fresh = "1" // -0 is no negative number
	}
	return strings.ReplaceAll(item, "#", fresh)
}

// notWhole are numbers that are not integers. If a double would round the fraction
// away, the schema check makes it a may-refuse value.
var notWhole = []numberGroup{
	{"not-whole", []string{"#.5", "#.1", "#.9", "1.5", "0.5", "-0.5", "-1.5", "#.25", "1.5e0", "15e-1", "1e-1", "0.1", "1.000001", "1.0000000001", "2.00000000000001", "3000000000.5", "1000000000000.5", "100000000000000.5"}},
	{"not-whole-long", []string{"1.0000000000000000001", "9007199254740992.5", "9007199254740993.5", "#.00000000000000000001", "4503599627370496.5", "4503599627370495.5", "1000000000000000.5", "9223372036854775806.5"}},
	{"not-whole-small", []string{"1e-7", "1e-17", "1e-300"}},
	{"not-whole-tiny", []string{"1e-400", "#." + strings.Repeat("0", 400) + "1", "1e-1000"}},
}

// beyond are integers that no int64 holds, near the limits of wider kinds.
var beyond = []numberGroup{
	{"above-int64", []string{"9223372036854775808", "9223372036854775809", "9223372036854776000", "10000000000000000000", "12345678901234567890"}},
	{"above-uint64", []string{"18446744073709551615", "18446744073709551616", "18446744073709551617", "20000000000000000000", "20500000000000000000", "21000000000000000000", "23000000000000000000", "25000000000000000000", "27600000000000000000"}},
	{"wraps-to-valid", []string{"+64#", "+65#", "+63#"}},
	{"below-int64", []string{"-9223372036854775809", "-9223372036854775810", "-10000000000000000000", "-18446744073709551616", "-123456789012345678901234567890"}},
	{"many-digits", []string{"100000000000000000000", strings.Repeat("9", 30), "1" + strings.Repeat("0", 39), strings.Repeat("1234567890", 4), "-" + strings.Repeat("9", 40), "340282366920938463463374607431768211456"}},
	{"above-with-fraction", []string{"9223372036854775808.0", "9223372036854775808.00", "-9223372036854775809.0", "18446744073709551616.0"}},
	{"above-with-exponent", []string{"1e19", "1E20", "1e+30", "9.3e18", "-1e19", "9.223372036854775808e18", "9223372036854775809e0", "92233720368547758080e-1", "1e100", "1e308"}},
	{"beyond-double", []string{"1e309", "1e400", "-1e400", "1.8e308", "9e999"}},
	{"above-int32", []string{"2147483648", "2147483649", "4294967295", "4294967296", "+32#", "9007199254740993", "9223372036854775807"}},
	{"below-int32", []string{"-2147483649", "-4294967296", "-9223372036854775808"}},
}

var numberFormat = plan.Mutator{
	Name: "number-format",
	Doc:  "Sends numbers with a fraction where integers are required, and numbers outside int32 or int64, because servers often round, wrap or truncate.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.number() {
				return nil
			}
			var out []plan.Class
			add := func(groups []numberGroup, refusable bool) {
				for _, group := range groups {
					build := func(g *plan.Gen, item string) *message.Message {
						m := p.in(g)
						fresh := p.get(m).Text
						p.set(m, jsontree.NewNumber(spelled(item, fresh)))
						return m
					}
					by := judged(s, p.where(), group.items, build)
					out = append(out, listed(of(plan.FamilyInvalid, p.where(), group.kind), by[schema.Invalid], build)...)
					if refusable {
						out = append(out, listed(of(plan.FamilyMayRefuse, p.where(), "fraction-"+group.kind), by[schema.MayRefuse], build)...)
					}
				}
			}
			if p.schema.Whole() {
				add(notWhole, true)
			}
			if p.schema.Format == "int32" || p.schema.Format == "int64" {
				add(beyond, false)
			} else if low, high, ranged := schema.FormatRange(p.schema.Format); ranged {
				add([]numberGroup{{"beyond-format", outsideOf(low, high)}}, false)
			}
			return out
		})
	},
}

// outsideOf returns the whole numbers just outside two bounds, and some far outside.
func outsideOf(low, high string) []string {
	var out []string
	for _, one := range []struct {
		text  string
		steps []int64
	}{{high, []int64{1, 2, 1000}}, {low, []int64{-1, -2, -1000}}} {
		n, ok := new(big.Int).SetString(one.text, 10)
		for _, by := range one.steps {
			if ok {
				out = append(out, new(big.Int).Add(n, big.NewInt(by)).String())
			}
		}
	}
	return append(out, high+"0")
}
