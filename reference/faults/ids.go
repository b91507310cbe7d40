package faults

import (
	"math"
	"math/big"
	"regexp"
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

const (
	idInteger = "newplant-id-integer"
	idInt64   = "newplant-id-int64"
)

// idText reads strings as ids; "" leaves one as it is.
func idText(f func(text string) string) alter.Change {
	return alter.Value("id", func(v string) string {
		if text, ok := alter.String(v); ok {
			if id := f(text); id != "" {
				return id
			}
		}
		return v
	})
}

var (
	decimal     = regexp.MustCompile(`^-?[1-9][0-9]{0,17}$`)
	leadDecimal = regexp.MustCompile(`^[1-9][0-9]{0,17}`)
)

// digits gives text where it is a decimal integer.
func digits(text string) string { return decimal.FindString(text) }

// idFraction reads numbers that are not whole as ids.
func idFraction(f func(v float64, text string) string) alter.Change {
	return alter.Value("id", func(text string) string {
		r, ok := new(big.Rat), false
		if len(text) < 40 && !strings.ContainsAny(text, `"[{tfn`) {
			r, ok = r.SetString(text)
		}
		if !ok || r.IsInt() {
			return text
		}
		v, _ := r.Float64()
		if id := f(v, text); id != "" {
			return id
		}
		return text
	})
}

func whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// idTypes takes ids that are not integers.
func idTypes() []Fault {
	return []Fault{
		{Name: "id-numeric-string", Breaks: idInteger,
			Doc: "takes \"5\" for an id, as PHP, Jackson and pydantic do", alter: idText(digits)},
		{Name: "id-any-string", Breaks: idInteger,
			Doc:   "takes any string for an id, as SQLite does in a column without STRICT",
			alter: idText(func(text string) string { return max(leadDecimal.FindString(text), "0") })},
		{Name: "id-empty-string", Breaks: idInteger, Rare: true,
			Doc: "takes \"\" for id 0, as JavaScript's Number does",
			alter: idText(func(text string) string {
				if strings.TrimSpace(text) == "" {
					return "0"
				}
				return ""
			})},
		{Name: "id-padded-string", Breaks: idInteger, Rare: true,
			Doc: "takes a number with white space around it in a string, as int() in Python does",
			alter: idText(func(text string) string {
				if strings.TrimSpace(text) == text {
					return ""
				}
				return digits(strings.TrimSpace(text))
			})},
		{Name: "id-hex-string", Breaks: idInteger, Rare: true,
			Doc: "takes \"0x1F\" for an id, as JavaScript's Number does",
			alter: idText(func(text string) string {
				if v, err := strconv.ParseInt(text, 0, 64); err == nil && strings.HasPrefix(text, "0x") {
					return strconv.FormatInt(v, 10)
				}
				return ""
			})},
		{Name: "id-decimal-string", Breaks: idInteger, Rare: true,
			Doc: "takes \"5.0\" for an id, as parsers by way of a double do",
			alter: idText(func(text string) string {
				if before, found := strings.CutSuffix(text, ".0"); found {
					return digits(before)
				}
				return ""
			})},
		{Name: "id-boolean", Breaks: idInteger,
			Doc:   "takes true for 1 and false for 0, as Python does, where bool is an int",
			alter: alter.All(value("id", "true", "1"), value("id", "false", "0"))},
		{Name: "id-truncated", Breaks: idInteger,
			Doc: "takes 1.5 for 1, as PHP, C and Jackson do", alter: idFraction(func(v float64, _ string) string { return whole(math.Trunc(v)) })},
		{Name: "id-nearly-whole", Breaks: idInteger, Rare: true,
			Doc: "takes 5.0000001 for 5, as a comparison with an epsilon does",
			alter: idFraction(func(v float64, _ string) string {
				if math.Abs(v-math.Round(v)) < 1e-5 {
					return whole(math.Round(v))
				}
				return ""
			})},
		{Name: "id-fraction-by-exponent", Breaks: idInteger, Rare: true,
			Doc: "takes 15e-1 for 1, because it looks for a dot to find fractions",
			alter: idFraction(func(v float64, text string) string {
				if strings.Contains(text, ".") {
					return ""
				}
				return whole(math.Trunc(v))
			})},
		{Name: "id-array", Breaks: idInteger,
			Doc: "takes an array of one number for that number, as JavaScript's Number does",
			alter: alter.Value("id", func(v string) string {
				if e := elements(v); v[0] == '[' && len(e) == 1 && digits(e[0]) != "" {
					return e[0]
				}
				return v
			})},
		{Name: "id-empty-array", Breaks: idInteger, Rare: true,
			Doc: "takes an empty array for id 0, as JavaScript's Number and PHP's (int) do",
			alter: alter.Value("id", func(v string) string {
				if v[0] == '[' && len(elements(v)) == 0 {
					return "0"
				}
				return v
			})},
		{Name: "id-extended-json", Breaks: idInteger, Rare: true,
			Doc: "takes {\"$numberLong\": n} for n, as MongoDB's readers of extended JSON do",
			alter: alter.Value("id", func(v string) string {
				if inside, found := strings.CutPrefix(v, `{"$numberLong":`); found {
					return strings.TrimSuffix(inside, "}")
				}
				return v
			})},
		{Name: "id-long-in-quotes", Breaks: idInteger, Rare: true,
			Doc: "takes a string of 16 digits or more for an id, as clients without 64-bit integers send it",
			alter: alter.Value("id", func(v string) string {
				if text, ok := alter.String(v); ok && len(text) >= 16 && digits(text) == text {
					return text
				}
				return v
			})},
		{Name: "id-object", Breaks: idInteger,
			Doc: "takes an object for an id, as stores of schemaless documents do",
			alter: alter.Value("id", func(v string) string {
				if v[0] == '{' {
					return "0"
				}
				return v
			})},
	}
}
