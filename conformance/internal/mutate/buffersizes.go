package mutate

import (
	"strings"

	"plantstore/conformance/internal/plan"
)

// buffers are the sizes of buffers that code reads, writes and keeps texts in. A body
// up to the largest of them may not be refused for its size.
var buffers = []int{256, 512, 1024, 2048, 4096, 8192}

// largestBuffer is the last of them.
const largestBuffer = 8192

// aroundBuffers are the sizes that just fit, and those that just do not.
func aroundBuffers(most int) []int {
	out := []int{100}
	for _, n := range buffers {
		for _, size := range []int{n - 1, n, n + 1} {
			if size <= most {
				out = append(out, size)
			}
		}
	}
	return out
}

// wideLetters are letters of one to four bytes.
var wideLetters = []string{"x", "é", "植", "🌱"}

// bufferEnd is where the end of a buffer cuts a letter: so many of its bytes are before it.
type bufferEnd struct {
	buffer int
	letter string
	before int
}

// bufferEnds are all ways in which the ends of buffers cut letters.
func bufferEnds() []bufferEnd {
	var out []bufferEnd
	for _, n := range buffers {
		for _, letter := range wideLetters {
			for before := 1; before < len(letter); before++ {
				out = append(out, bufferEnd{n, letter, before})
			}
		}
	}
	return out
}

// text is a text whose letter is cut where the text is.
func (c bufferEnd) text(rest string) string {
	return strings.Repeat("e", c.buffer-c.before) + c.letter + rest
}

// wideText returns a text of n bytes that ends in letters of several bytes: one of them is
// cut wherever a buffer below that ends.
func wideText(n int, letter string) string {
	return strings.Repeat("e", n%len(letter)) + strings.Repeat(letter, n/len(letter))
}

// takesMore reports whether the body takes members that no property names.
func takesMore(s *plan.Space) bool {
	if !s.Op.HasJSON() {
		return false
	}
	sc := s.Op.Body.Shape.Schema
	return !sc.Closed && sc.Type() == "object"
}

// longestUnknown leaves room for the rest of a body that may not be refused for its size.
const longestUnknown = 8000

// sizedText is a text of so many bytes, all but the first of them in letters of one width.
type sizedText struct {
	bytes  int
	letter string
}

// sizedTexts pair each size with one width, and each width with sizes on both sides of a
// buffer's end.
func sizedTexts() []sizedText {
	var out []sizedText
	for i, n := range append(aroundBuffers(longestUnknown), longestUnknown) {
		out = append(out, sizedText{n, wideLetters[i%len(wideLetters)]})
	}
	return out
}
