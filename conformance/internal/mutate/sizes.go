package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

var byteSizes = []int{31, 32, 33, 63, 64, 65, 100, 126, 127, 128, 129, 190, 191, 192, 200, 250, 254, 255, 256}

var stringLengths = plan.Mutator{
	Name: "string-lengths",
	Doc:  "Sends strings of every length that any store holds, in characters of one to four bytes, because code that counts bytes cuts or refuses some.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			n, maximum := rank(s, p, (*place).free), certainLengths
			if p.schema.MaxLength != nil {
				maximum = min(*p.schema.MaxLength, 4*certainLengths-1)
			}
			var all []int
			for n := 1; n <= maximum; n++ {
				all = append(all, n)
			}
			with := func(kind string, list []int, text func(g *plan.Gen, n int) string) []plan.Class {
				return sorted(s, p.where(), kind, sampleOf(list, n), func(g *plan.Gen, n int) *message.Message {
					return p.with(g, jsontree.NewString(text(g, n)))
				})
			}
			wide := slices.DeleteFunc(slices.Clone(all), func(n int) bool { return n < freshLength || n%3 != 1 && n < maximum })
			var short []int // a fresh text leaves no room for wide characters
			if m := p.schema.MaxLength; m != nil && *m > 0 && *m < freshLength+shortRoom {
				short = []int{*m}
			}
			return slices.Concat(
				with("full-wide", short, func(g *plan.Gen, n int) string { return moved(ofLength(g, n), 'ā') }),
				with("full-cjk", short, func(g *plan.Gen, n int) string { return moved(ofLength(g, n), '植') }),
				with("full-astral", short, func(g *plan.Gen, n int) string { return moved(ofLength(g, n), '🌰') }),
				with("length", all, ofLength),
				with("length-wide", wide, func(g *plan.Gen, n int) string { return padded(g, n, "é") }),
				with("length-cjk", wide, func(g *plan.Gen, n int) string { return padded(g, n, "植") }),
				with("length-astral", wide, func(g *plan.Gen, n int) string { return padded(g, n, "🌱") }),
				with("length-bytes", byteSizes, ofBytes),
				with("length-astral-all", []int{60, 64}, ofAstral))
		})
	},
}

// shortRoom is how many wide characters next to a fresh text are enough.
const shortRoom = 8

// moved moves the letters and digits of a text to characters from another one on.
func moved(text string, to rune) string {
	return strings.Map(func(r rune) rune { return to + r%('z'-'a'+1) }, text)
}

// ofLength returns an ASCII text of n characters, fresh if it is long enough.
func ofLength(g *plan.Gen, n int) string {
	if n >= freshLength {
		return padded(g, n, "e")
	}
	// Short ones differ from run to run only where a neighbour is asked for.
	id := g.Identity()
	k := 0
	if id.Neighbour > 0 {
		k = id.RunNumber*8 + id.Neighbour
	}
	const digits = "qwxyzjkvabcdefghilmnoprstu"
	out := make([]byte, n)
	for i := range out {
		out[i] = digits[(k+i)%len(digits)]
		k /= len(digits)
	}
	return string(out)
}

// ofAstral returns n letters of four bytes each: a fresh word, each of its letters
// moved into CJK Extension B, repeated. A neighbour ends with the word itself,
// because some collations treat all such letters as equal.
func ofAstral(g *plan.Gen, n int) string {
	w := g.Word()
	out := make([]rune, n)
	for i := range out {
		out[i] = 0x20000 + rune(w[i%len(w)])<<8 + rune(i)
	}
	if g.Identity().Neighbour > 0 && n > len(w) {
		copy(out[n-len(w):], []rune(w))
	}
	return string(out)
}

// ofBytes returns a text of n bytes in few characters.
func ofBytes(g *plan.Gen, size int) string {
	w := g.Word()
	rest := max(0, size-len(w))
	return strings.Repeat("植", rest%4%3) + strings.Repeat("🌵", max(0, rest-3*(rest%4%3))/4) + w
}

