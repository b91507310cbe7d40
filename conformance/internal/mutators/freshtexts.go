package mutators

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
)

// textGroup is one kind of text. Where an item has the mark, a fresh word
// stands; an item without it is tried as it is.
type textGroup struct {
	kind  string
	items []string
}

// nonceMark stands in listed texts for a fresh word.
const nonceMark = "§"

// fill puts a fresh word into a listed text; one without a mark is the subject
// itself.
func fill(g *generate.Gen, text string) string {
	if strings.Contains(text, nonceMark) {
		return strings.ReplaceAll(text, nonceMark, g.Word())
	}
	return g.Text(text)
}

// freshLength is the shortest length that fresh words have.
const freshLength = 6

// Lengths in code points up to which strings are tried one by one, and the
// sizes in bytes around which they are.
const certainLengths = 64

// padded gives a text of n characters that ends with a fresh word.
func padded(g *generate.Gen, n int, pad string) string {
	w := g.Word()
	if len(w) >= n {
		return w[:n]
	}
	return strings.Repeat(pad, n-len(w)) + w
}

func freshText(g *generate.Gen) *jsontree.Value { return jsontree.NewString(g.Word()) }

// longest bounds the texts that are made to break or keep a length.
const longest = 100_000
