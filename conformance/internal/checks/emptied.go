package checks

import (
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/resource"
)

// emptied patches one member with a value that many languages treat as false: 0, false or an
// empty text. A server that copies only what is true loses the change.
func emptied(s *plan.Space, r *resource.Resource, members []*openapi.Property) []plan.Class {
	type change struct {
		path  string
		value *jsontree.Value
	}
	var list []change
	probe := generate.Probe(s.Op)
	for _, p := range members {
		path := "/" + jsontree.EscapePointer(p.Name)
		for _, v := range []*jsontree.Value{jsontree.NewInt(0), jsontree.NewBool(false), jsontree.NewString("")} {
			if mustAccept(only(probe, r.Patch, path, v).Reading()) {
				list = append(list, change{path, v})
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []plan.Class{about("emptied", []string{"stored-patched"}, min(len(list), mostPatches), func(g *generate.Gen, draw int) []plan.Step {
		patch := only(g, r.Patch, list[draw].path, list[draw].value)
		return row(g.Request(r.Make, true), simplest(g, s.Op), patch, simplest(g, s.Op))
	})}
}

// only returns a request whose body has this member and, if the schema allows that, no others.
func only(g *generate.Gen, op *openapi.Operation, path string, v *jsontree.Value) *message.Message {
	m := simplest(g, op)
	whole := m.Tree
	m.Tree = jsontree.NewObject()
	if m.Set(path, v.Clone()); !mustAccept(m.Reading()) {
		m.Tree = whole
		m.Set(path, v.Clone())
	}
	return m
}
