package yamltree

import (
	"errors"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/jsontree"
)

// parseJSON reads the text by JSON's own grammar, which is exact where YAML
// readers differ (escapes, tabs, numbers). It tells whether the text is JSON;
// an error may come with either answer.
func (t *Tree) parseJSON(text string) (bool, error) {
	d, err := jsontree.ParseLimit([]byte(text), maxDepth)
	var syntax *jsontree.SyntaxError
	var depth *jsontree.DepthError
	switch {
	case errors.As(err, &syntax):
		return false, t.errAt(placeOf(text, syntax.Offset), "%s", syntax.Msg)
	case errors.As(err, &depth):
		return false, t.errAt(placeOf(text, depth.Offset), "nested deeper than %d", maxDepth)
	}
	for _, i := range d.Issues {
		switch i.Kind {
		case jsontree.DuplicateName:
			name, _ := jsontree.UnescapePointer(i.Pointer[strings.LastIndexByte(i.Pointer, '/')+1:])
			return true, t.errAt(placeOf(text, i.Offset), "duplicate key %q", name)
		default:
			return true, t.errAt(placeOf(text, i.Offset), "%s", i.Kind)
		}
	}
	tokens, err := jsontree.Tokens([]byte(text))
	if err != nil {
		return true, t.errAt(place{}, "%v", err)
	}
	t.Root = d.Root
	c := cursor{text: text, place: place{1, 1}}
	for _, token := range tokens {
		switch token.Kind {
		case jsontree.NameToken:
			t.keys[token.Pointer] = c.to(token.Start)
		case jsontree.BeginObject, jsontree.BeginArray, jsontree.StringToken,
			jsontree.NumberToken, jsontree.Literal:
			t.at[token.Pointer] = c.to(token.Start)
		}
	}
	return true, nil
}

// cursor turns rising offsets into places in one pass.
type cursor struct {
	text string
	done int
	place
}

func (c *cursor) to(offset int) place {
	passed := c.text[c.done:offset]
	if n := strings.Count(passed, "\n"); n > 0 {
		c.line += n
		c.col = 1
		passed = passed[strings.LastIndexByte(passed, '\n')+1:]
	}
	c.col += utf8.RuneCountInString(passed)
	c.done = offset
	return c.place
}

func placeOf(text string, offset int) place {
	c := cursor{text: text, place: place{1, 1}}
	return c.to(min(offset, len(text)))
}
