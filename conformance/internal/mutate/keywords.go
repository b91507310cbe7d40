package mutate

import (
	"cmp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/pattern"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

var keywordViolations = plan.Mutator{
	Name: "keyword-violations",
	Doc:  "Sends values that each keyword of the schema just refuses, such as similar words, numbers past a bound and texts of a wrong length, because comparisons are often off by one.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			with := func(kind string, list []*jsontree.Value) []plan.Class {
				return invalid(s, p.where(), kind, list, func(g *plan.Gen, v *jsontree.Value) *message.Message {
					return p.with(g, v.Clone())
				})
			}
			return sharp(
				with("stranger", lookalikes(p.schema.Enum)),
				with("other-case", casings(append(slices.Clip(p.schema.Enum), p.schema.Const))),
				with("beside-enum", beside(p.schema.Enum)),
				with("beside-const", besideOne(p.schema.Const)),
				with("beyond-bound", outerBounds(p.schema)),
				with("not-multiple", offMultiple(p.schema)),
				p.outerLengths(s), p.blank(s), p.spoiltEnds(s), p.corrupted(s), p.outsidePattern(s))
		})
	},
}

// sized is a text of n characters, padded with one.
type sized struct {
	n   int
	pad string
}

// outerLengths are texts just shorter or longer than allowed: in characters,
// not in bytes or in UTF-16 units.
func (p *place) outerLengths(s *plan.Space) []plan.Class {
	if p.schema.MinLength == nil && p.schema.MaxLength == nil || p.schema.Enum != nil {
		return nil
	}
	var short, long []sized
	for _, pad := range []string{"e", "é", "植", "🌱"} {
		if n := p.schema.MinLength; n != nil && *n > 0 {
			short = append(short, sized{*n - 1, pad}, sized{0, pad}, sized{*n / 2, pad})
		}
		if n := p.schema.MaxLength; n != nil && *n < longest {
			long = append(long, sized{*n + 1, pad}, sized{*n + 2, pad}, sized{2 * *n, pad}, sized{*n + 1000, pad})
		}
	}
	build := func(g *plan.Gen, t sized) *message.Message {
		v := padded(g, t.n, t.pad)
		if p.schema.Pattern != "" {
			// Keep to the beginning of a text that the pattern takes.
			if fit := g.BaselineText(p.schema); t.n < len(fit) {
				v = fit[:t.n]
			} else {
				v = fit + strings.Repeat(lastLetter(fit), t.n-len(fit))
			}
		}
		if p.schema.Format != "" && t.pad == "e" {
			v = cmp.Or(ofFormat(p.schema, t.n), v)
		}
		return p.with(g, jsontree.NewString(v))
	}
	return append(invalid(s, p.where(), "too-short", short, build), invalid(s, p.where(), "too-long", long, build)...)
}

// corrupted are texts that nearly match a pattern or keep a format.
func (p *place) corrupted(s *plan.Space) []plan.Class {
	if p.schema.Pattern == "" && p.schema.Format == "" || p.schema.Type() != "string" || p.schema.Enum != nil {
		return nil
	}
	nearly := spoiling
	if p.schema.Pattern == "" && varied(p.schema.Format) {
		nearly = nil
	}
	if p.schema.Pattern != "" && s.Max == 0 { // otherwise spoiltEnds has these
		nearly = append(slices.Clone(nearly), tooLong(p.schema.Pattern), tooShort(p.schema.Pattern))
	}
	out := invalid(s, p.where(), "nearly", nearly, func(g *plan.Gen, corrupt func(string) string) *message.Message {
		m := p.with(g, jsontree.NewString(corrupt(g.BaselineText(p.schema))))
		if p.schema.Pattern == "" {
			return m
		}
		for range spoilings {
			if r := m.Reading(); r != nil && r.Kind == schema.Invalid {
				return m
			}
			p.set(m, jsontree.NewString(corrupt(g.BaselineText(p.schema))))
		}
		if m.Reading() == nil {
			return p.in(g) // it cannot be written
		}
		return m
	})
	if p.schema.Pattern != "" {
		out = unlabelled(out)
	}
	missing := func(g *plan.Gen, miss func(string) string) *message.Message {
		return p.with(g, jsontree.NewString(miss(g.BaselineText(p.schema))))
	}
	out = append(out, invalid(s, p.where(), "near-format", misses(p.schema.Format), missing)...)
	out = append(out, invalid(s, p.where(), "digit-for-hyphen", hyphenless(p.schema.Format), missing)...)
	outside := func(g *plan.Gen, text string) *message.Message { return p.with(g, jsontree.NewString(text)) }
	out = append(out, invalid(s, p.where(), "outside-format", notOfFormat(p.schema.Format), outside)...)
	if !p.schema.Source.Has("contentEncoding") {
		return out
	}
	// The keyword is an annotation: a server may take or refuse such a text, but must not crash on it.
	texts := judged(s, p.where(), notOfFormat(p.schema.Format), outside)[schema.MayRefuse]
	return append(out, listed(of(plan.FamilyMayRefuse, p.where(), "outside-encoding"), texts, outside)...)
}

