package resource

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// Places lists the members of a request, those of the alternatives of its body, and those that
// every baseline request has deeper inside the body.
func Places(op *openapi.Operation) []openapi.Member {
	out := op.Members()
	if op.Body == nil {
		return out
	}
	out = append(out, inside(op.Body.Shape.Schema, "", mostInside)...)
	for _, s := range alternatives(op.Body.Shape.Schema)[1:] {
		for _, p := range s.Properties {
			path := "/" + jsontree.EscapePointer(p.Name)
			if !slices.ContainsFunc(out, func(m openapi.Member) bool { return m.Path == path }) {
				copied := *p
				copied.Required = false
				out = append(out, openapi.Member{Property: &copied, Path: path})
			}
		}
	}
	return out
}

// mostInside is how deep the objects and lists of a body are looked into.
const mostInside = 3

// inside lists the scalar members of required objects and of the objects in required lists,
// such as the product that a line of an order names.
func inside(s *openapi.Schema, at string, depth int) []openapi.Member {
	var out []openapi.Member
	if s == nil || depth == 0 {
		return nil
	}
	for _, p := range s.Properties {
		if !p.Required {
			continue
		}
		path := at + "/" + jsontree.EscapePointer(p.Name)
		switch p.Schema.Type() {
		case "object":
			out = append(out, inside(p.Schema, path, depth-1)...)
		case "array":
			out = append(out, inside(p.Schema.Item(0), path+"/*", depth-1)...)
			out = append(out, item(p, path)...)
		default:
			if at != "" {
				out = append(out, openapi.Member{Property: p, Path: path})
			}
		}
	}
	return out
}

// item returns the scalar item of a list, with the singular of its name: userId for userIds.
func item(list *openapi.Property, at string) []openapi.Member {
	s := list.Schema.Item(0)
	if s == nil || s.Type() != "string" && s.Type() != "integer" {
		return nil
	}
	one := &openapi.Property{Name: strings.TrimSuffix(list.Name, "s"), Schema: s, Required: true}
	return []openapi.Member{{Property: one, Path: at + "/*"}}
}
