package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// wideTexts stand behind a word, in characters of two and four bytes.
var wideTexts = []string{"é", "🌵"}

var piecesAgain = plan.Mutator{
	Name: "pieces-again",
	Doc:  "Sends a text with characters of several bytes in one piece, and again in a request that is cut inside a character, because code that decodes each piece by itself loses the character. The first request shows whether the text is allowed.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		for _, p := range s.Op.Body.Shape.Schema.Properties {
			if !p.Required || !free(p.Schema) || p.Schema.ReadOnly || p.Schema.Never {
				continue // the pre-flight repeats the values of required members
			}
			return []plan.Class{several(openapi.NameSlug(p.Name)+"-in-pieces", plan.ExpectNothing, 1, len(wideTexts), func(g *generate.Gen, draw int) []plan.Step {
				text := jsontree.NewString(g.Word() + wideTexts[draw])
				whole, cut := g.Baseline(), g.Baseline()
				whole.Tree.Set(p.Name, text)
				cut.Tree.Set(p.Name, text.Clone())
				cut.Framing = message.Pieces
				return []plan.Step{{Message: whole}, {Message: cut, Taken: true}}
			})}
		}
		return nil
	},
}
