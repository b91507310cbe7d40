package jsontree

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// ValidNumber reports whether text is a number by RFC 8259, section 6.
func ValidNumber(text string) bool {
	n, msg := numberLength(text)
	return msg == "" && n == len(text)
}

// decimal is a number as 0.digits times 10 to the power exp, without leading or
// trailing zeros; zero has no digits. An exponent of more than 18 digits stands
// in huge instead. Equal numbers have equal decimals.
type decimal struct {
	neg    bool
	digits string
	exp    int64
	huge   hugeInt
}

// hugeInt is a signed decimal integer of more than 18 digits, or none.
type hugeInt struct {
	neg    bool
	digits string
}

// readDecimal takes text apart in linear time; false if it is no JSON number.
func readDecimal(text string) (decimal, bool) {
	if !ValidNumber(text) {
		return decimal{}, false
	}
	var d decimal
	if text[0] == '-' {
		d.neg, text = true, text[1:]
	}
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole
	if fraction != "" {
		all = whole + fraction
	}
	d.digits = strings.TrimLeft(all, "0")
	shift := int64(len(whole) - (len(all) - len(d.digits)))
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}, true
	}
	d.setExponent(exponent, shift)
	return d, true
}

// setExponent adds the spelled exponent and the shift of the point.
func (d *decimal) setExponent(text string, shift int64) {
	neg := false
	if text != "" && (text[0] == '-' || text[0] == '+') {
		neg, text = text[0] == '-', text[1:]
	}
	text = strings.TrimLeft(text, "0")
	if neg {
		shift = -shift
	}
	// |text| + shift, in two parts: no shift exceeds the low 17 digits by far.
	const base = 100_000_000_000_000_000
	cut := max(0, len(text)-17)
	low, _ := strconv.ParseInt("0"+text[cut:], 10, 64)
	high := text[:cut]
	low += shift
	if high != "" && low < 0 {
		high, low = addOne(high, -1), low+base
	} else if high != "" && low >= base {
		high, low = addOne(high, +1), low-base
	}
	if len(high) > 1 {
		s := strconv.FormatInt(low, 10)
		d.huge = hugeInt{neg, high + strings.Repeat("0", 17-len(s)) + s}
		return
	}
	if high != "" {
		low += int64(high[0]-'0') * base
	}
	if neg {
		low = -low
	}
	d.exp = low
}

// addOne adds +1 or -1 to a positive decimal; the result has no leading zeros.
func addOne(s string, by int) string {
	b := []byte(s)
	from, to := byte('9'), byte('0')
	if by < 0 {
		from, to = '0', '9'
	}
	i := len(b) - 1
	for ; i >= 0 && b[i] == from; i-- {
		b[i] = to
	}
	if i < 0 {
		return "1" + string(b)
	}
	b[i] = byte(int(b[i]) + by)
	return strings.TrimLeft(string(b), "0")
}

// large reports whether the exponent is above n, small whether it is below -n.
func (d *decimal) large(n int64) bool {
	return d.huge.digits != "" && !d.huge.neg || d.huge.digits == "" && d.exp > n
}

func (d *decimal) small(n int64) bool {
	return d.huge.digits != "" && d.huge.neg || d.huge.digits == "" && d.exp < -n
}

func (d *decimal) integer() bool { return d.digits == "" || d.large(int64(len(d.digits))-1) }

