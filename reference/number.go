package reference

import (
	"errors"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	errWhole = errors.New("must be an integer")
	errRange = errors.New("must be within int64")
)

// wholeNumber is an int64 that takes every JSON number whose value is whole,
// such as 1.0 and 1e2: to JSON Schema these are integers (draft 2020-12,
// validation, 6.1.1), which plain Go decoding refuses.
type wholeNumber int64

// UnmarshalJSONFrom implements [json.UnmarshalerFrom].
func (n *wholeNumber) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	text, err := d.ReadValue()
	if err != nil {
		return err
	}
	if text.Kind() != '0' {
		return errWhole
	}
	v, err := parseWhole(string(text))
	*n = wholeNumber(v)
	return err
}

// maxDigits is the most digits an int64 has.
const maxDigits = 19

// parseWhole gives the exact value of a JSON number. It works on the digits,
// never on a float, and in time linear in the text, whatever the exponent.
func parseWhole(text string) (int64, error) {
	mantissa, exponent := text, ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, exponent = text[:i], text[i+1:]
	}
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return 0, nil
	}
	scale, err := parseScale(exponent)
	if err != nil {
		return 0, err
	}
	scale -= len(fraction)
	significant := strings.TrimRight(digits, "0")
	scale += len(digits) - len(significant)
	switch {
	case scale < 0:
		return 0, errWhole
	case len(significant)+scale > maxDigits:
		return 0, errRange
	}
	significant += strings.Repeat("0", scale)
	if negative {
		significant = "-" + significant
	}
	v, err := strconv.ParseInt(significant, 10, 64)
	if err != nil {
		return 0, errRange
	}
	return v, nil
}

// maxExponent bounds what is computed with. A body is at most [MaxBody] bytes
// long, so no number of digits in it makes up for a larger exponent.
const maxExponent = 1 << 30

func parseScale(exponent string) (int, error) {
	if exponent == "" {
		return 0, nil
	}
	scale, err := strconv.Atoi(exponent)
	switch {
	case err != nil && exponent[0] == '-', scale < -maxExponent:
		return 0, errWhole
	case err != nil, scale > maxExponent:
		return 0, errRange
	}
	return scale, nil
}
