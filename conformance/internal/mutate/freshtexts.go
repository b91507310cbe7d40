package mutate

import (
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
)

// textGroup is one kind of text. A fresh word replaces the mark in an item; an item
// without the mark is sent as it is.
type textGroup struct {
	kind  string
	items []string
}

// nonceMark is replaced with a fresh word in listed texts.
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

// padded returns a text of n characters that ends with a fresh word.
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
