package contract

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// LinkTo is a link from an answer to another operation (OpenAPI 3.1, 4.8.20).
type LinkTo struct {
	OperationID string
	Pointer     string // of the operation, if the link names no id
	Parameters  []LinkParameter
}

// LinkParameter is a parameter that a link fills.
type LinkParameter struct{ Name, Expression string }

// Links returns the links of the documented successes of an operation, in document
// order.
func (c *Contract) Links(op *Operation) []LinkTo {
	var out []LinkTo
	for _, r := range op.Responses {
		list := c.root.At(r.Pointer + "/links")
		if list == nil || r.Status[0] == '4' || r.Status[0] == '5' {
			continue
		}
		for _, m := range list.Members {
			v := c.follow(m.Value)
			to := LinkTo{OperationID: text(v, "/operationId")}
			if ref := text(v, "/operationRef"); strings.HasPrefix(ref, "#/") {
				to.Pointer = unfragment(ref)
			}
			params := v.Get("parameters")
			if params == nil || to.OperationID == "" && to.Pointer == "" {
				continue
			}
			for _, p := range params.Members {
				if p.Value.Kind == jsontree.String {
					to.Parameters = append(to.Parameters, LinkParameter{p.Name, p.Value.Text})
				}
			}
			out = append(out, to)
		}
	}
	return out
}

// follow follows references inside the document.
func (c *Contract) follow(v *jsontree.Value) *jsontree.Value {
	for range 16 {
		ref := v.Get("$ref")
		if ref == nil || !strings.HasPrefix(ref.Text, "#") {
			return v
		}
		v = c.root.At(unfragment(ref.Text))
	}
	return v
}

// Examples returns the values that the document gives for a member of a request:
// example, examples and default, of the parameter and of its schema. The enum is part
// of the schema.
func (c *Contract) Examples(op *Operation, m Member) []*jsontree.Value {
	var out []*jsontree.Value
	add := func(v *jsontree.Value) {
		if v != nil && len(out) < mostExamples && v.Kind != jsontree.Null {
			out = append(out, v)
		}
	}
	from := func(v *jsontree.Value) {
		add(v.Get("example"))
		if list := v.Get("examples"); list != nil {
			for _, item := range list.Items {
				add(item)
			}
			for _, one := range list.Members {
				add(c.follow(one.Value).Get("value"))
			}
		}
		add(v.Get("default"))
	}
	for _, p := range op.Parameters {
		if p.In+"/"+jsontree.EscapePointer(p.Name) == m.Path {
			at := c.root.At(p.Pointer)
			from(at)
			from(c.follow(at.Get("schema")))
			return out
		}
	}
	if m.Schema.Pointer != "" {
		from(c.follow(c.root.At(m.Schema.Pointer)))
	}
	return out
}

const mostExamples = 5