// patternEnd is a way to corrupt a matching text. Where few cases are tried each has its turn: an
// anchor that is left out at one end shows only there.
type patternEnd struct {
	kind        string
	corruptions []func(string) string
}

func patternEnds() []patternEnd {
	return []patternEnd{
		{"match-and-more", []func(string) string{behind("0"), behind("x"), behind("-x"), behind("!"), behind("\u00e9")}},
		{"more-and-match", []func(string) string{before("0"), before("x"), before("x-"), before("!"), before("\u00e9")}},
		{"other-case", []func(string) string{plan.OtherCase}},
		{"match-and-line-end", []func(string) string{behind("\n")}}, // to which $ matches in some languages
		{"match-on-a-line", []func(string) string{wrap("x\n", "\nx")}},
		{"digit-and-match", []func(string) string{before("0"), before("1")}},
		{"minus-and-match", []func(string) string{before("-")}},
		{"plus-and-match", []func(string) string{before("+"), before(" ")}},
		{"other-letters", []func(string) string{func(s string) string { return strings.Map(otherLetter, s) }}},
		{"empty", []func(string) string{func(string) string { return "" }}},
		{"other-digits", []func(string) string{func(s string) string { return strings.Map(otherDigit, s) }}},
	}
}

// otherLetter puts an accent on a letter: code that checks for any letter accepts it.
func otherLetter(r rune) rune {
	const plain, accented = "ACEINOSUYZaceinosuyz", "ÁÇÉÍÑÓŠÚÝŽáçéíñóšúýž"
	if i := strings.IndexRune(plain, r); i >= 0 {
		return []rune(accented)[i]
	}
	return r
}

// tooLong repeats the last letter of a match until it is just too long for the pattern. The
// text stays as it is if the pattern sets no length.
func tooLong(text string) func(string) string {
	re, err := pattern.Compile(text)
	return func(right string) string {
		for n := 1; n <= maxLonger && err == nil; n++ {
			if longer := right + strings.Repeat(lastLetter(right), n); re.Match(longer) == pattern.No {
				return longer
			}
		}
		return right
	}
}

// tooShort cuts a match until it is just too short for the pattern. The text stays as it is
// if every beginning matches.
func tooShort(text string) func(string) string {
	re, err := pattern.Compile(text)
	return func(right string) string {
		letters := []rune(right)
		for n := len(letters) - 1; n > 0 && err == nil; n-- {
			if shorter := string(letters[:n]); re.Match(shorter) == pattern.No {
				return shorter
			}
		}
		return right
	}
}

// maxLonger is the most letters that are added.
const maxLonger = 40

// patterned reports whether a pattern says which texts a place takes.
func (p *place) patterned() bool {
	return p.schema.Pattern != "" && p.schema.Type() == "string" && p.schema.Enum == nil
}

