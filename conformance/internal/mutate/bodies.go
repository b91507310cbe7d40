package mutate

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

const (
	framedEach   = 4
	framedLength = 20_000
)

var bodySizes = plan.Mutator{
	Name: "body-sizes",
	Doc:  "Sends large and chunked bodies, and bodies that wait for 100 Continue, because a server may refuse them, but must not fail.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		padded := changed(func(m *message.Message, n int) {
			b := m.Body()
			m.Raw = append(append(make([]byte, 0, len(b)+n), b...), strings.Repeat(" ", n)...)
		})
		inside := func(g *plan.Gen, n int) *message.Message {
			m := g.Baseline()
			if len(m.Tree.Members)+len(m.Tree.Items) == 0 {
				return nil // there is no inside
			}
			m.Style.Open = strings.Repeat("\n", n)
			return m
		}
		extra := changed(func(m *message.Message, n int) {
			m.Tree.Set("extra", jsontree.NewRaw(`"`+strings.Repeat("x", n)+`"`))
		})
		framed := func(kind string, f message.Framing, cases []int) []plan.Class {
			return listed(of(plan.FamilyMayRefuse, transport, kind), cases, func(g *plan.Gen, pad int) *message.Message {
				m := padded(g, pad)
				m.Framing = f
				return m
			})
		}
		size := func(kind string) plan.Class { return of(plan.FamilyMayRefuse, transport, kind) }
		sizes := largeSizes
		if s.Max > 0 {
			sizes = slices.Clone(sizes)
			slices.Reverse(sizes) // where few are tried, the largest
		}
		out := listed(size("large-body"), sizes, padded)
		if inside(plan.Probe(s.Op), 0) != nil {
			out = append(out, listed(size("large-body-inside"), sizes, inside)...)
		}
		out = append(out, heavy(listed(size("huge-body"), hugeSizes, padded))...)
		if !s.Op.Body.Shape.Schema.Closed && s.Op.Body.Shape.Schema.Type() == "object" && len(judged(s, transport, []int{1}, extra)[schema.MayRefuse]) > 0 {
			out = append(out, listed(size("large-body-of-one-member"), sizes, extra)...)
			out = append(out, heavy(listed(size("huge-body-of-one-member"), hugeMember, extra))...)
		}
		few := make([]int, framedEach)
		few[framedEach-1] = framedLength
		out = append(out, framed("chunked", message.Chunked, few)...)
		return append(out, framed("expect-continue", message.Expect, few)...)
	},
}

// Sizes of bodies above what the application alone decides about.
var (
	largeSizes = []int{9 << 10, 17 << 10, 65 << 10, 120 << 10}
	hugeSizes  = []int{200 << 10, 2 << 20}
	hugeMember = []int{200 << 10, 1100 << 10}
)

var bodyBoundaries = plan.Mutator{
	Name: "body-boundaries",
	Doc:  "Makes bodies just as long as common buffers, and puts characters, escapes and tokens across the ends of buffers and chunks, because code that decodes each block by itself loses what is cut.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var exact, tokens []spaced
		for i, n := range aroundBuffers(largestBuffer) {
			for k := range 2 {
				exact = append(exact, spaced{size: n, where: i + k})
			}
		}
		for i, n := range buffers[:len(buffers)-1] {
			for k := range 4 {
				tokens = append(tokens, spaced{split: bufferEnd{buffer: n}, token: k, where: i + k})
			}
		}
		out := append(sorted(s, wholeBody, "exact-size", exact, exactly), sorted(s, wholeBody, "split-token", tokens, splitToken)...)
		if at := freeText(s); at != nil {
			out = append(out, splitTexts(s, at)...)
		}
		return out
	},
}

