package openapi

import (
	"slices"

	"plantstore/conformance/internal/schema"
)

// Copy returns a copy that can be changed without changing the original. A step that learns something
// about the operations records it in a copy, and returns that. Both share what only describes the
// document, such as its schemas.
func (c *Contract) Copy() *Contract {
	out, k := *c, copier{schemes: map[*Scheme]*Scheme{}, shapes: map[*schema.Shape]*schema.Shape{}, operations: map[*Operation]*Operation{}}
	out.LeftOut, out.Omitted = slices.Clip(c.LeftOut), slices.Clip(c.Omitted)
	out.Schemes = every(c.Schemes, k.scheme)
	out.Operations = every(c.Operations, k.operation)
	for _, op := range out.Operations {
		for _, row := range op.Rows() {
			row.Origins = every(row.Origins, k.origin)
		}
	}
	return &out
}

// Own returns a function that finds the operation of this contract for one of a copy, or for one of
// the contract that it was copied from. It returns nil for one that was left out.
func (c *Contract) Own() func(op *Operation) *Operation {
	own := map[string]*Operation{}
	for _, row := range c.Rows() {
		own[row.Slug] = row
	}
	return func(op *Operation) *Operation {
		if op == nil {
			return nil
		}
		return own[op.Slug]
	}
}

// copier has the copies of what several operations have.
type copier struct {
	schemes    map[*Scheme]*Scheme
	shapes     map[*schema.Shape]*schema.Shape
	operations map[*Operation]*Operation
}

func (k *copier) operation(op *Operation) *Operation {
	out := *op
	k.operations[op] = &out
	out.Params = k.shape(op.Params)
	if op.Body != nil {
		out.Body = op.Body.with(k.shape(op.Body.Shape))
	}
	out.Security = every(op.Security, func(alternative []*Scheme) []*Scheme { return every(alternative, k.scheme) })
	out.Additional = every(op.Additional, func(row *Operation) *Operation {
		one := k.operation(row)
		one.first = &out
		return one
	})
	return &out
}

// origin is called when all operations have been copied. An origin whose operation was left out stays
// as it is.
func (k *copier) origin(o Origin) Origin {
	if own := k.operations[o.From]; own != nil {
		o.From = own
	}
	return o
}

func (k *copier) scheme(s *Scheme) *Scheme { return copied(k.schemes, s) }

func (k *copier) shape(s *schema.Shape) *schema.Shape {
	if s != nil && k.shapes[s] == nil {
		k.shapes[s] = s.Copy()
	}
	return k.shapes[s]
}

// copied returns the copy of a value, which is made once.
func copied[T any](known map[*T]*T, one *T) *T {
	if one == nil {
		return nil
	}
	if known[one] == nil {
		out := *one
		known[one] = &out
	}
	return known[one]
}

// every returns what a function makes of the items of a list; a list that is nil stays nil.
func every[T any](list []T, f func(T) T) []T {
	if list == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, one := range list {
		out[i] = f(one)
	}
	return out
}
