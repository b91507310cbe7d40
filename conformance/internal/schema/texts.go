package schema

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/pattern"
)

// settled are the characters that every implementation in use knows: those of
// Unicode 9.0 (2016). Whether a later one is a letter depends on the version of the
// library that reads it.
var settled = rangetable.Assigned("9.0.0")

// Settled reports whether every implementation in use knows the character.
func Settled(c rune) bool { return unicode.Is(settled, c) }

// text records what keeps a valid string from being must-accept or baseline. A
// must-accept string fits into every store and language: 1 to 64 visible characters
// of Unicode 9.0, with spaces only inside.
func (p *plainness) text(s *Schema, text, path string) {
	if s.Code != nil && !p.given.Unguessed {
		if !s.Code.Valid(text) {
			p.r.mayRefuse(path, "no "+s.Code.String())
		}
		return
	}
	stated := s.Pattern != "" || s.Format != ""
	if !stated && !BaselineText(text) || len(text) > 2*baselineLength {
		p.r.unusual(path)
	}
	if !takenIn(s.Format, text) {
		p.r.mayRefuse(path, "unusual "+s.Format)
	}
	if s.Pattern != "" && p.zero(s.Pattern, text) {
		p.r.mayRefuse(path, "zero as a text")
	}
	d := p.s.Domains[path]
	minimum, maximum := 1, mustAcceptLength
	if s.MinLength != nil && *s.MinLength == 0 {
		minimum = 0
	}
	if s.MaxLength != nil && *s.MaxLength > maximum {
		maximum = min(*s.MaxLength, 4*mustAcceptLength)
	}
	if d.MinLength > 0 {
		minimum = d.MinLength
	}
	if d.MaxLength > 0 {
		maximum = d.MaxLength
	}
	n := utf8.RuneCountInString(text)
	switch {
	case n < minimum && text == "":
		p.r.mayRefuse(path, "empty string")
	case n < minimum:
		p.r.mayRefuse(path, "short string")
	case n > max(maximum, 4*mustAcceptLength-1):
		p.r.mayRefuse(path, "very long string")
	case n > maximum:
		p.r.mayRefuse(path, "long string")
	}
	if text != "" && strings.TrimSpace(text) == "" {
		p.r.mayRefuse(path, "blank string")
	} else if text != strings.TrimSpace(text) {
		p.r.mayRefuse(path, "white space at an end")
	}
	if what := unusual(text); what != "" {
		p.r.mayRefuse(path, what)
	}
}

// zero reports whether a text is a zero where the pattern allows other numbers: a server
// may refuse an amount of 0.00.
func (p *plainness) zero(expression, text string) bool {
	if !IsZero(text) {
		return false
	}
	re := p.s.Pattern(expression)
	return re != nil && re.Match(strings.ReplaceAll(text, "0", "1")) == pattern.Yes
}

// IsZero reports whether a text is a zero without a sign, such as 0.00.
func IsZero(text string) bool {
	return strings.Contains(text, "0") && strings.Trim(text, "0.,") == ""
}

// unusual describes the first character that some stores refuse.
func unusual(text string) string {
	for i, c := range text {
		switch {
		case c >= ' ' && c < 0x7F:
		case c == 0:
			return "NUL"
		case unicode.Is(unicode.Cc, c):
			return "control character"
		case c == utf8.RuneError && text[i] == 0xED:
			return "lone surrogate"
		case c == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			return "invalid UTF-8"
		case unicode.IsSpace(c) || unicode.Is(unicode.Z, c):
			return "white space other than a blank"
		case unicode.Is(unicode.Cf, c):
			return "format character"
		case i == 0 && unicode.Is(unicode.M, c):
			return "combining mark first"
		case !unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S):
			return "unassigned or private character"
		case !Settled(c):
			return "character newer than Unicode 9.0"
		}
	}
	return ""
}

