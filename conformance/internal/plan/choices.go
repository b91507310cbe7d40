package plan

import (
	"fmt"
	"math/rand"
	"regexp/syntax"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Choices says, for operations that refuse the first value of their enums, which value their
// bodies get. An open ticket cannot be opened, for example, and no schema tells its state.
type Choices struct{ of map[*openapi.Operation]int }

// Set says which value an operation gets, counted from 0.
func (c *Choices) Set(op *openapi.Operation, n int) {
	if c.of == nil {
		c.of = map[*openapi.Operation]int{}
	}
	c.of[op] = n
}

// Of returns which value an operation gets.
func (c *Choices) Of(op *openapi.Operation) int {
	if c == nil {
		return 0
	}
	return c.of[op]
}

// CountChoices returns the size of the largest enum among the required members of a body, or 0 if
// there is none.
func CountChoices(op *openapi.Operation) int {
	if op.Body == nil {
		return 0
	}
	return countChoices(op.Body.Shape.Schema, baselineDepth)
}

func countChoices(s *schema.Schema, depth int) int {
	if s == nil || depth == 0 {
		return 0
	}
	maximum := len(s.Enum)
	for _, p := range s.Properties {
		if p.Required {
			maximum = max(maximum, countChoices(p.Schema, depth-1))
		}
	}
	return maximum
}

// choice returns the value of an enum that a baseline request has.
func (g *Gen) choice(s *schema.Schema) *jsontree.Value {
	list := notDefault(s)
	if g.Op.Body == nil || g.shape != g.Op.Body.Shape {
		return list[0]
	}
	return list[g.id.Choices.Of(g.Op)%len(list)]
}

// ChooseFirst makes later requests use the first values of enums, as plans do. It reports whether they
// used others before.
func (g *Gen) ChooseFirst() bool {
	others := g.id.Choices.Of(g.Op) > 0
	g.id.Choices = nil
	return others
}

// notDefault returns the values of an enum that are not the default, if there are any: a member
// that has its default cannot be told from one that was lost.
func notDefault(s *schema.Schema) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range s.Enum {
		if s.Default == nil || !jsontree.Equal(v, s.Default) {
			out = append(out, v)
		}
	}
	if out == nil {
		return s.Enum
	}
	return out
}

// Complete adds to an object the members that its members require through the
// conditions of the schema: dependentRequired, dependentSchemas, and if with then
// or else.
func (g *Gen) Complete(s *schema.Schema, v *jsontree.Value) { g.complete(s, v, 0) }

// Accompany adds to an object the members that one of its members requires through
// dependentRequired and dependentSchemas, and those that these require. It changes no
// member that is there.
func (g *Gen) Accompany(s *schema.Schema, v *jsontree.Value, name string) {
	before := len(v.Members)
	for _, d := range s.Dependent {
		for _, need := range d.Needs {
			if d.Name == name && v.Get(need) == nil {
				g.add(s, v, need, 0)
			}
		}
	}
	for _, d := range s.Depending {
		if d.Name == name {
			g.meet(s, &schema.Schema{Properties: slices.DeleteFunc(slices.Clone(d.Schema.Properties), func(p *schema.Property) bool {
				return v.Get(p.Name) != nil
			})}, v, 0)
		}
	}
	for _, m := range v.Members[before:] {
		g.Accompany(s, v, m.Name)
	}
}

// add adds a member to an object, with the schema that the object has for it.
func (g *Gen) add(s *schema.Schema, v *jsontree.Value, name string, depth int) {
	var of *schema.Schema
	if p := s.Property(name); p != nil {
		of = p.Schema
	}
	v.Set(name, g.baseline(of, depth+1))
}

func (g *Gen) complete(s *schema.Schema, v *jsontree.Value, depth int) {
	for _, d := range s.Dependent {
		for _, name := range d.Needs {
			if v.Get(d.Name) != nil && v.Get(name) == nil && g.spend(len(name)+4) {
				g.add(s, v, name, depth)
			}
		}
	}
	for _, d := range s.Depending {
		if v.Get(d.Name) != nil {
			g.meet(s, d.Schema, v, depth)
		}
	}
	for _, c := range s.Conditions {
		if branch := g.Branch(c, v); branch != nil {
			g.meet(s, branch, v, depth)
		}
	}
}

