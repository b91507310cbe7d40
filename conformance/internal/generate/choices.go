package generate

import (
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
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

func countChoices(s *openapi.Schema, depth int) int {
	if s == nil || depth == 0 {
		return 0
	}
	most := len(s.Enum)
	for _, p := range s.Properties {
		if p.Required {
			most = max(most, countChoices(p.Schema, depth-1))
		}
	}
	return most
}

// choice returns the value of an enum that a baseline request has.
func (g *Gen) choice(s *openapi.Schema) *jsontree.Value {
	list := notDefault(s)
	if g.Op.Body == nil || g.shape != g.Op.Body.Shape {
		return list[0]
	}
	return list[g.id.Choices.Of(g.Op)%len(list)]
}

// notDefault returns the values of an enum that are not the default, if there are any: a member
// that has its default cannot be told from one that was lost.
func notDefault(s *openapi.Schema) []*jsontree.Value {
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
