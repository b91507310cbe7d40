package lifecycles

import (
	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/paging"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/resource"
)

var unlisted = plan.Mutator{
	Name: "unlisted",
	Doc:  "Makes a thing, lists its collection, deletes it and lists the collection again, because a server may leave it in an index.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, func(r *resource.Resource) *contract.Operation { return r.List }) {
			if r.Delete == nil {
				continue
			}
			out = append(out, alone(about("list", []string{"unlisted"}, 1, func(g *generate.Gen, _ int) []plan.Step {
				made := g.Request(r.Make, true)
				steps := row(made, narrowed(g, s.Op, made), simplest(g, r.Delete), narrowed(g, s.Op, made))
				steps[0].Own = true // a list that others share may have it on a later page
				return steps
			})))
		}
		return out
	},
}

// narrowed returns a request for a list that shows what was made, if the list has
// filters of the names of its members, a size or an order.
func narrowed(g *generate.Gen, list *contract.Operation, made *request.Message) *request.Message {
	m := simplest(g, list)
	for _, p := range list.Parameters {
		path := "query/" + jsontree.EscapePointer(p.Name)
		switch v := made.At("/" + jsontree.EscapePointer(p.Name)); {
		case p.In != "query" || p.Schema == nil:
		case v != nil && (v.Kind == jsontree.String || v.Kind == jsontree.Number) && p.Schema.Type() == "string":
			m.Set(path, jsontree.NewString(v.Text))
		case newest(p.Schema) != nil:
			m.Set(path, newest(p.Schema))
		case paging.IsLimit(p.Name) && p.Schema.Maximum != "":
			m.Set(path, jsontree.NewNumber(p.Schema.Maximum))
		}
	}
	return m
}
