package jsontree

import "fmt"

// TokenKind is what a token is in the grammar (RFC 8259, section 2).
type TokenKind uint8

// The kinds of token. A name is a string token in the place of a member name;
// a literal is true, false or null.
const (
	BeginObject TokenKind = iota
	EndObject
	BeginArray
	EndArray
	Colon
	Comma
	StringToken
	NumberToken
	Literal
	NameToken
	endOfText
)

type state uint8

const (
	wantValue state = iota
	wantValueOrEnd
	wantNameOrEnd
	wantName
	wantColon
	wantCommaOrEnd
	wantNothing
)

func (s state) String() string {
	switch s {
	case wantValue:
		return "a value"
	case wantValueOrEnd:
		return "a value or ']'"
	case wantNameOrEnd:
		return "a name or '}'"
	case wantName:
		return "a name"
	case wantColon:
		return "':'"
	case wantCommaOrEnd:
		return "',' or the closing bracket"
	}
	return "the end of the text"
}

const byteOrderMark = "\xEF\xBB\xBF"

// scanner is the whole grammar as a state machine over one text.
type scanner struct {
	s          string
	pos        int
	start, end int // of the last token
	str        stringFacts
	state      state
	stack      []bool // open containers, true for an object
	limit      int
	depth      int // deepest so far
	bom        bool
}

func newScanner(s string, limit int) scanner {
	sc := scanner{s: s, limit: limit}
	if len(s) >= 3 && s[:3] == byteOrderMark {
		sc.bom, sc.pos = true, 3
	}
	return sc
}

// next reads one token, or gives endOfText once, after a complete value.
func (sc *scanner) next() (TokenKind, error) {
	s, i := sc.s, sc.pos
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t') {
		i++
	}
	sc.pos, sc.start = i, i
	if i == len(s) {
		return endOfText, sc.atEnd()
	}
	switch sc.state {
	case wantValue:
		return sc.value(s[i])
	case wantValueOrEnd:
		if s[i] == ']' {
			return sc.close(EndArray), nil
		}
		return sc.value(s[i])
	case wantName:
		return sc.name(s[i])
	case wantNameOrEnd:
		if s[i] == '}' {
			return sc.close(EndObject), nil
		}
		return sc.name(s[i])
	case wantColon:
		if s[i] == ':' {
			sc.state = wantValue
			return sc.one(Colon), nil
		}
	case wantCommaOrEnd:
		return sc.behindValue(s[i])
	}
	return 0, sc.unexpected()
}

// atEnd is the error for a text that ends too early.
func (sc *scanner) atEnd() error {
	switch {
	case sc.state == wantNothing:
		return nil
	case sc.state == wantValue && len(sc.stack) == 0:
		return sc.fail(sc.pos, "no value")
	}
	return sc.fail(sc.pos, fmt.Sprintf("text ends where %s is wanted", sc.state))
}

func (sc *scanner) name(c byte) (TokenKind, error) {
	if c != '"' {
		return 0, sc.unexpected()
	}
	err := sc.scanString()
	if err == nil {
		sc.state = wantColon
	}
	return NameToken, err
}

// behindValue reads the separator after a member or item, or the end of the
// container.
func (sc *scanner) behindValue(c byte) (TokenKind, error) {
	object := sc.stack[len(sc.stack)-1]
	switch {
	case c == ',':
		sc.state = wantValue
		if object {
			sc.state = wantName
		}
		return sc.one(Comma), nil
	case c == '}' && object:
		return sc.close(EndObject), nil
	case c == ']' && !object:
		return sc.close(EndArray), nil
	}
	return 0, sc.unexpected()
}

func (sc *scanner) value(c byte) (TokenKind, error) {
	switch {
	case c == '"':
		return StringToken, sc.scalar(sc.scanString())
	case c == '{':
		return BeginObject, sc.open(BeginObject)
	case c == '[':
		return BeginArray, sc.open(BeginArray)
	case c == '-' || c >= '0' && c <= '9':
		return NumberToken, sc.scalar(sc.scanNumber())
	case c == 't':
		return Literal, sc.scalar(sc.literal("true"))
	case c == 'f':
		return Literal, sc.scalar(sc.literal("false"))
	case c == 'n':
		return Literal, sc.scalar(sc.literal("null"))
	}
	return 0, sc.unexpected()
}

func (sc *scanner) open(k TokenKind) error {
	if len(sc.stack) >= sc.limit {
		return &DepthError{Limit: sc.limit, Offset: sc.pos}
	}
	sc.stack = append(sc.stack, k == BeginObject)
	sc.depth = max(sc.depth, len(sc.stack))
	sc.state = wantValueOrEnd
	if k == BeginObject {
		sc.state = wantNameOrEnd
	}
	sc.one(k)
	return nil
}

func (sc *scanner) close(k TokenKind) TokenKind {
	sc.stack = sc.stack[:len(sc.stack)-1]
	sc.after()
	return sc.one(k)
}

// scalar moves on only if the value was read: a failed one is still being read.
func (sc *scanner) scalar(err error) error {
	if err == nil {
		sc.after()
	}
	return err
}

// after sets what may follow a value.
func (sc *scanner) after() {
	sc.state = wantCommaOrEnd
	if len(sc.stack) == 0 {
		sc.state = wantNothing
	}
}

func (sc *scanner) one(k TokenKind) TokenKind {
	sc.pos++
	sc.end = sc.pos
	return k
}

func (sc *scanner) literal(word string) error {
	for i := range len(word) {
		switch {
		case sc.pos+i == len(sc.s):
			return sc.fail(sc.pos+i, "text ends inside "+word)
		case sc.s[sc.pos+i] != word[i]:
			return sc.fail(sc.pos+i, fmt.Sprintf("unexpected %s inside %s", show(sc.s[sc.pos+i:]), word))
		}
	}
	sc.pos += len(word)
	sc.end = sc.pos
	return nil
}

func (sc *scanner) unexpected() error {
	return sc.fail(sc.pos, fmt.Sprintf("unexpected %s, want %s", show(sc.s[sc.pos:]), sc.state))
}

func (sc *scanner) fail(offset int, msg string) error {
	return &SyntaxError{Offset: offset, Msg: msg, Behind: sc.state == wantNothing}
}
