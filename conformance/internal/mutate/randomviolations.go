package mutate

import (
	"cmp"

	"github.com/leanovate/gopter"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// defect is one thing wrong with a body: a member left out, or another value.
type defect struct {
	at    *place
	value *jsontree.Value // nil: left out
}

const mostDefects = 4

// defects draws a few at once; the first is always there.
func defects(list []*place) gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		out := make([]defect, 1+p.Rng.Intn(min(mostDefects, len(list))))
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
		return []plan.Class{single(of(plan.FamilyInvalid, wholeBody, "random", plan.ExpectInvalid), cmp.Or(s.Draws/2, 1),
			func(g *generate.Gen, _ int) *message.Message {
				m := g.Baseline()
				for range severalTries {
					drawn, _ := defects(list)(g.Params()).Retrieve()
					tried := m.Clone()
					apply(tried.Tree, drawn.([]defect))
					if tried.Reading().Kind == openapi.Invalid {
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
		if m.Tree = tree; m.Reading().Kind == openapi.Invalid {
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
