package checks

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var scoped = plan.Mutator{
	Name: "scoped",
	Doc:  "Makes a thing below each value of an enum in the path, other than the first, changes or deletes it there and reads it, because a server may treat test and production data, for example, in different ways.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			for _, scope := range scopesOf(r) {
				for _, v := range scope.values {
					out = append(out, below(s, r, scope.place, v)...)
				}
			}
		}
		return out
	},
}

// scope is a place in the path above the key of a thing that takes the values of an enum.
type scope struct {
	place  string
	values []*jsontree.Value // without the one that a baseline request has
}

// mostScopes is how many values of an enum are tried.
const mostScopes = 4

// scopesOf returns the scopes of a resource whose things need nothing else that exists.
func scopesOf(r *resource.Resource) []scope {
	names := openapi.Expressions(r.Path)
	key := openapi.PathPlace(names[len(names)-1])
	needs := func(path string) bool { return path != key && !strings.HasPrefix(path, "header/") }
	if r.Make.Params == nil || slices.ContainsFunc(r.Make.Bind, needs) {
		return nil
	}
	var out []scope
	for _, m := range r.Make.Members() {
		if !strings.HasPrefix(m.Path, "path/") || len(m.Schema.Enum) < 2 || !strings.Contains(r.Path, "{"+m.Name+"}/") {
			continue
		}
		first := generate.Probe(r.Make).Baseline().At(m.Path)
		others := slices.DeleteFunc(slices.Clone(m.Schema.Enum), func(v *jsontree.Value) bool { return jsontree.Equal(v, first) })
		out = append(out, scope{m.Path, others[:min(len(others), mostScopes)]})
	}
	return out
}

// below returns the classes about a thing below one value of an enum.
func below(s *plan.Space, r *resource.Resource, place string, v *jsontree.Value) []plan.Class {
	at := func(list ...*message.Message) []plan.Step {
		for _, m := range list {
			m.Set(place, v.Clone())
		}
		steps := row(list...)
		for i := range steps[:len(steps)-1] {
			steps[i].Open = true // what is below another value may be closed
		}
		return steps
	}
	name := openapi.NameSlug(v.String())
	var out []plan.Class
	if write := writer(r); write != nil {
		out = append(out, about("changed-in-"+name, []string{"created-readable", "stored-created", "stored-replaced", "stored-patched"}, 1, func(g *generate.Gen, _ int) []plan.Step {
			return at(simplest(g, r.Make), simplest(g, s.Op), g.Request(write, true), simplest(g, s.Op))
		}))
	}
	if r.Delete != nil {
		out = append(out, alone(about("deleted-in-"+name, []string{"created-readable", "stored-created", "gone"}, 1, func(g *generate.Gen, _ int) []plan.Step {
			return at(simplest(g, r.Make), simplest(g, s.Op), simplest(g, r.Delete), simplest(g, s.Op))
		})))
	}
	return out
}
