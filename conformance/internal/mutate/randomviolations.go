package mutate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// defect is one thing wrong with a body: a member left out, or another value.
type defect struct {
	at    *place
	value *jsontree.Value // nil: left out
}

const maxDefects = 4

// defects draws a few at once; the first is always there.
func defects(list []*place) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		out := make([]defect, 1+p.Rng.Intn(min(maxDefects, len(list))))
		for i := range out {
			out[i] = defect{at: list[p.Rng.Intn(len(list))]}
			if p.Rng.Intn(4) > 0 {
				out[i].value = junk(p)
			}
		}
		return gopter.NewGenResult(out, gopter.NoShrinker)
	}
}

// junk draws a value of any type.
func junk(p *gopter.GenParameters) *jsontree.Value {
	list := []*jsontree.Value{jsontree.NewNull(), jsontree.NewBool(true), jsontree.NewBool(false), jsontree.NewNumber("0"),
		jsontree.NewNumber("-1"), jsontree.NewNumber("1.5"), jsontree.NewNumber("1e30"), jsontree.NewString(""), jsontree.NewString("1"),
		jsontree.NewString("null"), jsontree.NewArray(), jsontree.NewArray(jsontree.NewNull()), jsontree.NewObject(),
		jsontree.NewObject(jsontree.M("x", jsontree.NewNumber("1")))}
	return list[p.Rng.Intn(len(list))]
}

const severalTries = 8

var randomViolations = plan.Mutator{
	Name: "random-violations",
	Doc:  "Sends bodies with several random violations at once, because a fixed list misses what only a combination shows.",
	Classes: func(s *plan.Space) []plan.Class {
		list := inJSON(s, required(s))
		if len(list) == 0 {
			return nil
		}
		return []plan.Class{single(of(plan.FamilyInvalid, wholeBody, "random"), cmp.Or(s.Draws/2, 1),
			func(g *plan.Gen, _ int) *message.Message {
				m := g.Baseline()
				for range severalTries {
					drawn, _ := defects(list)(g.Params()).Retrieve()
					tried := m.Clone()
					apply(tried.Tree, drawn.([]defect))
					if tried.Reading().Kind == schema.Invalid {
						return tried
					}
				}
				return certain(m)
			})}
	},
}

// certain returns a body that is invalid as a whole: an empty object if members are required,
// else a value of another type.
func certain(m *message.Message) *message.Message {
	for _, tree := range []*jsontree.Value{jsontree.NewObject(), jsontree.NewArray(), jsontree.NewNull(), jsontree.NewString("")} {
		if m.Tree = tree; m.Reading().Kind == schema.Invalid {
			break
		}
	}
	return m
}

func apply(tree *jsontree.Value, list []defect) {
	for _, d := range list {
		up := tree.At(d.at.up.at)
		switch {
		case up == nil || up.Kind != jsontree.Object:
		case d.value == nil:
			up.Remove(d.at.name)
		default:
			up.Set(d.at.name, d.value)
		}
	}
}

// flaw is a defect of one member.
type flaw struct {
	place *place
	make  func(g *plan.Gen, p *place, m *message.Message)
}

func flaws(s *plan.Space) []flaw {
	var out []flaw
	for _, p := range inJSON(s, tried(s)) {
		if p.up == nil || p.up.up != nil || !p.member {
			continue
		}
		if p.needed {
			out = append(out, flaw{p, func(_ *plan.Gen, p *place, m *message.Message) { m.Tree.Remove(p.name) }})
		}
		for _, v := range []*jsontree.Value{jsontree.NewNull(), jsontree.NewBool(true), jsontree.NewNumber("5"), jsontree.NewNumber("1.5"), jsontree.NewString("5")} {
			out = append(out, flaw{p, func(_ *plan.Gen, p *place, m *message.Message) { m.Tree.Set(p.name, v) }})
		}
	}
	return out
}

var invalidInContext = plan.Mutator{
	Name: "invalid-in-context",
	Doc:  "Combines a missing or mistyped member with something unusual but valid, because a check can look at the usual form of a body only.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
			return nil
		}
		var out []plan.Class
		out = append(out, besideWide(s)...)
		for _, c := range harmlessChanges {
			out = append(out, invalid(s, wholeBody, "flaw-beside-"+c.name, flaws(s), func(g *plan.Gen, f flaw) *message.Message {
				m := g.Baseline()
				c.add(s, g, m)
				f.make(g, f.place, m)
				return m
			})...)
		}
		return out
	},
}

// besideWide sends what is out of range, and what is no JSON, beside text that has fewer
// characters than bytes.
func besideWide(s *plan.Space) []plan.Class {
	wide := func(g *plan.Gen) *message.Message {
		m := g.Baseline()
		widen(s, g, m)
		return m
	}
	var beyond []flaw
	for _, p := range inJSON(s, tried(s)) {
		if p.up == nil || p.up.up != nil || !p.member || !p.number() {
			continue
		}
		for _, text := range []string{"9223372036854775808", "-9223372036854775809", "1e400"} {
			beyond = append(beyond, flaw{p, func(_ *plan.Gen, p *place, m *message.Message) { m.Tree.Set(p.name, jsontree.NewNumber(text)) }})
		}
	}
	out := invalid(s, wholeBody, "range-beside-wide-text", beyond, func(g *plan.Gen, f flaw) *message.Message {
		m := wide(g)
		f.make(g, f.place, m)
		return m
	})
	if plan.Probe(s.Op).Baseline().Tree.Kind != jsontree.Object {
		return out
	}
	return append(out, listed(of(plan.FamilyNotJSON, wholeBody, "broken-beside-wide-text"), []string{"nil", "tru", "NaN", "{", "'x'", "01"}, func(g *plan.Gen, text string) *message.Message {
		m := wide(g)
		m.Raw = insideObject(m, `"`+stray+`":`+text)
		return m
	})...)
}

