package generate

import (
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// Fullest is Rich with values that stores change more easily: texts with capital letters and
// letters of other scripts, integers that no double holds, true, and two members more in an
// object that takes any. A member that may not have such a value has that of Rich.
func (g *Gen) Fullest(op *openapi.Operation) *message.Message {
	of := *g
	of.far = true
	m := of.Rich(op)
	g.next = of.next
	return m
}

// moreMembers adds two members that the schema does not name, if it gives them a schema.
func (g *Gen) moreMembers(s *openapi.Schema, v *jsontree.Value, depth int) {
	if s.Extra == nil && len(s.Patterns) == 0 {
		return
	}
	for range 2 {
		name, schema, ok := g.FurtherName(s)
		if !ok || schema == nil || schema.Never || v.Get(name) != nil || s.MaxProps != nil && len(v.Members) >= *s.MaxProps || !g.spend(len(name)+4) {
			return
		}
		v.Members = append(v.Members, jsontree.M(name, g.rich(schema, depth+1)))
	}
}

// firstInexact is the smallest integer that no double holds.
const firstInexact = 1<<53 + 1

// exact returns an odd integer above 2^53, if the schema allows one.
func (g *Gen) exact(s *openapi.Schema) *jsontree.Value {
	v := jsontree.NewNumber(strconv.FormatInt(firstInexact+2*(g.number()%1_000_000), 10))
	if s.Format != "int64" || !g.judge().Matches(s, v) {
		return jsontree.NewNumber(g.BaselineNumber(s))
	}
	return v
}

// written returns a text of several words in capital and small letters of several scripts,
// as long as the schema allows.
func (g *Gen) written(s *openapi.Schema) string {
	plain := g.BaselineText(s)
	text := []rune(plain + " & Zoë's Café " + strings.ToUpper(g.Word()) + " 植物 🌱")
	if s.MaxLength != nil && len(text) > *s.MaxLength {
		text = text[:max(len([]rune(plain)), *s.MaxLength)]
	}
	return strings.TrimSpace(string(text))
}