// splitTexts cuts the characters of a text, and their escapes.
func splitTexts(s *plan.Space, at *place) []plan.Class {
	var cut, large, escaped []spaced
	for i, c := range bufferEnds() {
		if sp := (spaced{split: c, where: i}); c.buffer < largestBuffer {
			cut = append(cut, sp)
		} else {
			large = append(large, sp)
		}
	}
	for i, n := range buffers[:len(buffers)-1] {
		for _, c := range []bufferEnd{{n, "植", 1}, {n, "植", 2 + i%4}, {n, "🌱", 6}, {n, "🌱", 7 + i%4}} {
			escaped = append(escaped, spaced{split: c, where: i})
		}
	}
	character := func(g *plan.Gen, sp spaced) *message.Message {
		return splitText(g, at, sp, jsontree.NewString(sp.split.letter+g.Word()))
	}
	escape := func(g *plan.Gen, sp spaced) *message.Message {
		v := jsontree.NewString(sp.split.letter + g.Word())
		v.Raw = jsontree.Quote(v.Text, jsontree.ASCII)
		return splitText(g, at, sp, v)
	}
	chunks := func(g *plan.Gen, sp spaced) *message.Message {
		m := splitText(g, at, sp, jsontree.NewString(sp.split.letter+g.Word()+"é植🌱"))
		if m != nil {
			m.Framing = message.SplitChunks
		}
		return m
	}
	may := func(kind string, list []spaced, build func(*plan.Gen, spaced) *message.Message) []plan.Class {
		by := judged(s, transport, list, build)
		return listed(of(plan.FamilyMayRefuse, transport, kind), slices.Concat(by[schema.MustAccept], by[schema.MayRefuse]), build)
	}
	blanks := func(g *plan.Gen, _ spaced) *message.Message {
		m := at.with(g, jsontree.NewString(g.Word()+" a  b "+g.Word()))
		m.Framing = message.SplitChunks
		return m
	}
	small := []spaced{{split: bufferEnd{0, "é", 0}}, {split: bufferEnd{0, "植", 0}}, {split: bufferEnd{0, "🌱", 0}}}
	return slices.Concat(
		sorted(s, wholeBody, "split-character", cut, character),
		sorted(s, wholeBody, "split-escape", escaped, escape),
		may("large-split-character", large, character),
		may("chunks-of-a-byte", []spaced{{}}, blanks),
		may("chunks-split-character", small, chunks),
		may("long-chunks-split-character", spread(cut, 6), chunks))
}

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
func exactly(g *plan.Gen, sp spaced) *message.Message {
	m := g.Baseline()
	return sp.with(m, sp.size-len(m.Body()))
}

// splitToken cuts a token in its middle.
func splitToken(g *plan.Gen, sp spaced) *message.Message {
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
func splitText(g *plan.Gen, at *place, sp spaced, v *jsontree.Value) *message.Message {
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

var pauses = plan.Mutator{
	Name: "pauses",
	Doc:  "Stops for a moment inside a request: in a field name, between CR and LF, in an escape, in a chunk, because it means nothing where a stream pauses, and a server has to wait for the rest. With --effort deep one pause takes seconds.",
	Classes: func(s *plan.Space) []plan.Class {
		limits := exchange.DefaultLimits()
		slow := func(rest message.Rest, waits time.Duration, family plan.Family, change func(m *message.Message)) plan.Class {
			c := single(of(family, transport, "rest-"+rest.String()), 1, changed(func(m *message.Message, _ int) {
				m.Rest = rest
				change(m)
			}))
			c.Waits = waits
			return c
		}
		usual := func(*message.Message) {}
		out := []plan.Class{
			slow(message.RestInName, limits.Rest, plan.FamilyValid, usual),
			slow(message.RestInLineEnd, limits.Rest, plan.FamilyValid, usual),
			slow(message.RestInHeadEnd, limits.Rest, plan.FamilyValid, usual),
		}
		if s.Long {
			out = append(out, slow(message.RestLong, 2*limits.LongRest, plan.FamilyValid, usual))
		}
		if !s.Op.HasJSON() {
			return out
		}
		return append(out,
			slow(message.RestInEscape, limits.Rest, plan.FamilyValid, func(m *message.Message) {
				plain := m.Tree.Clone()
				m.Tree.Walk(func(_ string, v *jsontree.Value) {
					if v.Kind == jsontree.String {
						v.Raw = jsontree.Quote(v.Text, jsontree.All)
					}
				})
				if r := m.Reading(); r != nil && r.Kind == schema.MayRefuse {
					m.Tree = plain // escapes in a time may be refused
				}
			}),
			slow(message.RestInChunk, 3*limits.Rest, plan.FamilyMayRefuse, func(m *message.Message) { m.Framing = message.Chunked }),
			slow(message.RestTwice, 2*limits.Rest, plan.FamilyValid, usual))
	},
}

// pieced are the texts of bodies that come in pieces; "" is the baseline body.
var pieced = []string{"", "", "植物§", "a  b§"}

var tcpSegments = plan.Mutator{
	Name: "tcp-segments",
	Doc:  "Delivers a baseline request in pieces, cut inside the head, inside a character or between blanks, because it has no meaning where a stream is cut (RFC 9112, 6.3; RFC 9293, 3.8).",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		body := listed(unstated(of(plan.FamilyValid, wholeBody, "in-pieces")), pieced, func(g *plan.Gen, text string) *message.Message {
			m := g.Baseline()
			if p := freeText(s); p != nil && text != "" {
				wide := p.with(g, jsontree.NewString(fill(g, text)))
				if wide.Reading().Kind == schema.MustAccept {
					m = wide
				}
			}
			m.Framing = message.Pieces
			return m
		})
		cut := func(kind string, framing message.Framing) []plan.Class {
			return listed(unstated(of(plan.FamilyValid, wholeBody, kind)), make([]int, 2), changed(func(m *message.Message, _ int) {
				m.Framing = framing
			}))
		}
		many := cut("many-pieces", message.ManyPieces)
		for i := range many {
			many[i].Waits = message.MaxPieces * exchange.DefaultLimits().Pause
		}
		return append(append(body, cut("head-in-pieces", message.HeadPieces)...), many...)
	},
}