func (d *decimal) sign() int {
	switch {
	case d.digits == "":
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func (a hugeInt) sign() int {
	switch {
	case a.digits == "":
		return 0
	case a.neg:
		return -1
	}
	return 1
}

func (a hugeInt) compare(b hugeInt) int {
	if c := cmp.Compare(a.sign(), b.sign()); c != 0 {
		return c
	}
	c := cmp.Or(cmp.Compare(len(a.digits), len(b.digits)), strings.Compare(a.digits, b.digits))
	return c * a.sign()
}

// Compare orders two JSON numbers by their mathematical value, exactly and in
// linear time, whatever their exponents. A text that is no number sorts before
// all numbers, and by its bytes among its like.
func Compare(a, b string) int {
	if a == b {
		return 0
	}
	x, okX := readDecimal(a)
	y, okY := readDecimal(b)
	switch {
	case !okX && !okY:
		return strings.Compare(a, b)
	case !okX:
		return -1
	case !okY:
		return 1
	}
	return x.compare(y)
}

func (d *decimal) compare(o decimal) int {
	if c := cmp.Compare(d.sign(), o.sign()); c != 0 {
		return c
	}
	return d.sign() * cmp.Or(
		d.huge.compare(o.huge),
		cmp.Compare(d.exp, o.exp),
		strings.Compare(d.digits, o.digits),
	)
}

// IsInteger reports whether the number is mathematically whole: 1.0, 1e2, -0 and
// 10e-1 are. False for a text that is no number.
func IsInteger(text string) bool {
	d, ok := readDecimal(text)
	return ok && d.integer()
}

// Int64 gives the value of a whole number within int64, however it is spelled.
func Int64(text string) (int64, bool) {
	d, ok := readDecimal(text)
	if !ok || !d.integer() || d.large(19) {
		return 0, false
	}
	if d.digits == "" {
		return 0, true
	}
	s := d.digits + strings.Repeat("0", int(d.exp)-len(d.digits))
	if d.neg {
		s = "-" + s
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// InRange reports whether min <= number <= max, exactly; a nil bound is none.
// Fractions count too. False for a text that is no number.
func InRange(text string, min, max *big.Int) bool {
	return ValidNumber(text) &&
		(min == nil || Compare(text, min.String()) >= 0) &&
		(max == nil || Compare(text, max.String()) <= 0)
}

// The caps of Rat and Native: beyond them a rational costs more than any
// schema asks for.
const (
	maxDigits   = 1000
	maxExponent = 1000
)

// Rat gives the number as a rational; false if it has more than 1000
// significant digits, is 10^1000 or more or less than 10^-1000 in magnitude, or
// is no number.
func Rat(text string) (*big.Rat, bool) {
	d, ok := readDecimal(text)
	if !ok || len(d.digits) > maxDigits || d.large(maxExponent) || d.small(maxExponent-1) {
		return nil, false
	}
	return new(big.Rat).SetString(d.String())
}

// String spells the number with a whole mantissa; huge exponents are not spelled.
func (d *decimal) String() string {
	if d.digits == "" {
		return "0"
	}
	sign := ""
	if d.neg {
		sign = "-"
	}
	return sign + d.digits + "e" + strconv.FormatInt(d.exp-int64(len(d.digits)), 10)
}

// Canonical spells equal numbers alike, but for exponents beyond int64. A text
// that is no number stays as it is.
func Canonical(text string) string {
	d, ok := readDecimal(text)
	if !ok || d.huge.digits != "" {
		return text
	}
	return d.String()
}

// standIn gives a spelling within the caps of the same sign and wholeness, and
// as good as the same magnitude.
func standIn(text string) string {
	if len(text) <= 300 && !strings.ContainsAny(text, "eE") {
		return text
	}
	d, ok := readDecimal(text)
	if !ok {
		return text
	}
	whole := d.integer()
	switch {
	case d.digits == "":
		return "0"
	case d.small(maxExponent - 1):
		d.digits, d.exp, d.huge = "1", 1-maxExponent, hugeInt{}
	case d.large(maxExponent) && whole:
		d.digits, d.exp, d.huge = "1", maxExponent+1, hugeInt{}
	case d.large(maxExponent): // as large, and with a half behind the point
		d.digits, d.exp = "1"+strings.Repeat("0", maxExponent)+"5", maxExponent+1
	case len(d.digits) > maxExponent+2:
		// Not whole, since whole numbers here have fewer digits: the last one
		// kept must stay behind the point.
		d.digits = d.digits[:maxExponent+1] + "1"
	case len(text) <= maxDigits+maxExponent && len(text) < 2*len(d.digits)+30:
		return text
	}
	return d.String()
}

// FractionLost reports whether the number is not whole but its nearest double is, or one
// next to that: a reader that uses doubles takes it for an integer. Fast readers are off by
// one in the last place, such as serde_json without float_roundtrip.
func FractionLost(text string) bool {
	if !ValidNumber(text) || IsInteger(text) {
		return false
	}
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && !math.IsNaN(wholeBeside(f))
}

// Rounded returns the whole number that such a reader takes a number for, for which
// FractionLost holds.
func Rounded(text string) string {
	f, _ := strconv.ParseFloat(text, 64) // FractionLost has read it
	return strconv.FormatFloat(wholeBeside(f), 'f', 0, 64)
}

// wholeBeside returns f if it is whole, or else a whole double next to it, or not a number.
func wholeBeside(f float64) float64 {
	for _, near := range [...]float64{f, math.Nextafter(f, math.Inf(1)), math.Nextafter(f, math.Inf(-1))} {
		if near == math.Trunc(near) {
			return near
		}
	}
	return math.NaN()
}

// Digits reports whether a text is one ASCII digit or more, and nothing else.
func Digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
