package jsontree

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

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
