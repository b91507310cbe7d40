package requirement

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// bodies returns the schema of the request body, if there is one.
func bodies(op *openapi.Operation) []*openapi.Schema {
	if op.Body == nil || op.Body.Shape == nil {
		return nil
	}
	return []*openapi.Schema{op.Body.Shape.Schema}
}

// answers returns the schemas of the documented answers.
func answers(op *openapi.Operation) []*openapi.Schema {
	var out []*openapi.Schema
	for _, r := range op.Responses {
		for _, m := range r.Media {
			if m.Shape != nil {
				out = append(out, m.Shape.Schema)
			}
		}
	}
	return out
}

// placeIn reads a path and refuses one that leads nowhere.
func (o *overlayer) placeIn(at, what string, roots []*openapi.Schema) string {
	path, ok := o.text(at)
	if !ok {
		return ""
	}
	if path[0] != '/' {
		o.refuse(at, "%s %s is not a path: start it with /", last(at), show(path))
		return ""
	}
	switch found := locate(roots, path); {
	case len(found.schemas) > 0:
	case len(found.beside) == 0:
		o.refuse(at, "%s %s is not a place in the %s: the document has no members there", last(at), show(path), what)
	default:
		o.refuse(at, "%s %s is not a place in the %s: use one of %s", last(at), show(path), what, some(found.beside))
	}
	return path
}

// located is what a path leads to.
type located struct {
	schemas  []*openapi.Schema
	required bool
	// beside are the places where the path left the schemas.
	beside []string
}

// locate follows a path through schemas; "*" stands for an array index and for
// names that the document leaves open.
func locate(roots []*openapi.Schema, path string) located {
	now := located{schemas: roots}
	done := ""
	for segment := range strings.SplitSeq(path[1:], "/") {
		next := located{}
		for _, s := range spread(now.schemas) {
			next.step(s, segment, done)
		}
		if len(next.schemas) == 0 {
			return next
		}
		now, done = next, done+"/"+segment
	}
	return now
}

// step takes one segment from one schema.
func (l *located) step(s *openapi.Schema, segment, done string) {
	name, _ := jsontree.UnescapePointer(segment)
	for _, p := range s.Properties {
		l.offer(done + "/" + jsontree.EscapePointer(p.Name))
		if p.Name == name && p.Schema != nil {
			l.schemas = append(l.schemas, p.Schema)
			l.required = l.required || p.Required
			return
		}
	}
	var open []*openapi.Schema
	if s.Extra != nil {
		open = append(open, s.Extra)
	}
	for _, k := range s.Patterns {
		open = append(open, k.Schema)
	}
	if segment == "*" {
		open = append(open, s.Prefix...)
		if s.Items != nil {
			open = append(open, s.Items)
		}
	}
	if len(open) > 0 || s.Items != nil || len(s.Prefix) > 0 {
		l.offer(done + "/*")
	}
	l.schemas = append(l.schemas, open...)
}

func (l *located) offer(path string) {
	if len(l.beside) <= listed && !slices.Contains(l.beside, path) {
		l.beside = append(l.beside, path)
	}
}

// spread adds the alternatives of the schemas, which stand at the same place.
func spread(list []*openapi.Schema) []*openapi.Schema {
	var out []*openapi.Schema
	for _, s := range list {
		if s == nil {
			continue
		}
		out = append(out, s)
		out = append(out, spread(s.AnyOf)...)
		out = append(out, spread(s.OneOf)...)
		for _, c := range s.Conditions {
			out = append(out, spread(c.Parts())...)
		}
	}
	return out
}
