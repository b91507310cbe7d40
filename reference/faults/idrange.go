package faults

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"plantstore/reference/internal/alter"
)

const idAccepted = "newplant-id-accepted"

var (
	lowest  = big.NewInt(math.MinInt64)
	highest = big.NewInt(math.MaxInt64)
	twoTo64 = new(big.Int).Lsh(big.NewInt(1), 64)
)

// wide reads integers outside int64 as ids; "" refuses one. It leaves numbers
// with more than 40 characters or a large exponent to the strict decoder.
func wide(f func(n *big.Int, text string) string) alter.Change {
	return alter.Value("id", func(text string) string {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Abs(v) > 1e40 || len(text) > 40 {
			return text
		}
		r, ok := new(big.Rat).SetString(text)
		if !ok || !r.IsInt() || r.Num().Cmp(lowest) >= 0 && r.Num().Cmp(highest) <= 0 {
			return text
		}
		if id := f(r.Num(), text); id != "" {
			return id
		}
		return text
	})
}

// idRange takes ids outside int64.
func idRange() []Fault {
	return []Fault{
		{Name: "id-any-size", Breaks: idInt64,
			Doc: "takes integers of any size, as Python does", alter: wide(func(*big.Int, string) string { return "1" })},
		{Name: "id-wraps", Breaks: idInt64, Rare: true,
			Doc: "keeps the low 64 bits of an id and takes what is positive then, as parsers that multiply and add do",
			alter: wide(func(n *big.Int, _ string) string {
				low := new(big.Int).Mod(n, twoTo64)
				if low.Sign() > 0 && low.Cmp(highest) <= 0 {
					return low.String()
				}
				return ""
			})},
		{Name: "id-unsigned", Breaks: idInt64,
			Doc: "takes ids up to 2^64-1, as a column of type BIGINT UNSIGNED does",
			alter: wide(func(n *big.Int, _ string) string {
				if n.Sign() > 0 && n.Cmp(twoTo64) < 0 {
					return "1"
				}
				return ""
			})},
		{Name: "id-saturates", Breaks: idInt64, Rare: true,
			Doc: "takes 2^63 and what rounds to it, because the range is compared as doubles",
			alter: wide(func(n *big.Int, _ string) string {
				v, _ := new(big.Float).SetInt(n).Float64()
				if math.Abs(v) <= 1<<63 {
					return "1"
				}
				return ""
			})},
		{Name: "id-nineteen-digits", Breaks: idInt64, Rare: true,
			Doc: "takes every id of at most 19 digits, as a check with a pattern does",
			alter: wide(func(n *big.Int, text string) string {
				if n.Sign() > 0 && len(text) <= 19 && !strings.ContainsAny(text, ".eE") {
					return "1"
				}
				return ""
			})},
		{Name: "id-no-lower-bound", Breaks: idInt64, Rare: true,
			Doc: "checks only the upper end of the range",
			alter: wide(func(n *big.Int, _ string) string {
				if n.Sign() < 0 {
					return "1"
				}
				return ""
			})},
		{Name: "id-exponent-unbounded", Breaks: idInt64, Rare: true,
			Doc: "takes 1e19, because numbers with an exponent go by way of a double that saturates",
			alter: wide(func(_ *big.Int, text string) string {
				if strings.ContainsAny(text, "eE") {
					return "1"
				}
				return ""
			})},
		{Name: "id-infinite", Breaks: idInt64, Rare: true,
			Doc: "takes numbers beyond every double, because infinity passes the test for a fraction",
			alter: alter.Value("id", func(text string) string {
				if v, _ := strconv.ParseFloat(text, 64); math.IsInf(v, 0) && !strings.ContainsAny(text, "nNyY") {
					return "1"
				}
				return text
			})},
	}
}

// idRefused refuses valid ids.
func idRefused() []Fault {
	without := func(name, doc string, rare bool, refused func(id int64) bool) Fault {
		return Fault{Name: name, Breaks: idAccepted, Doc: doc, Rare: rare, alter: refuseID(refused)}
	}
	return []Fault{
		without("id-int32", "refuses ids above 2^31-1, as a column of type INTEGER does", false,
			func(id int64) bool { return id > math.MaxInt32 }),
		without("id-uint32", "refuses ids above 2^32-1, as an unsigned 32-bit parameter does", false,
			func(id int64) bool { return id > math.MaxUint32 }),
		without("id-ten-digits", "refuses ids of more than ten digits, as a column of type NUMERIC(10) does", false,
			func(id int64) bool { return id > 9_999_999_999 }),
		without("id-safe-integer", "refuses ids above 2^53-1, as Number.isSafeInteger does", false,
			func(id int64) bool { return id >= 1<<53 }),
		without("id-eighteen-digits", "refuses ids of more than 18 digits, as a column of type NUMERIC(18) does", true,
			func(id int64) bool { return id > 999_999_999_999_999_999 }),
		without("id-largest-refused", "refuses 2^63-1, because the end of the range is compared with <", true,
			func(id int64) bool { return id == math.MaxInt64 }),
		without("id-not-a-double", "refuses ids that a double cannot hold exactly, and no others", true,
			func(id int64) bool { return int64(float64(id)) != id || id > math.MaxInt64-511 }),
		without("id-low-half-negative", "refuses ids whose low 32 bits are zero or negative, because they are cast before they are checked", true,
			func(id int64) bool { return id > 0 && int32(id) <= 0 }),
		without("id-one-refused", "refuses id 1, because the start of the range is compared with >", true,
			func(id int64) bool { return id == 1 }),
	}
}

func refuseID(refused func(int64) bool) alter.Change {
	return alter.Decoded(func(p plant) error {
		if refused(p.ID) {
			return alter.Bad("/id", "must be within the range of ids")
		}
		return nil
	})
}
