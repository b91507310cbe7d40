package crud

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// decimal reads a number as JSON writes it, exactly. A number beyond 10^400 becomes
// 10^400, and one nearer to 0 than 10^-400 becomes 10^-400: no limit of the document
// is so far out, and no exponent can cost memory.
func decimal(text string) *big.Rat {
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

// jsonNumber is the grammar of a number (RFC 8259, 6).
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// bounds has the keywords of a number. An empty one is absent.
type bounds struct {
	integer, long                bool
	min, max, above, below, step string
}

// check judges a number by each keyword.
func (b bounds) check(c *call, at string, n *big.Rat) {
	if b.long {
		c.must(n.Num().IsInt64() || !n.IsInt(), at, "format", "must have 64 bits")
	}
	if b.min != "" {
		c.must(n.Cmp(decimal(b.min)) >= 0, at, "minimum", "must be at least "+b.min)
	}
	if b.max != "" {
		c.must(n.Cmp(decimal(b.max)) <= 0, at, "maximum", "must be at most "+b.max)
	}
	if b.above != "" {
		c.must(n.Cmp(decimal(b.above)) > 0, at, "exclusiveMinimum", "must be above "+b.above)
	}
	if b.below != "" {
		c.must(n.Cmp(decimal(b.below)) < 0, at, "exclusiveMaximum", "must be below "+b.below)
	}
	if b.step != "" {
		c.must(new(big.Rat).Quo(n, decimal(b.step)).IsInt(), at, "multipleOf", "must be a multiple of "+b.step)
	}
}

// text reads a number of a parameter or a form field. It is written as in JSON;
// an integer has neither point nor exponent.
func (b bounds) text(c *call, at, text string) {
	good := jsonNumber.MatchString(text)
	if b.integer {
		good = good && !strings.ContainsAny(text, ".eE")
		if c.has("leading-zeros") && !good {
			short := strings.TrimLeft(text, "0")
			good = short != "" && len(short) < len(text) && !strings.ContainsAny(short, ".eE+-") && jsonNumber.MatchString(short)
			if good {
				text = short
			}
		}
	}
	switch {
	case good || !b.integer:
	case at == "body/rating" && c.has("rating-prefix"):
		if i := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }); i > 0 {
			good, text = true, text[:i]
		}
	case c.has("other-base"):
		if n, err := strconv.ParseInt(text, 0, 64); err == nil && len(text) > 2 && strings.ContainsRune("xob", rune(text[1]|0x20)) {
			good, text = true, strconv.FormatInt(n, 10)
		}
	}
	if !c.must(good, at, "type", "must be "+map[bool]string{true: "an integer", false: "a number"}[b.integer]) {
		return
	}
	b.check(c, at, decimal(text))
}
