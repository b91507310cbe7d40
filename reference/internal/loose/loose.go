// Package loose reads near misses of JSON, the way lenient parsers do: each
// liberty is one bit, and what is read comes back as strict JSON.
package loose

import (
	"bytes"
	"errors"
)

// Allow is a set of liberties.
type Allow uint64

// The liberties, each named for what it lets pass.
const (
	TrailingComma     Allow = 1 << iota // {"id":1,}
	LeadingComma                        // {,"id":1}
	DoubledComma                        // {"id":1,,"name":"a"}
	MissingComma                        // {"id":1 "name":"a"}
	SemicolonForComma                   // {"id":1;"name":"a"}
	EqualsForColon                      // {"id"=1}
	MissingColon                        // {"id" 1}
	LineComment                         // // to the end of the line
	BlockComment                        // /* ... */
	HashComment                         // # to the end of the line
	SingleQuotes                        // {'id':1,"name":'a'}
	BareNames                           // {id:1}
	BareStrings                         // {"name":fern}
	NaN                                 // NaN, Infinity, -Infinity, read as 0
	Hex                                 // 0x1F
	LeadingZeros                        // 007
	Plus                                // +1
	TrailingDot                         // 5.
	Underscores                         // 1_000
	NumberSuffix                        // 5L, 12abc
	BareExponent                        // 1e
	ControlCharacters                   // any raw control character in a string
	Tab                                 // a raw tab in a string
	AnyEscape                           // \q is q
	HexEscape                           // \x41
	EscapedNewline                      // a backslash at the end of a line
	OpenEnd                             // closing brackets missing at the end
	OpenString                          // the closing quote missing at the end, too
	MismatchedClose                     // {"id":1]
	FormFeed                            // form feed and vertical tab between tokens
	NoBreakSpace                        // U+00A0 and U+FEFF between tokens
)

// maxDepth is where nesting is given up, as strict decoders do.
const maxDepth = 10_000

var errStrict = errors.New("not within the liberties")

// Normalise gives body as strict JSON, or body itself where it is not JSON
// even with these liberties.
func Normalise(body []byte, allow Allow) []byte {
	s := scanner{in: body, allow: allow}
	s.space()
	if err := s.value(0); err != nil {
		return body
	}
	s.space()
	if s.pos != len(s.in) {
		return body
	}
	return s.out
}

type scanner struct {
	in, out []byte
	pos     int
	allow   Allow
}

func (s *scanner) may(a Allow) bool { return s.allow&a != 0 }

// peek gives the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.in) {
		return s.in[s.pos]
	}
	return 0
}

func (s *scanner) ended() bool { return s.pos >= len(s.in) }

// space skips white space and what is taken for it.
func (s *scanner) space() {
	for !s.ended() {
		rest := s.in[s.pos:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.pos++
		case s.may(FormFeed) && (c == '\f' || c == '\v'):
			s.pos++
		case s.may(NoBreakSpace) && bytes.HasPrefix(rest, []byte("\u00a0")):
			s.pos += len("\u00a0")
		case s.may(NoBreakSpace) && bytes.HasPrefix(rest, []byte("\ufeff")):
			s.pos += len("\ufeff")
		case s.may(LineComment) && bytes.HasPrefix(rest, []byte("//")), s.may(HashComment) && c == '#':
			s.pos += until(rest, "\n")
		case s.may(BlockComment) && bytes.HasPrefix(rest, []byte("/*")) && bytes.Contains(rest[2:], []byte("*/")):
			s.pos += 2 + until(rest[2:], "*/")
		default:
			return
		}
	}
}

// until is the length of text up to and with the mark, or of all of it.
func until(text []byte, mark string) int {
	if i := bytes.Index(text, []byte(mark)); i >= 0 {
		return i + len(mark)
	}
	return len(text)
}

func (s *scanner) value(depth int) error {
	if depth > maxDepth {
		return errStrict
	}
	switch c := s.peek(); {
	case c == '{':
		return s.list('{', '}', func() error { return s.member(depth + 1) })
	case c == '[':
		return s.list('[', ']', func() error { return s.value(depth + 1) })
	case c == '"', c == '\'' && s.may(SingleQuotes):
		return s.text(c)
	}
	return s.word()
}

func (s *scanner) member(depth int) error {
	switch c := s.peek(); {
	case c == '"', c == '\'' && s.may(SingleQuotes):
		if err := s.text(c); err != nil {
			return err
		}
	case s.may(BareNames) && wordLength(s.in[s.pos:]) > 0:
		n := wordLength(s.in[s.pos:])
		s.quote(s.in[s.pos : s.pos+n])
		s.pos += n
	default:
		return errStrict
	}
	s.space()
	c := s.peek()
	switch {
	case c == ':', c == '=' && s.may(EqualsForColon):
		s.pos++
	case !s.may(MissingColon):
		return errStrict
	}
	s.out = append(s.out, ':')
	s.space()
	return s.value(depth)
}

// list reads what stands between a pair of brackets.
func (s *scanner) list(opening, closing byte, element func() error) error {
	s.pos++
	s.out = append(s.out, opening)
	s.space()
	if s.peek() == ',' && s.may(LeadingComma) {
		s.pos++
		s.space()
	}
	for first := true; ; first = false {
		if first && s.closes(closing) {
			break
		}
		if !first {
			more, err := s.separator(closing)
			if err != nil {
				return err
			}
			if !more {
				break
			}
			s.out = append(s.out, ',')
		}
		if err := element(); err != nil {
			return err
		}
		s.space()
	}
	s.out = append(s.out, closing)
	return nil
}

// closes consumes the closing bracket, or what is taken for it.
func (s *scanner) closes(closing byte) bool {
	c := s.peek()
	switch {
	case s.ended():
		return s.may(OpenEnd)
	case c == closing, s.may(MismatchedClose) && (c == '}' || c == ']'):
		s.pos++
		return true
	}
	return false
}

// separator reads what stands between two elements, and says whether another
// element follows.
func (s *scanner) separator(closing byte) (more bool, err error) {
	if s.closes(closing) {
		return false, nil
	}
	c := s.peek()
	switch {
	case c == ',', c == ';' && s.may(SemicolonForComma):
		s.pos++
		s.space()
	case s.may(MissingComma):
		return true, nil
	default:
		return false, errStrict
	}
	if s.peek() == ',' && s.may(DoubledComma) {
		s.pos++
		s.space()
	}
	if s.may(TrailingComma|OpenEnd) && (s.may(TrailingComma) || s.ended()) && s.closes(closing) {
		return false, nil
	}
	return true, nil
}
