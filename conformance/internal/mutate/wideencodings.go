package mutate

import (
	"encoding/binary"
	"unicode/utf16"

	"plantstore/conformance/internal/message"
)

// wideEncodings are the forms that RFC 4627, section 3, knew beside UTF-8.
var wideEncodings = []func(*message.Message, []byte) []byte{
	utf16As(binary.LittleEndian, false), utf16As(binary.BigEndian, false), utf16As(binary.LittleEndian, true), utf16As(binary.BigEndian, true),
	utf32As(binary.LittleEndian, false), utf32As(binary.BigEndian, false), utf32As(binary.LittleEndian, true), utf32As(binary.BigEndian, true),
}

func utf16As(o binary.AppendByteOrder, mark bool) func(*message.Message, []byte) []byte {
	return func(_ *message.Message, b []byte) []byte {
		var out []byte
		if mark {
			out = o.AppendUint16(out, 0xFEFF)
		}
		for _, u := range utf16.Encode([]rune(string(b))) {
			out = o.AppendUint16(out, u)
		}
		return out
	}
}

func utf32As(o binary.AppendByteOrder, mark bool) func(*message.Message, []byte) []byte {
	return func(_ *message.Message, b []byte) []byte {
		var out []byte
		if mark {
			out = o.AppendUint32(out, 0xFEFF)
		}
		for _, c := range string(b) {
			out = o.AppendUint32(out, uint32(c))
		}
		return out
	}
}
