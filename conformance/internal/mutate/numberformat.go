package mutate

import (
	"math/big"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

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
					build := func(g *generate.Gen, item string) *message.Message {
						m := p.in(g)
						fresh := p.get(m).Text
						p.set(m, jsontree.NewNumber(spelled(item, fresh)))
						return m
					}
					by := judged(s, p.where(), group.items, build)
					out = append(out, listed(of(plan.FamilyInvalid, p.where(), group.kind, plan.ExpectInvalid), by[openapi.Invalid], build)...)
					if refusable {
						out = append(out, listed(of(plan.FamilyMayRefuse, p.where(), "fraction-"+group.kind, plan.ExpectMayRefuse), by[openapi.MayRefuse], build)...)
					}
				}
			}
			if p.schema.Whole() {
				add(notWhole, true)
			}
			if p.schema.Format == "int32" || p.schema.Format == "int64" {
				add(beyond, false)
			} else if low, high, ranged := openapi.FormatRange(p.schema.Format); ranged {
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
