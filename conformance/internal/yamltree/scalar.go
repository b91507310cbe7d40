package yamltree

import (
	"math/big"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// typed types an unquoted scalar by the core schema (YAML 1.2.2, section
// 10.3.2). The message is not empty if JSON has no such value.
func typed(s string) (v *jsontree.Value, msg string) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return jsontree.NewNull(), ""
	case "true", "True", "TRUE":
		return jsontree.NewBool(true), ""
	case "false", "False", "FALSE":
		return jsontree.NewBool(false), ""
	case ".nan", ".NaN", ".NAN":
		return nil, s + " has no JSON value"
	}
	unsigned := strings.TrimLeft(s, "+-")
	switch unsigned {
	case ".inf", ".Inf", ".INF":
		if len(s)-len(unsigned) <= 1 {
			return nil, s + " has no JSON value"
		}
	}
	if n, ok, msg := number(s); ok || msg != "" {
		return n, msg
	}
	return jsontree.NewString(s), ""
}

// maxBased bounds hexadecimal and octal numbers, whose conversion is not linear.
const maxBased = 1000

// number reads an int or float of the core schema. A spelling that is JSON's
// too is kept; any other is brought to the nearest one.
func number(s string) (v *jsontree.Value, ok bool, msg string) {
	if jsontree.ValidNumber(s) {
		return jsontree.NewNumber(s), true, ""
	}
	for prefix, base := range map[string]int{"0x": 16, "0o": 8} {
		if rest, found := strings.CutPrefix(s, prefix); found && based(rest, base) {
			if len(rest) > maxBased {
				return nil, false, "number of too many digits"
			}
			n, _ := new(big.Int).SetString(rest, base)
			return jsontree.NewNumber(n.String()), true, ""
		}
	}
	sign, rest := "", s
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		sign, rest = strings.TrimPrefix(rest[:1], "+"), rest[1:]
	}
	mantissa, exponent := rest, ""
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent = rest[:i], rest[i:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" || strings.TrimLeft(whole+fraction, "0123456789") != "" {
		return nil, false, ""
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	spelled := sign + whole + fraction + exponent
	if !jsontree.ValidNumber(spelled) {
		return nil, false, ""
	}
	return jsontree.NewNumber(spelled), true, ""
}

func based(s string, base int) bool {
	digits := "0123456789abcdefABCDEF"
	if base == 8 {
		digits = "01234567"
	}
	return s != "" && strings.Trim(s, digits) == ""
}
