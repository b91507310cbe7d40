package openapi

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
)

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
