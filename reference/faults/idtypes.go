package faults

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"plantstore/reference/internal/alter"
)

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