// spoiltEnds are texts with something behind a match or before one, with a letter of the
// other case, and so on. Operations that share a schema begin with different ones.
func (p *place) spoiltEnds(s *plan.Space) []plan.Class {
	if !p.patterned() || s.Max == 0 {
		return nil // in full, every text is spoilt in every way
	}
	var out []plan.Class
	for _, e := range append(patternEnds(), patternEnd{"match-too-long", []func(string) string{tooLong(p.schema.Pattern)}},
		patternEnd{"match-too-short", []func(string) string{tooShort(p.schema.Pattern)}}) {
		turn := len(s.Op.Method) % len(e.corruptions)
		corruptions := slices.Concat(e.corruptions[turn:], e.corruptions[:turn])
		classes := unlabelled(invalid(s, p.where(), e.kind, []int{0}, func(g *plan.Gen, _ int) *message.Message {
			return p.spoiltEnd(g, corruptions)
		}))
		for i := range classes {
			if classes[i].Subject != "" {
				classes[i].Subject += " " + e.kind
			}
		}
		out = append(out, classes...)
	}
	return out
}

// spoiltEnd is a message with the first of the spoilt texts that breaks the pattern alone or,
// if none does, that breaks anything.
func (p *place) spoiltEnd(g *plan.Gen, corruptions []func(string) string) *message.Message {
	m := p.in(g)
	var second *jsontree.Value
	for range spoilings {
		right := g.BaselineText(p.schema)
		for _, corrupt := range corruptions {
			v := jsontree.NewString(corrupt(right))
			p.set(m, v)
			r := m.Reading()
			switch {
			case r == nil || r.Kind != schema.Invalid:
			case len(r.Violations) == 1 && r.Violations[0].Keyword == "pattern":
				return m
			case second == nil:
				second = v
			}
		}
	}
	if second == nil {
		return p.in(g)
	}
	p.set(m, second)
	return m
}

// marks are signs that a pattern may leave out, each by itself.
const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\t 0Aaé植\n"

// maxMarks is how many of them are tried at a place.
const maxMarks = 8

// shape has the schema of the place.
func (p *place) shape(s *plan.Space) *schema.Shape {
	if p.section {
		return s.Op.Params
	}
	return s.Op.Body.Shape
}

// outsidePattern are texts with a sign in the middle that the pattern does not take.
func (p *place) outsidePattern(s *plan.Space) []plan.Class {
	if !p.patterned() {
		return nil
	}
	shape, text := p.shape(s), plan.Probe(s.Op).BaselineText(p.schema)
	var out []string
	for _, mark := range marks {
		if shape.Mismatches(p.schema.Pattern, split(string(mark))(text)) {
			out = append(out, string(mark))
		}
	}
	return unlabelled(invalid(s, p.where(), "outside-pattern", spread(out, maxMarks), func(g *plan.Gen, mark string) *message.Message {
		return p.with(g, jsontree.NewString(split(mark)(g.BaselineText(p.schema))))
	}))
}

// Parts of long addresses (RFC 5321, 4.5.3.1; RFC 1035, 2.3.4).
const (
	maxLocal = 64
	maxLabel = 60
	maxHost  = 253
)

// ofFormat returns a text of a format with n characters, or an empty one if this suite
// cannot make it.
func ofFormat(s *schema.Schema, n int) string {
	switch s.Format {
	case "email", "idn-email":
		local := min(maxLocal, n-len("@example.com"))
		if local < 1 {
			return ""
		}
		if domain := host(n - local - 1); domain != "" {
			return strings.Repeat("a", local) + "@" + domain
		}
	case "hostname", "idn-hostname":
		return host(n)
	case "uri", "url", "iri", "uri-reference", "iri-reference":
		const begin = "https://example.com/"
		if n > len(begin) {
			return begin + strings.Repeat("a", n-len(begin))
		}
	}
	return ""
}

// host returns a host name of n characters.
func host(n int) string {
	const end = "example.com"
	if n < len(end) || n == len(end)+1 || n > maxHost {
		return ""
	}
	out := end
	for left := n - len(end); left > 0; left = n - len(out) {
		label := min(maxLabel, left-1)
		if left-1-label == 1 {
			label-- // what is left has room for a dot and a letter
		}
		out = strings.Repeat("b", label) + "." + out
	}
	return out
}
