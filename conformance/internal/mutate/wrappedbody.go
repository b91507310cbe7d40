package mutate

import (
	"cmp"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// wrapping puts a whole body into something else.
type wrapping func(s *plan.Space, body *jsontree.Value) *jsontree.Value

type wrapGroup struct {
	kind string
	list []wrapping
}

func enveloped(name string) wrapping {
	return func(_ *plan.Space, body *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(name, body))
	}
}

var wraps = []wrapGroup{
	{"in-array", []wrapping{
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value { return jsontree.NewArray(b) },
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value { return jsontree.NewArray(b, b.Clone()) },
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewArray(jsontree.NewArray(b))
		},
	}},
	{"in-envelope", []wrapping{
		enveloped("data"), enveloped("body"), enveloped("payload"), enveloped("item"), enveloped("value"), enveloped("object"),
		enveloped("request"), enveloped("params"), enveloped("0"), enveloped(""), enveloped("input"), enveloped("attributes"),
		named(func(s *plan.Space) string { return strings.ToLower(s.Op.Body.Shape.Schema.Name) }),
		enveloped("entity"), enveloped("resource"), enveloped("model"), enveloped("json"), enveloped("record"), enveloped("__proto__"),
		named(func(s *plan.Space) string { return lowerFirst(s.Op.Body.Shape.Schema.Name) }), named(func(s *plan.Space) string { return snake(s.Op.Body.Shape.Schema.Name) }),
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewObject(jsontree.M("jsonrpc", jsontree.NewString("2.0")), jsontree.M("method", jsontree.NewString("create")),
				jsontree.M("params", jsontree.NewArray(b)), jsontree.M("id", jsontree.NewInt(1)))
		},
		named(lastSegment), named(resource),
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewObject(jsontree.M("data", jsontree.NewObject(jsontree.M("type", jsontree.NewString("item")), jsontree.M("attributes", b))))
		},
		func(s *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewObject(jsontree.M(cmp.Or(s.Op.Body.Shape.Schema.Name, "root"), b))
		},
	}},
	{"in-string", []wrapping{
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value { return jsontree.NewString(b.String()) },
		func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
			return jsontree.NewString(jsontree.NewString(b.String()).String())
		},
	}},
	{"as-list", []wrapping{members(false), members(true), inOrder(1), inOrder(2), inOrder(3), inOrder(4), inOrder(5), inOrder(0)}},
}

// named is an envelope whose name comes from the document.
func named(of func(s *plan.Space) string) wrapping {
	return func(s *plan.Space, b *jsontree.Value) *jsontree.Value {
		return jsontree.NewObject(jsontree.M(cmp.Or(of(s), "root"), b))
	}
}

// inOrder lists the values of an object in another order, as readers that take
// members by position expect them: n chooses among the first permutations.
func inOrder(n int) wrapping {
	return func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
		left := append([]jsontree.Member(nil), b.Members...)
		out := jsontree.NewArray()
		for rest := n + 1; len(left) > 0; rest /= 2 {
			i := rest % len(left)
			out.Items = append(out.Items, left[i].Value)
			left = append(left[:i], left[i+1:]...)
		}
		return out
	}
}

// members lists the values of an object, or its names and values in pairs.
func members(pairs bool) wrapping {
	return func(_ *plan.Space, b *jsontree.Value) *jsontree.Value {
		out := jsontree.NewArray()
		for _, m := range b.Members {
			if pairs {
				out.Items = append(out.Items, jsontree.NewArray(jsontree.NewString(m.Name), m.Value))
			} else {
				out.Items = append(out.Items, m.Value)
			}
		}
		return out
	}
}

const wrapEach = 2

var wrappedBody = plan.Mutator{
	Name: "wrapped-body",
	Doc:  "Puts the whole valid body into an array, an envelope or a string, because lenient frameworks unwrap it.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, group := range wraps {
			var list []wrapping
			for range wrapEach {
				list = append(list, group.list...)
			}
			out = append(out, invalid(s, wholeBody, group.kind, list, func(g *generate.Gen, wrap wrapping) *message.Message {
				m := g.Baseline()
				m.Tree = wrap(s, m.Tree)
				return m
			})...)
		}
		// Readers by position want every member, the optional ones too.
		for _, absent := range []bool{false, true} {
			kind := map[bool]string{false: "as-full-list", true: "as-list-with-null"}[absent]
			out = append(out, invalid(s, wholeBody, kind, []int{0, 1, 2, 3, 4, 5, 6, 7}, func(g *generate.Gen, n int) *message.Message {
				m := full(s, g)
				for i, member := range m.Tree.Members {
					if p := s.Op.Body.Shape.Schema.Property(member.Name); absent && p != nil && !p.Required {
						m.Tree.Members[i].Value = jsontree.NewNull()
					}
				}
				m.Tree = inOrder(n)(s, m.Tree)
				return m
			})...)
		}
		return out
	},
}
