package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// maxCorruptions bounds the cases of a class: every one of them takes several fresh
// values.
const maxCorruptions = 6

// sameAfterRefused sends a baseline request with the values of one that was refused
// just before: nothing was made of those, so they are free.
func sameAfterRefused(s *plan.Space) []plan.Class {
	var list []corruption
	for _, c := range corruptions(s) {
		if c.kind == "invalid" || c.kind == "not-json" {
			list = append(list, c)
		}
	}
	list = list[:min(len(list), maxCorruptions)]
	return []plan.Class{several("same-after-refused", message.Accept, 2, len(list), func(g *plan.Gen, draw int) []plan.Step {
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
		by := map[string][]corruption{}
		for _, c := range corruptions(s) {
			if by[c.kind] == nil {
				kinds = append(kinds, c.kind)
			}
			by[c.kind] = append(by[c.kind], c)
		}
		for _, kind := range kinds {
			list := by[kind][:min(len(by[kind]), maxCorruptions)]
			out = append(out, several("after-"+kind, message.Accept, 2, max(ways, len(list)), func(g *plan.Gen, draw int) []plan.Step {
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
			out = append(out, several("after-"+f.kind, message.Accept, 2, ways, func(g *plan.Gen, draw int) []plan.Step {
				m := g.Baseline()
				m.Framing = f.framing
				return []plan.Step{{Message: m}, follow(g.Baseline(), draw)}
			}))
			out = append(out, several("after-refused-"+f.kind, message.Accept, 2, ways, func(g *plan.Gen, draw int) []plan.Step {
				m := g.Baseline()
				m.Raw, m.Framing = cutBody(m, 1), f.framing
				return []plan.Step{{Message: m}, follow(g.Baseline(), draw)}
			}))
		}
		return out
	},
}

// refusedInARow is more than the number of failures after which circuit breakers usually open.
const refusedInARow = 12

var refusalRuns = plan.Mutator{
	Name: "refusal-runs",
	Doc:  "Sends a dozen refused bodies of one kind in a row while nothing else is sent, then a valid one, because a circuit breaker may count refused requests as failures of the server.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, kind := range []string{"invalid", "not-json"} {
			var list []corruption
			for _, c := range corruptions(s) {
				if c.kind == kind {
					list = append(list, c)
				}
			}
			if len(list) == 0 {
				continue
			}
			c := several(kind+"-in-a-row", message.Accept, 1, 1, func(g *plan.Gen, _ int) []plan.Step {
				all := baselines(g, min(refusedInARow+1, roomFor(s, refusedInARow+1)))
				for i, m := range all[:len(all)-1] {
					list[i%len(list)].apply(m)
				}
				return row(all...)
			})
			c.Alone = true
			out = append(out, c)
		}
		return out
	},
}

// wrongNames are attempts that are wrong whatever the token is.
var wrongNames = []string{"absent", "longer-by-one", "longer-in-front"}

// refusals picks those attempts from the scheme of an operation.
func refusals(s *plan.Space) []message.Attempt {
	if !s.Auth.Required() {
		return nil
	}
	var out []message.Attempt
	for _, a := range s.Auth.Attempts() {
		for _, name := range wrongNames {
			if a.Name == name {
				out = append(out, a)
			}
		}
	}
	return out
}

func kindOf(a message.Attempt) string {
	if a.Name == "absent" {
		return a.Slug()
	}
	return "wrong-" + a.Prefix + strings.TrimPrefix(a.Name, "longer-")
}

// as returns a copy of a message with other credentials.
func as(m *message.Message, a message.Attempt) *message.Message {
	out := m.Clone()
	out.Credentials = a.All()
	return out
}

// afterEachRow is how many refused kinds one case goes through.
const afterEachRow = 6

// bodies are the mutators of bodies that may be refused.
func bodies() []plan.Mutator {
	return []plan.Mutator{missingMembers, wrongTypes, numericStrings, numberFormat, keywordViolations, syntaxErrors, malformedBody, unusualStrings, unusualNumbers, unknownMembers, duplicateNames, textEncoding}
}

var afterEachRefusal = plan.Mutator{
	Name: "after-each-refusal",
	Doc:  "Sends a valid request after one of every kind that may be refused, on the same connection, because an error that is kept shows there.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Max > 0 {
			return nil
		}
		var kinds []plan.Class
		for _, m := range bodies() {
			for _, c := range m.Classes(s) {
				if c.Phase == plan.Single && (c.Expected == message.Refuse || c.Expected == message.RefuseNotJSON || c.Expected == message.Either) {
					kinds = append(kinds, c)
				}
			}
		}
		if len(kinds) == 0 {
			return nil
		}
		rows := slices.Collect(slices.Chunk(kinds, afterEachRow))
		return []plan.Class{{Family: plan.FamilySequence, Kind: "after-each-kind", Phase: plan.Sequence, Expected: message.Accept, Cases: len(rows),
			Build: func(g *plan.Gen, draw int) []plan.Step {
				var steps []plan.Step
				for _, c := range rows[draw] {
					steps = append(append(steps, c.Build(g, 0)...), plan.Step{Message: g.Baseline()})
				}
				return steps
			}}}
	},
}

const leakRounds = 4

var stateLeaks = plan.Mutator{
	Name: "state-leaks",
	Doc:  "Sends requests whose responses must contain nothing of the request before, because servers reuse buffers and objects.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() {
			return nil
		}
		var out []plan.Class
		for _, p := range s.Op.Body.Shape.Schema.Properties {
			switch {
			case p.Schema.Never || p.Schema.ReadOnly:
			case !p.Required:
				out = append(out, several(openapi.NameSlug(p.Name)+"-then-absent", message.Accept, 2, 1, func(g *plan.Gen, _ int) []plan.Step {
					var steps []plan.Step
					for way := range leakRounds {
						with := g.Baseline()
						with.Tree.Set(p.Name, g.BaselineAt("/"+jsontree.EscapePointer(p.Name), p.Schema))
						steps = append(steps, plan.Step{Message: with}, follow(g.Baseline(), way))
					}
					return steps
				}))
				out = append(out, several("refused-"+openapi.NameSlug(p.Name)+"-then-absent", message.Accept, 2, 1, func(g *plan.Gen, _ int) []plan.Step {
					var steps []plan.Step
					for way := range leakRounds {
						with := g.Baseline()
						with.Tree.Set(p.Name, g.BaselineAt("/"+jsontree.EscapePointer(p.Name), p.Schema))
						nullify(s, with)
						steps = append(steps, plan.Step{Message: with}, follow(g.Baseline(), way))
					}
					return steps
				}))
			case free(p.Schema):
				out = append(out, several("long-"+openapi.NameSlug(p.Name)+"-then-short", message.Accept, 2, 1, func(g *plan.Gen, _ int) []plan.Step {
					var steps []plan.Step
					for way := range leakRounds {
						long := g.Baseline()
						w := g.Word()
						long.Tree.Set(p.Name, jsontree.NewString(strings.Repeat("e", longText-len(w))+w))
						steps = append(steps, plan.Step{Message: long}, follow(g.Baseline(), way))
					}
					return steps
				}))
			}
		}
		list := corruptions(s)
		if len(list) == 0 {
			return out
		}
		// Each refused request leaves its values behind; the last answer must
		// carry none of them.
		return append(out, several("after-many-refused", message.Accept, 2, ways, func(g *plan.Gen, draw int) []plan.Step {
			var steps []plan.Step
			for i := range min(len(list), roomFor(s, 40)-1) {
				if list[i].kind == "large" || list[i].kind == "huge" {
					continue
				}
				m := g.Baseline()
				list[i].apply(m)
				steps = append(steps, plan.Step{Message: m})
			}
			return append(steps, follow(g.Baseline(), draw))
		}))
	},
}

