package checks

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var neverGivenScenario = plan.Mutator{
	Name: "never-given",
	Doc:  "Makes a thing and asks for one whose key no answer gave, because a server may answer such a key with another thing, or an empty one. Also replaces one that a read did not find, because a server may make it without saying so.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if r.Chosen() {
				continue // any key may be in use
			}
			path := keyOf(s.Op)
			if path == "" {
				continue
			}
			out = append(out, about("read", []string{"never-given"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				return row(simplest(g, r.Make), named(g, s.Op, path, g.Request(s.Op, false).At(path)))
			}))
		}
		for _, r := range of(s, func(r *resource.Resource) *openapi.Operation { return r.Replace }) {
			path := keyOf(s.Op)
			if path == "" || r.Read == nil || keyOf(r.Read) == "" {
				continue
			}
			kind, rule := "put", "put-missing"
			switch {
			case r.PutCreates() != nil:
				kind, rule = "put-creates", "put-creates"
			case r.PutMissing() == nil:
				continue
			}
			out = append(out, about(kind, []string{rule}, 1, func(g *generate.Gen, _ int) []plan.Step {
				key := lengthenedKey(lastOf(s.Op), g.Request(s.Op, false).At(path))
				steps := row(simplest(g, r.Make), named(g, r.Read, keyOf(r.Read), key), named(g, s.Op, path, key))
				steps[1].Open = true
				return steps
			}))
		}
		return out
	},
}

// named makes a request with this key, which replaces the placeholder for the key of the thing
// that the case made.
func named(g *generate.Gen, op *openapi.Operation, path string, key *jsontree.Value) *message.Message {
	m := simplest(g, op)
	m.Set(path, key)
	return m
}

// longKey returns the key or, for an integer, a number that no counter reaches.
func lengthenedKey(s *openapi.Schema, key *jsontree.Value) *jsontree.Value {
	const far = "1987654321"
	if s == nil || s.Type() != "integer" || s.Multiple != "" || s.Maximum != "" && jsontree.Compare(s.Maximum, far) < 0 || s.Below != "" && jsontree.Compare(s.Below, far) <= 0 {
		return key
	}
	return jsontree.NewNumber(far)
}

// keyOf returns where a request has the key of a thing: the last expression of the path
// that another answer has to fill in. It is empty if there is none.
func keyOf(op *openapi.Operation) string {
	names := openapi.Expressions(op.Path)
	for i := len(names) - 1; i >= 0; i-- {
		if path := openapi.PathPlace(names[i]); slices.Contains(op.Bind, path) {
			return path
		}
	}
	return ""
}