// Branch returns the schema that applies to a value through a condition: then or else,
// or nil if there is none.
func (g *Gen) Branch(c schema.Condition, v *jsontree.Value) *schema.Schema {
	if g.judge() == nil {
		return nil
	}
	return g.judge().Branch(c, v)
}

// meet adds to an object the members that another schema requires, replaces the
// values that it does not allow, and leaves out the members for which it allows none.
func (g *Gen) meet(s, part *schema.Schema, v *jsontree.Value, depth int) {
	for _, p := range part.Properties {
		old := v.Get(p.Name)
		if p.Schema.Never {
			v.Remove(p.Name)
			continue
		}
		if old == nil && !p.Required || old != nil && (silent(p) || g.judge().Matches(p.Schema, old)) {
			continue
		}
		of := p.Schema
		if own := s.Property(p.Name); own != nil && (silent(p) || old == nil) {
			value := g.baseline(own.Schema, depth+1)
			if silent(p) || g.judge().Matches(p.Schema, value) {
				v.Set(p.Name, value)
				continue
			}
			if value = g.baseline(own.Schema.Within(of), depth+1); g.judge().Matches(of, value) {
				v.Set(p.Name, value)
				continue
			}
		}
		v.Set(p.Name, g.baseline(of, depth+1))
	}
	for _, c := range part.Conditions {
		if branch := g.Branch(c, v); branch != nil {
			g.meet(s, branch, v, depth)
		}
	}
}

// silent reports whether a member is required without a schema.
func silent(p *schema.Property) bool { return p != nil && p.Schema.Pointer == "" }

const (
	matchTries   = 40
	freeTries    = 10 // before a length is aimed at
	fewRepeats   = 10 // of the tries
	usualRepeats = 12
	manyNested   = 5 // repetitions inside each other
	expandDepth  = 50
)

// nested returns how deeply repetitions are nested.
func nested(re *syntax.Regexp) int {
	maximum := 0
	for _, sub := range re.Sub {
		maximum = max(maximum, nested(sub))
	}
	if re.Op == syntax.OpStar || re.Op == syntax.OpPlus {
		maximum++
	}
	return maximum
}

// expansion is the text of an expression while it is written. It assumes that
// anchors match.
type expansion struct {
	strings.Builder
	rand    *rand.Rand
	repeats int     // upper limit if the expression sets none
	exact   int     // repetitions of what has no limit; 0 leaves them to chance
	count   *uint64 // if not nil, it chooses the characters of classes: two counts, two texts
	room    int     // the length to reach, where the expression allows it
	enough  int     // the length from which nothing is repeated more often than it must be; 0 for none
	turns   int     // of repetitions
	over    bool    // longer than maxText, or as many turns
}