// nullify makes a body invalid and keeps what else it says: a required member
// becomes null.
func nullify(s *plan.Space, m *message.Message) {
	for _, p := range s.Op.Body.Shape.Schema.Properties {
		if p.Required && !p.Schema.Allows("null") {
			m.Tree.Set(p.Name, jsontree.NewNull())
			return
		}
	}
}

var mergedObjects = plan.Mutator{
	Name: "merged-objects",
	Doc:  "Sends members of the schema inside __proto__ and constructor.prototype, then a valid request without the optional ones, because code that merges objects deeply can change the defaults of every later request.",
	Classes: func(s *plan.Space) []plan.Class {
		if !s.Op.HasJSON() || s.Op.Body.Shape.Schema.Closed {
			return nil
		}
		optional := slices.DeleteFunc(s.Op.Body.Shape.Schema.Optional(), func(p *schema.Property) bool { return p.Schema.Never })
		if len(optional) == 0 {
			return nil
		}
		return []plan.Class{several("prototype", message.Unstated, 1, 2, func(g *plan.Gen, draw int) []plan.Step {
			inside := jsontree.NewObject()
			for _, p := range optional {
				inside.Set(p.Name, g.BaselineAt("/"+jsontree.EscapePointer(p.Name), p.Schema))
			}
			m := g.Baseline()
			if draw == 0 {
				m.Tree.Set("__proto__", inside)
			} else {
				m.Tree.Set("constructor", jsontree.NewObject(jsontree.M("prototype", inside)))
			}
			return row(m, g.Baseline())
		})}
	},
}
