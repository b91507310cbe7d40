package generate

import (
	"fmt"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/pattern"
)

// BaselineText returns a fresh string that the schema allows.
func (g *Gen) BaselineText(s *openapi.Schema) string {
	if g.Op.Kind(s) != nil && g.Op.Guesses() {
		t := g.coded(s)
		g.spend(len(t))
		return t
	}
	if s.Format != "" {
		if t := g.formatted(s); t != "" {
			return t
		}
	}
	if s.Pattern != "" {
		if t, ok := g.patterned(s); ok {
			g.spend(len(t))
			return t
		}
	}
	n := 10
	if s.MinLength != nil {
		n = max(n, *s.MinLength)
	}
	if s.MaxLength != nil {
		n = min(n, *s.MaxLength)
	}
	if n > mostText {
		g.exceed(fmt.Sprintf("a text of at least %d characters", n))
		n = 1
	}
	g.spend(n)
	w := g.word(g.number(), n)
	if len(w) > n {
		w = w[:n]
	}
	return w
}

// coded returns a text of the kind of a schema. Where few are known, a message has the same one
// everywhere but in the items of a list: its amounts have one currency, its addresses one country.
func (g *Gen) coded(s *openapi.Schema) string {
	if !g.Op.Kind(s).Few() {
		return g.Op.Kind(s).Draw(g.hidden(g.number()))
	}
	if g.base == 0 {
		g.base = g.hidden(g.number())
	}
	return g.Op.Kind(s).Draw(g.base + g.turn)
}

// once returns a fresh text for a key that a server may take only once, if its pattern
// takes one: a text that a pattern made is the same when its case is sent again.
func (g *Gen) once(name string, s *openapi.Schema) (string, bool) {
	if s == nil || s.Pattern == "" || s.Format != "" || s.Enum != nil || s.Const != nil || !openapi.Once(name) {
		return "", false
	}
	return g.asWord(s, g.pattern(s.Pattern))
}

// asWord returns a fresh word of the usual length, and whether the pattern takes it.
func (g *Gen) asWord(s *openapi.Schema, p *pattern.Pattern) (string, bool) {
	plain := *s
	plain.Pattern = ""
	t := g.BaselineText(&plain)
	return t, p != nil && p.Match(t) == pattern.Yes
}