func (e *expansion) expand(re *syntax.Regexp, depth int) {
	e.over = e.over || e.Len() > maxText || e.turns > maxText
	if depth > expandDepth || e.over {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		e.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		e.WriteRune(e.pick(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		e.WriteByte(byte('a' + e.rand.Intn(26)))
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			e.expand(sub, depth+1)
		}
	case syntax.OpAlternate:
		e.expand(re.Sub[e.rand.Intn(len(re.Sub))], depth+1)
	case syntax.OpQuest:
		n := e.rand.Intn(2)
		if (e.Len() < e.room || e.count != nil) && varies(re.Sub[0], depth) { // of [a-z]{1,7} after Simplify, say
			n = 1
		}
		e.repeat(re.Sub[0], 0, n, depth)
	case syntax.OpStar:
		e.repeat(re.Sub[0], 0, e.times(0, e.repeats), depth)
	case syntax.OpPlus:
		e.repeat(re.Sub[0], 1, e.times(1, e.repeats), depth)
	case syntax.OpRepeat:
		high := re.Max
		if high < 0 {
			e.repeat(re.Sub[0], re.Min, e.times(re.Min, min(8, e.repeats)+1), depth)
			return
		}
		low := max(re.Min, min(high, e.room))
		if e.room > 0 {
			high = max(low, min(high, usualRepeats))
		}
		e.repeat(re.Sub[0], re.Min, low+e.rand.Intn(high-low+1), depth)
	}
}

// times returns the number of repetitions of something without a limit. If it is left to
// chance, it is below least+more.
func (e *expansion) times(minimum, more int) int {
	if e.exact > 0 {
		return max(minimum, e.exact)
	}
	return max(minimum, e.room) + e.rand.Intn(more)
}

// repeat expands an expression n times, or less often, but at least so often as it must
// be, if the text is long enough.
func (e *expansion) repeat(re *syntax.Regexp, minimum, n, depth int) {
	for k := range n {
		if e.enough > 0 && k >= minimum && e.Len() >= e.enough {
			return
		}
		if e.turns++; e.over {
			return
		}
		e.expand(re, depth+1)
	}
}

// pick returns a character of a class: an ASCII letter or digit if the class has
// one.
func (e *expansion) pick(ranges []rune) rune {
	if n := usualValue(ranges); n > 0 {
		if e.count == nil {
			return usualAt(ranges, e.rand.Intn(n))
		}
		i := *e.count % uint64(n)
		*e.count /= uint64(n)
		return usualAt(ranges, int(i))
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}

// usual counts the ASCII letters and digits of a class.
func usualValue(ranges []rune) int {
	n := 0
	for i := 0; i+1 < len(ranges); i += 2 {
		for _, block := range blocks() {
			n += max(0, int(min(ranges[i+1], block.last)-max(ranges[i], block.first))+1)
		}
	}
	return n
}

// usualAt returns one of the ASCII letters and digits of a class by its index.
func usualAt(ranges []rune, at int) rune {
	for i := 0; i+1 < len(ranges); i += 2 {
		for _, block := range blocks() {
			first := max(ranges[i], block.first)
			n := max(0, int(min(ranges[i+1], block.last)-first)+1)
			if at < n {
				return first + rune(at)
			}
			at -= n
		}
	}
	panic("index out of range")
}

type block struct{ first, last rune }

// blocks are the digits and letters of ASCII in the order of their code points.
func blocks() [3]block { return [3]block{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}} }

// overlaid returns texts that may keep several keywords at once: a text of one pattern is laid over the
// start or the end of a text of another pattern, or of the format.
func (g *Gen) overlaid(s *schema.Schema) (out []*jsontree.Value) {
	texts := g.brief(s)
	if t := g.ofFormat(s.Format, g.number(), g.Word(), g.days(s)); t != "" {
		texts = append(texts, t)
	}
	patterns := s.Patterned
	if patterns == nil && s.Pattern != "" {
		patterns = []string{s.Pattern}
	}
	for _, one := range patterns {
		if t, ok := g.matching(one, s.MinLength, s.MaxLength); ok {
			texts = append(texts, t)
		}
		if t, ok := g.matching(one, nil, nil); ok {
			texts = append(texts, t)
		}
	}
	for _, a := range texts {
		out = append(out, jsontree.NewString(a))
		for _, b := range texts {
			if len(b) <= len(a) {
				out = append(out, jsontree.NewString(b+a[len(b):]), jsontree.NewString(a[:len(a)-len(b)]+b))
			}
		}
	}
	return out
}

// brief are short texts of a format, for a schema that takes no longer ones.
func (g *Gen) brief(s *schema.Schema) (out []string) {
	w := g.Word()
	for _, form := range map[string][]string{
		"hostname": {"%s.de", "%s"}, "idn-hostname": {"%s.de", "%s"}, "ipv6": {"::%x"},
		"uri": {"http://%s.de/", "http://%s"}, "iri": {"http://%s.de/", "http://%s"},
		"email": {"%s@example.com", "%s@a.de"}, "idn-email": {"%s@example.com", "%s@a.de"},
	}[s.Format] {
		for n := len(w); n > 0; n-- {
			out = append(out, fmt.Sprintf(form, w[:n]))
		}
	}
	return out
}
