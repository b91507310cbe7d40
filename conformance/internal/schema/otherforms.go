package schema

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
)

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
