package mutate

import (
	"bytes"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// cutEscapeTexts are the beginnings of an escape, and of a pair of them.
var cutEscapeTexts = []string{`\`, `\u`, `\u1`, `\u12`, `\u123`, `\uD83D`, `\uD83D\`, `\uD83D\u`, `\uD83D\uD`, `\uD83D\uDE`, `\uD83D\uDE0`}

// cutEscapePlaces say where the escape stands: in a value or a name, and how much of the
// body is behind it.
var cutEscapePlaces = []struct {
	kind   string
	inName bool
	behind string
}{
	{"value-ends", false, `"}`}, {"value-and-body-end", false, ""}, {"name-and-body-end", true, ""},
}

var cutEscapes = plan.Mutator{
	Name: "cut-escapes",
	Doc:  "Ends a string, or the body, after each character of an escape, because scanners read the four digits of an escape without a look at what is left.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || generate.Probe(s.Op).Baseline().Tree.Kind != jsontree.Object {
			return nil
		}
		var out []plan.Class
		for _, at := range cutEscapePlaces {
			build := func(g *generate.Gen, text string) *message.Message {
				m := g.Baseline()
				member := `"` + stray + `":"a` + text
				if at.inName {
					member = `"` + stray + text
				}
				m.Raw = bytes.TrimSuffix(insideObject(m, member), []byte("}"))
				m.Raw = append(m.Raw, at.behind...)
				return m
			}
			var texts []string
			for _, text := range cutEscapeTexts {
				if _, err := jsontree.Parse(build(generate.Probe(s.Op), text).Raw); err != nil {
					texts = append(texts, text)
				}
			}
			out = append(out, listed(of(plan.FamilyNotJSON, wholeBody, at.kind, plan.ExpectNotJSON), texts, build)...)
		}
		return out
	},
}
