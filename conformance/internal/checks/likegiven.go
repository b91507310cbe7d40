package checks

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

var likeGiven = plan.Mutator{
	Name: "like-given",
	Doc:  "Makes a thing, reads it, and names it by a key that is a little different, because a server that reads only the beginning of a key, or ignores the case of its letters, finds the thing under keys that no answer gave.",
	Classes: func(s *plan.Space) []plan.Class {
		schema := lastOf(s.Op)
		if schema == nil {
			return nil
		}
		var out []plan.Class
		for _, r := range s.Resources {
			if r.Read == nil || r.Chosen() {
				continue // any key may be in use
			}
			reads := r.Read == s.Op
			if !reads && s.Op != r.Replace && s.Op != r.Patch && s.Op != r.Delete {
				continue
			}
			for _, l := range likes() {
				if l.fits(schema) && (reads || l.writes) {
					out = append(out, l.class(s.Op, r))
				}
			}
		}
		return out
	},
}

// class makes one case, of an operation about a thing. Where it does not only read, a key that
// the schema allows could name another thing.
func (l keyLike) class(op *openapi.Operation, r *resource.Resource) plan.Class {
	rule, invalid := "never-given", l.invalid
	if op != r.Read {
		rule, invalid = "answered", true // and the bytes tell which keyword the key breaks
	}
	c := about(l.name, []string{rule}, 1, func(g *generate.Gen, _ int) []plan.Step {
		m, path := simplest(g, op), keyOf(op)
		if other := l.of(m.At(path).Text); other != "" {
			m.Set(path, jsontree.NewString(other))
		}
		steps := row(simplest(g, r.Make), simplest(g, r.Read), m)
		steps[2].Alike = &plan.Alike{Of: l.of, Invalid: invalid}
		return steps
	})
	c.Keys, c.Alone = true, op.Method == http.MethodDelete
	return c
}

// lastOf returns the schema of the key of a thing, if that is the whole last segment of a path,
// or nil.
func lastOf(op *openapi.Operation) *openapi.Schema {
	segment := op.Path[strings.LastIndexByte(op.Path, '/')+1:]
	for _, p := range op.Parameters {
		if p.In == "path" && segment == "{"+p.Name+"}" && p.Style == "simple" && p.Media == "" && p.Schema != nil && keyOf(op) == openapi.PathPlace(p.Name) {
			return p.Schema
		}
	}
	return nil
}