var textSizes = plan.Mutator{
	Name: "text-sizes",
	Doc:  "Sends long strings with a character across the end of each common buffer, because code that cuts a text at a number of bytes leaves half a character.",
	Classes: func(s *plan.Space) []plan.Class {
		var cut []bufferEnd
		for _, c := range bufferEnds() {
			// A text that is cut elsewhere in the same letter is no other text to most code.
			if c.before == (len(c.letter)+c.buffer/512%2)/2 && c.buffer < largestBuffer {
				cut = append(cut, c)
			}
		}
		return each(s, func(p *place) []plan.Class {
			if !p.free() {
				return nil
			}
			list := sampleOf(cut, rank(s, p, (*place).free))
			return mayRefuse(s, p.where(), "split-character", list, func(g *plan.Gen, c bufferEnd) *message.Message {
				return p.with(g, jsontree.NewString(c.text(g.Word())))
			})
		})
	},
}

// longShape makes a value of a text that is refused for its type.
type longShape func(text string) *jsontree.Value

// longWrong is a long value of the wrong type.
type longWrong struct {
	text  sizedText
	shape longShape
}

// fullPlaces is at how many places every size is tried.
const fullPlaces = 3

// longShapes are in a string, as an item, as a name and in an object.
var longShapes = []longShape{
	jsontree.NewString,
	func(t string) *jsontree.Value { return jsontree.NewArray(jsontree.NewString(t)) },
	func(t string) *jsontree.Value { return jsontree.NewObject(jsontree.M(t, jsontree.NewNumber("1"))) },
	func(t string) *jsontree.Value { return jsontree.NewObject(jsontree.M("value", jsontree.NewString(t))) },
}

// longCuts are what stands around a long text in a body that is not JSON.
var longCuts = []struct{ kind, before, behind string }{
	{"long-open-string", `{"`, ""},
	{"long-bare-word", "", ""},
	{"long-text-behind", "{} ", ""},
	{"long-cut-escape", `["`, `\u12"]`},
}

var longWrongValues = plan.Mutator{
	Name: "long-wrong-values",
	Doc:  "Sends values of the wrong type, and text that is not JSON, of every size up to 8 KiB, because an error message that quotes them is cut inside a character, or exceeds its buffer.",
	Classes: func(s *plan.Space) []plan.Class {
		out := each(s, func(p *place) []plan.Class {
			shapes := longShapes
			if p.schema.Type() == "string" {
				shapes = longShapes[1:]
			}
			var list []longWrong
			for i, t := range sizedTexts() {
				list = append(list, longWrong{t, shapes[(i+i/len(wideLetters))%len(shapes)]})
			}
			n := rank(s, p, func(*place) bool { return true })
			return invalid(s, p.where(), "long", sampleOf(fewer(s, p.where(), list), max(0, n+1-fullPlaces)), func(g *plan.Gen, w longWrong) *message.Message {
				return p.with(g, w.shape(wideText(w.text.bytes, w.text.letter)))
			})
		})
		if !s.Op.HasJSON() {
			return out
		}
		for _, c := range longCuts {
			var texts []sizedText
			for i, n := range append([]int{100}, buffers[:len(buffers)-1]...) {
				texts = append(texts, sizedText{n, wideLetters[1+i%3]})
			}
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, c.kind), texts, changed(func(m *message.Message, t sizedText) {
				m.Raw = []byte(c.before + wideText(t.bytes, t.letter) + c.behind)
			}))...)
		}
		return out
	},
}

// buffers are the sizes of buffers that code reads, writes and keeps texts in. A body
// up to the largest of them may not be refused for its size.
var buffers = []int{256, 512, 1024, 2048, 4096, 8192}

// largestBuffer is the last of them.
const largestBuffer = 8192

// aroundBuffers are the sizes that just fit and the ones that just do not.
func aroundBuffers(maximum int) []int {
	out := []int{100}
	for _, n := range buffers {
		for _, size := range []int{n - 1, n, n + 1} {
			if size <= maximum {
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
