package replay

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// sources returns the bodies that a recorded one may have come from: those of the
// case, also in the usual spelling, and the baseline body with and without optional
// members.
func sources(p *plan.Plan, c *plan.Case, id generate.Identity, steps []plan.Step) [][]byte {
	var out [][]byte
	add := func(m *message.Message) {
		out = append(out, stripped(m.Body()), stripped(opened(m.Body())))
		if m.Tree != nil {
			out = append(out, stripped(m.Tree.Emit()))
		}
	}
	for _, st := range steps {
		add(st.Message)
	}
	g := p.Preflight(c.Op, id, generate.Example)
	baseline := g.Baseline()
	add(baseline)
	if g.Give(baseline, c.Op.Optional()) {
		add(baseline)
	}
	return out
}

// otherBody returns the ways in which a recorded body cannot have come from the
// plan: it is another kind of request, or has words that are in none of the
// sources. Shrinking removes characters, and repeating takes other fresh values. One that
// refers to a thing of the run has the key of that one.
func (p *Player) otherBody(known, m *message.Message, from [][]byte, refers bool) []string {
	for _, w := range words(opened(m.Raw)) {
		if left := stripped(w); len(left) > 0 && !within(left, from) {
			return []string{"its body has " + printed(string(w)) + ", which the plan does not send"}
		}
	}
	a := p.target.Endpoint.Classify(known, p.target.Endpoint.Wire(known, ""))
	b := p.target.Endpoint.Classify(m, p.target.Endpoint.Wire(m, ""))
	switch {
	case refers && known.Keyed(b.Body):
		return nil
	case a.Body != nil && b.Body != nil && a.Body.Kind != b.Body.Kind:
		return []string{"its body is " + b.Body.Kind.String() + ", and the plan has " + a.Body.Kind.String()}
	case a.Expectation() != b.Expectation() && a.Expectation() != message.Anything:
		return []string{"it requests something else than the plan"}
	}
	return nil
}

// words returns the pieces of a body between the punctuation of JSON.
func words(b []byte) [][]byte {
	return bytes.FieldsFunc(b, func(c rune) bool { return c <= ' ' || strings.ContainsRune(`{}[]:,"`, c) })
}

// fresh are the characters of which fresh values are made: words without vowels,
// numbers, and the digits of UUIDs and escapes.
const fresh = "bcdfghjkmnpqrstvwxzBCDFGHJKMNPQRSTVWXZ0123456789aeAE-"

// stripped removes what may belong to a fresh value: the fresh characters, and the
// ideographs above U+FFFF in long fresh names.
func stripped(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		if (n > 1 || strings.IndexByte(fresh, b[0]) < 0) && (c < 0x20000 || !unicode.Is(unicode.Han, c)) {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// opened decodes an encoding in which every byte depends on the values inside.
func opened(b []byte) []byte {
	if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		if plain, err := io.ReadAll(io.LimitReader(z, int64(limits.Kept))); err == nil {
			return plain
		}
	}
	if plain, err := base64.StdEncoding.DecodeString(string(b)); err == nil && len(plain) > 0 {
		return plain
	}
	return b
}

// within reports whether the characters are in one of the sources, in order.
func within(left []byte, from [][]byte) bool {
	for _, source := range from {
		at := 0
		for _, c := range source {
			if at < len(left) && c == left[at] {
				at++
			}
		}
		if at == len(left) {
			return true
		}
	}
	return false
}

// alikeButFresh reports whether two texts differ only in fresh values.
func alikeButFresh(a, b string) bool {
	return bytes.Equal(stripped([]byte(a)), stripped([]byte(b)))
}
