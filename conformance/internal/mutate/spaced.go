package mutate

import (
	"bytes"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

// spaced is a baseline body that white space makes longer: to a size, or until the end
// of a buffer cuts something in it.
type spaced struct {
	size  int
	split bufferEnd
	token int // counted among those that can be cut
	where int // the white space goes before, inside and behind the body, in turns
}

// with adds n bytes of white space. There is no message if the body is too long already.
func (sp spaced) with(m *message.Message, n int) *message.Message {
	if n < 0 && sp.split.buffer+sp.size > 0 {
		return nil
	}
	blank := strings.Repeat([]string{" ", "\n", "\r\n\t "}[sp.where/3%3], max(n, 0))[:max(n, 0)]
	switch {
	case sp.where%3 == 1 && flat(m.Tree):
		m.Style.Open = blank
	case sp.where%3 == 2 && sp.size > 0:
		m.Style.After = blank
	default:
		m.Style.Before = blank
	}
	return m
}

// flat reports whether a value is an object with nothing but scalars in it.
func flat(v *jsontree.Value) bool {
	if v == nil || v.Kind != jsontree.Object {
		return false
	}
	for _, m := range v.Members {
		if m.Value.Kind == jsontree.Object || m.Value.Kind == jsontree.Array {
			return false
		}
	}
	return true
}

// exactly makes a body of the size.
func exactly(g *generate.Gen, sp spaced) *message.Message {
	m := g.Baseline()
	return sp.with(m, sp.size-len(m.Body()))
}

// splitToken cuts a token in its middle.
func splitToken(g *generate.Gen, sp spaced) *message.Message {
	m := g.Baseline()
	tokens, err := jsontree.Tokens(m.Body())
	if err != nil {
		return nil
	}
	var at []int
	for _, t := range tokens {
		if t.End-t.Start > 1 {
			at = append(at, (t.Start+t.End)/2)
		}
	}
	if len(at) == 0 {
		at = append(at, tokens[0].Start) // a number of one digit: it is behind the end of the buffer
	}
	return sp.with(m, sp.split.buffer-at[sp.token%len(at)])
}

// splitText cuts the first letter of a text, or its escape.
func splitText(g *generate.Gen, at *place, sp spaced, v *jsontree.Value) *message.Message {
	m := at.with(g, v)
	quoted := []byte(jsontree.Quote(v.Text, 0))
	if v.Raw != "" {
		quoted = []byte(v.Raw)
	}
	i := bytes.Index(m.Body(), quoted)
	if i < 0 {
		return nil
	}
	return sp.with(m, sp.split.buffer-sp.split.before-i-1)
}
