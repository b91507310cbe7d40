package jsontree

import "strconv"

// Token is one token of a text. Commas and brackets carry the pointer of their
// container, names and colons that of the member, values their own; pointers
// are cut at 4096 bytes. Depth is the number of containers around the token: a
// bracket stands outside its own.
type Token struct {
	Kind       TokenKind
	Start, End int
	Pointer    string
	Depth      int
}

// Tokens gives the tokens of a valid text in order, without white space. Its
// errors are those of Parse.
func Tokens(b []byte) ([]Token, error) {
	sc := newScanner(string(b), DefaultDepth)
	stack := []tokenLevel{{}} // the lowest stands for the text
	var out []Token
	for {
		k, err := sc.next()
		top := &stack[len(stack)-1]
		if err != nil {
			if se, ok := err.(*SyntaxError); ok {
				se.Pointer = cutText(top.place(sc.state), maxErrorPointer)
			}
			return nil, err
		}
		if k == endOfText {
			return out, nil
		}
		t := Token{Kind: k, Start: sc.start, End: sc.end, Depth: len(stack) - 1}
		switch k {
		case NameToken:
			name := sc.s[sc.start+1 : sc.end-1]
			if sc.str.escaped {
				name = unquote(name)
			}
			top.member = child(top.pointer, name)
			t.Pointer = top.member
		case Colon:
			t.Pointer = top.member
		case Comma:
			t.Pointer = top.pointer
		case EndObject, EndArray:
			t.Pointer, t.Depth = top.pointer, t.Depth-1
			stack = stack[:len(stack)-1]
		default:
			if top.array {
				top.member = child(top.pointer, strconv.Itoa(top.next))
				top.next++
			}
			t.Pointer = top.member
			if k == BeginObject || k == BeginArray {
				stack = append(stack, tokenLevel{object: k == BeginObject, array: k == BeginArray, pointer: t.Pointer})
			}
		}
		out = append(out, t)
	}
}

type tokenLevel struct {
	object  bool
	array   bool   // neither is the text itself
	pointer string // of the container
	member  string // of the item read last
	next    int
}

// place is the pointer for a syntax error, as Parse gives it.
func (l *tokenLevel) place(s state) string {
	switch {
	case l.object && (s == wantColon || s == wantValue):
		return l.member
	case s == wantValueOrEnd || s == wantValue && l.array:
		return child(l.pointer, strconv.Itoa(l.next))
	}
	return l.pointer
}

// NameOffset returns the byte offset of the name of member n, from 0, of the object
// that starts at an offset of a valid text, or -1 if there is none.
func NameOffset(text string, object, n int) int {
	sc := newScanner(text, DefaultDepth)
	sc.pos = object
	for {
		switch k, err := sc.next(); {
		case err != nil || k == endOfText || len(sc.stack) == 0:
			return -1
		case k == NameToken && len(sc.stack) == 1:
			if n--; n < 0 {
				return sc.start
			}
		}
	}
}