// BaselineText reports whether no implementation can misread a text: a few ASCII
// letters and digits, first a letter, and at least one digit, so that it is no
// ordinary word.
func BaselineText(text string) bool {
	if len(text) > baselineLength || !strings.ContainsAny(text, "0123456789") {
		return false
	}
	for i := range len(text) {
		c := text[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// Spellings outside a format that common readers accept: a UUID in another form, a
// date-time without seconds or offset or with a blank, a date that a simple expression takes
// (a first digit of 0 or 1 for the month, 0 to 3 for the day, 0 to 2 for the hour), a time stamp
// as a number, an email address with characters outside ASCII (RFC 6531, 3.3 adds them to
// RFC 5321). A server may accept or refuse them, and so it may white space around a text, which
// forms and readers of mail take away: a format by itself asks a server that checks it for no more
// than a "best effort" (JSON Schema 2020-12, validation, 7.2.1), and where it is email, not
// idn-email, some still read both by one grammar. A pattern beside the format leaves no such room:
// what it does not match is refused.
var (
	looseUUID  = regexp.MustCompile(`^(?i)(urn:uuid:)?\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$`)
	looseTime  = regexp.MustCompile(`^\d{4}-(\d{2})-(\d{2})(?:[Tt _](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?)?$`)
	looseClock = regexp.MustCompile(`^(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?$`)
	timeStamp  = regexp.MustCompile(`^-?\d{1,18}(\.\d+)?$`)
	wideEmail  = regexp.MustCompile(`^[^\x00-\x20\x7f()<>\[\]:;@\\,."]+(\.[^\x00-\x20\x7f()<>\[\]:;@\\,."]+)*@([A-Za-z0-9-]|[^\x00-\x7f])+(\.([A-Za-z0-9-]|[^\x00-\x7f])+)*$`)
)

// loose reports whether a text is one of these spellings of a format.
func loose(format, text string) bool {
	switch format {
	case "uuid":
		return looseUUID.MatchString(text)
	case "email":
		return wideEmail.MatchString(text) && strings.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf }) >= 0
	case "date-time", "date", "time":
	default:
		return false
	}
	if timeStamp.MatchString(text) {
		return true
	}
	if m := looseTime.FindStringSubmatch(text); m != nil {
		return inRange(m[1], 0, 19) && inRange(m[2], 0, 39) && inRange(m[3], 0, 29) && inRange(m[4], 0, 59) && inRange(m[5], 0, 60)
	}
	m := looseClock.FindStringSubmatch(text)
	return m != nil && inRange(m[1], 0, 29) && inRange(m[2], 0, 59) && inRange(m[3], 0, 60)
}

// inRange reports whether a number is in a range. An empty text is in every range.
func inRange(digits string, low, high int) bool {
	n, err := strconv.Atoi(digits)
	return digits == "" || err == nil && n >= low && n <= high
}

// wide decodes a text in UTF-16 or UTF-32, which RFC 4627, section 3, allowed and
// some readers still detect: by a byte order mark, or by the zeros among the first
// four bytes. It returns false for anything else.
func wide(b []byte) ([]byte, bool) {
	for _, form := range wideForms {
		if bytes.HasPrefix(b, form.mark) {
			if text, ok := form.decode(b[len(form.mark):]); ok {
				return text, true
			}
		}
	}
	if len(b) < 4 {
		return nil, false
	}
	for _, form := range wideForms {
		if form.zeros == zerosOf(b) {
			return form.decode(b)
		}
	}
	return nil, false
}

// wideForm is one encoding. Bit i of zeros is set if byte i of a text is 0.
type wideForm struct {
	mark  []byte
	zeros byte
	size  int
	order binary.ByteOrder
}

// Longer marks first: that of UTF-32 begins with that of UTF-16.
var wideForms = [...]wideForm{
	{[]byte{0xFF, 0xFE, 0, 0}, 0b1110, 4, binary.LittleEndian},
	{[]byte{0, 0, 0xFE, 0xFF}, 0b0111, 4, binary.BigEndian},
	{[]byte{0xFF, 0xFE}, 0b1010, 2, binary.LittleEndian},
	{[]byte{0xFE, 0xFF}, 0b0101, 2, binary.BigEndian},
}

func zerosOf(b []byte) byte {
	var out byte
	for i := range 4 {
		if b[i] == 0 {
			out |= 1 << i
		}
	}
	return out
}

func (f wideForm) decode(b []byte) ([]byte, bool) {
	if len(b)%f.size != 0 {
		return nil, false
	}
	var out []byte
	for i := 0; i < len(b); i += f.size {
		var c rune
		if f.size == 4 {
			if v := f.order.Uint32(b[i:]); v <= utf8.MaxRune {
				c = rune(v)
			} else {
				return nil, false
			}
		} else if c = rune(f.order.Uint16(b[i:])); utf16.IsSurrogate(c) && i+4 <= len(b) {
			if pair := utf16.DecodeRune(c, rune(f.order.Uint16(b[i+2:]))); pair != utf8.RuneError {
				c, i = pair, i+2
			}
		}
		if !utf8.ValidRune(c) {
			return nil, false
		}
		out = utf8.AppendRune(out, c)
	}
	return out, true
}

// otherText returns the text that some readers take a body for, and why. It is empty if there is
// none.
func otherText(b []byte) (text []byte, why string) {
	if text, ok := wide(b); ok {
		return text, "UTF-16 or UTF-32"
	}
	if text, ok := behindCutMark(b); ok {
		return text, jsontree.ByteOrderMark.String()
	}
	return nil, ""
}

// behindCutMark returns what is behind some of the bytes of a byte order mark in UTF-8, and whether
// there is one: RapidJSON, for one, skips each of the three by itself.
func behindCutMark(b []byte) (rest []byte, cut bool) {
	rest = b
	for _, mark := range []byte("\uFEFF") {
		if len(rest) > 0 && rest[0] == mark {
			rest = rest[1:]
		}
	}
	return rest, len(rest) < len(b)
}
