package kit

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Decimal reads a number as JSON writes it, exactly. A number beyond 10^400 becomes
// 10^400, and one nearer to 0 than 10^-400 becomes 10^-400: no limit of the document
// is so far out, and no exponent can cost memory.
func Decimal(text string) *big.Rat {
	const far = 400
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	digits := strings.Trim(strings.ReplaceAll(strings.TrimPrefix(mantissa, "-"), ".", ""), "0")
	if digits == "" {
		return new(big.Rat)
	}
	sign := ""
	if strings.HasPrefix(mantissa, "-") {
		sign = "-"
	}
	exponent, err := strconv.ParseInt(power, 10, 64)
	if power != "" && err != nil {
		exponent = 1 << 40
		if strings.HasPrefix(power, "-") {
			exponent = -exponent
		}
	}
	// The first digit that counts has this exponent.
	whole, _, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	first := exponent + int64(len(strings.TrimLeft(whole, "0"))) - 1
	if strings.Trim(whole, "0") == "" {
		_, part, _ := strings.Cut(mantissa, ".")
		first = exponent - int64(len(part)-len(strings.TrimLeft(part, "0"))) - 1
	}
	switch {
	case first > far:
		text = sign + "1e400"
	case first < -far:
		text = sign + "1e-400"
	}
	out, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("no number: " + text) // the caller asks the grammar first
	}
	return out
}

// JSONNumber is the grammar of a number (RFC 8259, 6).
var JSONNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// Number has the keywords of a number. An empty one is absent.
type Number struct {
	Integer, Long                bool
	Min, Max, Above, Below, Step string
}

// Check judges a number by each keyword.
func (b Number) Check(j Judge, at string, n *big.Rat) {
	if b.Long {
		j.Must(n.Num().IsInt64() || !n.IsInt(), at, "format", "must have 64 bits")
	}
	if b.Min != "" {
		j.Must(n.Cmp(Decimal(b.Min)) >= 0, at, "minimum", "must be at least "+b.Min)
	}
	if b.Max != "" {
		j.Must(n.Cmp(Decimal(b.Max)) <= 0, at, "maximum", "must be at most "+b.Max)
	}
	if b.Above != "" {
		j.Must(n.Cmp(Decimal(b.Above)) > 0, at, "exclusiveMinimum", "must be above "+b.Above)
	}
	if b.Below != "" {
		j.Must(n.Cmp(Decimal(b.Below)) < 0, at, "exclusiveMaximum", "must be below "+b.Below)
	}
	if b.Step != "" {
		j.Must(new(big.Rat).Quo(n, Decimal(b.Step)).IsInt(), at, "multipleOf", "must be a multiple of "+b.Step)
	}
}

// Read judges a number of a parameter or a form field. It is written as in JSON;
// an integer has neither point nor exponent.
func (b Number) Read(j Judge, at, text string) {
	good := JSONNumber.MatchString(text)
	if b.Integer {
		good = good && !strings.ContainsAny(text, ".eE")
		if j.Has("leading-zeros") && !good {
			short := strings.TrimLeft(text, "0")
			good = short != "" && len(short) < len(text) && !strings.ContainsAny(short, ".eE+-") && JSONNumber.MatchString(short)
			if good {
				text = short
			}
		}
	}
	switch {
	case good || !b.Integer:
	case j.Has("other-base"):
		if n, err := strconv.ParseInt(text, 0, 64); err == nil && len(text) > 2 && strings.ContainsRune("xob", rune(text[1]|0x20)) {
			good, text = true, strconv.FormatInt(n, 10)
		}
	}
	if !j.Must(good, at, "type", "must be "+map[bool]string{true: "an integer", false: "a number"}[b.Integer]) {
		return
	}
	b.Check(j, at, Decimal(text))
}

// Is judges a number. 1.0 and 1e2 are integers.
func (b Number) Is(j Judge, at string, v any) any {
	n, ok := v.(json.Number)
	if b.Integer && ok {
		ok = Decimal(n.String()).IsInt() && !(j.Has("fractions-refused") && strings.ContainsAny(n.String(), ".eE"))
	}
	if !j.Must(ok, at, "type", "must be a number of its type") {
		return json.Number("1")
	}
	b.Check(j, at, Decimal(n.String()))
	return n
}

// Whole writes a whole number.
func Whole(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
