package loose

import (
	"fmt"
	"unicode/utf8"
)

// text copies a string literal, turning what strict JSON has no form for into
// escapes.
func (s *scanner) text(quote byte) error {
	s.pos++
	s.out = append(s.out, '"')
	for {
		if s.ended() {
			if !s.may(OpenString) {
				return errStrict
			}
			break
		}
		c := s.in[s.pos]
		switch {
		case c == quote:
			s.pos++
			s.out = append(s.out, '"')
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
			continue
		case c == '"':
			s.out = append(s.out, '\\', '"')
		case c < 0x20 && !s.may(ControlCharacters) && !(c == '\t' && s.may(Tab)):
			return errStrict
		case c < 0x20:
			s.out = fmt.Appendf(s.out, `\u%04x`, c)
		default:
			s.out = append(s.out, c)
		}
		s.pos++
	}
	s.out = append(s.out, '"')
	return nil
}

// escape copies one escape sequence.
func (s *scanner) escape() error {
	rest := s.in[s.pos+1:]
	if len(rest) == 0 {
		return errStrict
	}
	c := rest[0]
	switch {
	case c == 'u' && hexLength(rest[1:]) >= 4:
		return s.copyEscape(rest[:5], 5)
	case c == '"', c == '\\', c == '/', c == 'b', c == 'f', c == 'n', c == 'r', c == 't':
		return s.copyEscape(rest[:1], 1)
	case c == '\'' && s.may(SingleQuotes|AnyEscape):
		s.out = append(s.out, '\'')
		s.pos += 2
		return nil
	case c == 'x' && hexLength(rest[1:]) >= 2 && s.may(HexEscape):
		return s.copyEscape([]byte("u00"+string(rest[1:3])), 3)
	case c == '\n' && s.may(EscapedNewline):
		s.pos += 2
		return nil
	case s.may(AnyEscape) && c >= 0x20 && c != 'u':
		_, n := utf8.DecodeRune(rest)
		s.out = append(s.out, rest[:n]...)
		s.pos += 1 + n
		return nil
	}
	return errStrict
}

// copyEscape writes a backslash and the sequence, which took n bytes behind
// the backslash.
func (s *scanner) copyEscape(sequence []byte, n int) error {
	s.out = append(append(s.out, '\\'), sequence...)
	s.pos += 1 + n
	return nil
}

func (s *scanner) quote(word []byte) {
	s.out = append(append(append(s.out, '"'), word...), '"')
}

func hexLength(b []byte) int {
	n := 0
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || b[n]|0x20 >= 'a' && b[n]|0x20 <= 'f') {
		n++
	}
	return n
}
