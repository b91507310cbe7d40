package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
)

// another is one value of another type, made around a value that would be right.
type another func(g *generate.Gen, right *jsontree.Value) *jsontree.Value

func always(v *jsontree.Value) another {
	return func(*generate.Gen, *jsontree.Value) *jsontree.Value { return v.Clone() }
}

func number(text string) another { return always(jsontree.NewNumber(text)) }

func text(s string) another { return always(jsontree.NewString(s)) }

// around puts the right value into a container, the given number of times.
func around(times int) another {
	return func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
		v := jsontree.NewArray()
		for range times {
			v.Items = append(v.Items, right.Clone())
		}
		return v
	}
}

func under(name string) another {
	return func(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(name, right))
	}
}

// inText puts the right value into an object as extended JSON does, as a string.
func inText(name string) another {
	return func(g *generate.Gen, right *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(name, asText(g, right)))
	}
}

// asText spells the right value as a string.
func asText(_ *generate.Gen, right *jsontree.Value) *jsontree.Value {
	if right.Kind == jsontree.String {
		return jsontree.NewString(right.Text)
	}
	return jsontree.NewString(right.String())
}

func freshWord(g *generate.Gen, _ *jsontree.Value) *jsontree.Value {
	return jsontree.NewString(g.Word())
}

// unfit are values of every type: some of them fit no schema that says anything.
var unfit = []another{always(jsontree.NewNull()), always(jsontree.NewBool(true)), number("0"), number("-1"), number("1.5"),
	text(""), text("x"), asText, always(jsontree.NewArray()), around(1), always(jsontree.NewObject()), under("value")}