// harmlessChange is something harmless next to a defect. A check that looks only at
// ordinary bodies misses the defect there.
type harmlessChange struct {
	name string
	add  func(s *plan.Space, g *plan.Gen, m *message.Message)
}

var harmlessChanges = []harmlessChange{
	{"optional", func(s *plan.Space, g *plan.Gen, m *message.Message) {
		for _, p := range leftOut(s, m) {
			m.Tree.Set(p.Name, g.BaselineValue(p.Schema))
		}
	}},
	{"reversed", func(_ *plan.Space, _ *plan.Gen, m *message.Message) { slices.Reverse(m.Tree.Members) }},
	{"optional-first", func(s *plan.Space, g *plan.Gen, m *message.Message) {
		for _, p := range leftOut(s, m) {
			m.Tree.Members = slices.Insert(m.Tree.Members, 0, jsontree.M(p.Name, g.BaselineValue(p.Schema)))
		}
	}},
	{"indented", func(_ *plan.Space, _ *plan.Gen, m *message.Message) {
		m.Style = jsontree.Style{Indent: "  ", Colon: ": ", After: "\n"}
	}},
	{"spread-out", func(_ *plan.Space, _ *plan.Gen, m *message.Message) {
		m.Style = jsontree.Style{Indent: strings.Repeat(" ", 100), After: "\n"}
	}},
	{"language-object", func(_ *plan.Space, g *plan.Gen, m *message.Message) {
		m.Tree.Set([]string{"__proto__", "constructor"}[g.Rand.Intn(2)], jsontree.NewObject())
	}},
	{"unknown", func(_ *plan.Space, g *plan.Gen, m *message.Message) {
		for range []int{1, 5}[g.Rand.Intn(2)] {
			m.Tree.Set(g.Word(), jsontree.NewBool(true))
		}
	}},
	{"wide-text", widen},
	{"small-number", func(s *plan.Space, g *plan.Gen, m *message.Message) {
		for _, p := range s.Op.Body.Shape.Schema.Properties {
			small := jsontree.NewNumber(strconv.Itoa(1 + g.Rand.Intn(9))) // stores often begin with such ids
			if p.Schema.Type() == "integer" && m.Tree.Get(p.Name) != nil && s.Op.Body.Shape.Matches(p.Schema, small) {
				m.Tree.Set(p.Name, small)
			}
		}
	}},
}

// widen puts text that has fewer characters than bytes into every member that is a text:
// the message of an error may quote it. Optional members get one too.
func widen(s *plan.Space, g *plan.Gen, m *message.Message) {
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Schema.Type() == "string" && !p.Schema.ReadOnly {
			m.Tree.Set(p.Name, jsontree.NewString("植物é"+g.Word()))
		}
	}
}

// wideIfValid is a message with such text, where its schema allows that.
func wideIfValid(s *plan.Space, g *plan.Gen, m *message.Message) *message.Message {
	if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Type() != "object" {
		return m
	}
	out := m.Clone()
	widen(s, g, out)
	if len(out.Reading().Violations) > 0 {
		return m
	}
	return out
}

// leftOut lists the optional members that a message does not have.
func leftOut(s *plan.Space, m *message.Message) []*schema.Property {
	return slices.DeleteFunc(s.Op.Body.Shape.Schema.Optional(), func(p *schema.Property) bool { return m.Tree.Get(p.Name) != nil })
}

// spoilers make a baseline message into one that must be refused.
func spoilers(s *plan.Space) []func(m *message.Message) {
	var out []func(m *message.Message)
	sc := s.Op.Body.Shape.Schema
	for _, p := range sc.Properties {
		if p.Required && !p.Schema.ReadOnly {
			out = append(out, func(m *message.Message) { m.Tree.Remove(p.Name) }, func(m *message.Message) { m.Tree.Set(p.Name, jsontree.NewBool(true)) })
		}
	}
	out = append(out, func(m *message.Message) {
		b := m.Body()
		m.Raw = append([]byte{}, b[:max(len(b)-1, 0)]...)
	})
	if plan.Probe(s.Op).Baseline().Tree.Kind != jsontree.Object {
		return nil
	}
	return refusing(s, out)
}

// refusing keeps the changes that make a baseline message into one that must be refused.
func refusing(s *plan.Space, list []func(m *message.Message)) []func(m *message.Message) {
	return slices.DeleteFunc(list, func(change func(m *message.Message)) bool {
		m := plan.Probe(s.Op).Baseline()
		change(m)
		return m.Reading().Kind < schema.Invalid
	})
}

// corrupted is a baseline message with the flaw of a draw; the draws take turns.
func corrupted(g *plan.Gen, corruptions []func(m *message.Message), draw int) *message.Message {
	m := g.Baseline()
	corruptions[draw%len(corruptions)](m)
	return m
}

func broken(b []byte) bool {
	_, err := jsontree.Parse(b)
	return err != nil
}

// ones writes every digit of a token as 1. The request has another number than the probe:
// in an array, 1,05 is no JSON because of its zero, and 1,15 is two items.
func ones(b []byte, t jsontree.Token) []byte {
	out := slices.Clone(b)
	for i := t.Start; i < t.End; i++ {
		if out[i] >= '0' && out[i] <= '9' {
			out[i] = '1'
		}
	}
	return out
}
