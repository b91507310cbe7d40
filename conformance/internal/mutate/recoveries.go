package mutate

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

// mostSpoils bounds the cases of a class: every one of them takes several fresh
// values.
const mostSpoils = 6

// sameAfterRefused sends a baseline request with the values of one that was refused
// just before: nothing was made of those, so they are free.
func sameAfterRefused(s *plan.Space) []plan.Class {
	var list []spoil
	for _, c := range spoils(s) {
		if c.kind == "invalid" || c.kind == "not-json" {
			list = append(list, c)
		}
	}
	list = list[:min(len(list), mostSpoils)]
	return []plan.Class{several("same-after-refused", plan.ExpectMustAccept, 2, len(list), func(g *generate.Gen, draw int) []plan.Step {
		m := g.Baseline()
		refused := m.Clone()
		list[draw].apply(refused)
		return []plan.Step{{Message: refused}, follow(m, draw)}
	})}
}

var recoveries = plan.Mutator{
	Name: "recoveries",
	Doc:  "Sends a valid request after a refused or differently framed one, on the same and on other connections, because bytes or an error can be left over.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		var kinds []string
		by := map[string][]spoil{}
		for _, c := range spoils(s) {
			if by[c.kind] == nil {
				kinds = append(kinds, c.kind)
			}
			by[c.kind] = append(by[c.kind], c)
		}
		for _, kind := range kinds {
			list := by[kind][:min(len(by[kind]), mostSpoils)]
			out = append(out, several("after-"+kind, plan.ExpectMustAccept, 2, max(ways, len(list)), func(g *generate.Gen, draw int) []plan.Step {
				refused := g.Baseline()
				list[draw%len(list)].apply(refused)
				return []plan.Step{{Message: refused}, follow(g.Baseline(), draw)}
			}))
		}
		if !s.Op.HasJSON() {
			return out
		}
		out = append(out, sameAfterRefused(s)...)
		for _, f := range []struct {
			kind    string
			framing message.Framing
		}{{"chunked", message.Chunked}, {"expect-continue", message.Expect}} {
			out = append(out, several("after-"+f.kind, plan.ExpectMustAccept, 2, ways, func(g *generate.Gen, draw int) []plan.Step {
				m := g.Baseline()
				m.Framing = f.framing
				return []plan.Step{{Message: m}, follow(g.Baseline(), draw)}
			}))
			out = append(out, several("after-refused-"+f.kind, plan.ExpectMustAccept, 2, ways, func(g *generate.Gen, draw int) []plan.Step {
				m := g.Baseline()
				m.Raw, m.Framing = cutBody(m, 1), f.framing
				return []plan.Step{{Message: m}, follow(g.Baseline(), draw)}
			}))
		}
		return out
	},
}
