package openapi

import (
	"cmp"
	"slices"
	"strings"

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

// Choose chooses the alternative of each operation that requests use: the first for
// which all credentials are given by name, else the first for which all are given,
// else none at all where the document allows that. An operation without any of these
// is left out of the contract that is returned; hint says what a scheme needs.
func (c *Contract) Choose(given func(*Scheme) (given, shared bool), hint func(*Scheme) string) (*Contract, error) {
	c = c.Copy()
	c.Operations = slices.DeleteFunc(c.Operations, func(op *Operation) bool {
		for _, alt := range op.Security {
			for _, s := range alt {
				s.Given, s.Shared = given(s)
			}
		}
		if op.choose() {
			for _, additional := range op.Additional {
				additional.Chosen = op.Chosen
			}
			c.untried(op, hint)
			return false
		}
		c.Omit(Omitted{Operation: op, Why: lacks(op.Security[0], hint),
			Lacks: slices.DeleteFunc(slices.Clone(op.Security[0]), func(s *Scheme) bool { return s.Given })})
		return true
	})
	return c, c.Empty()
}

// Headers returns a contract that knows which credentials the user sends with every request: in headers of these
// names, and in cookies of these. What becomes of requests without a credential cannot be tried
// where such a header may hold one, as Authorization always does.
func (c *Contract) Headers(names, cookies []string) *Contract {
	c = c.Copy()
	among := func(name string) int {
		return slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	}
	sent := func(s *Scheme) string {
		in, field := s.Documented()
		switch i := among(field); {
		case in == "header" && i >= 0:
			s.Header = names[i]
		case in == "cookie" && slices.Contains(cookies, field):
			s.Header = "Cookie"
		}
		return s.Header
	}
	for _, s := range c.Schemes {
		sent(s)
	}
	for _, op := range c.Operations {
		for _, alt := range op.Security {
			for _, s := range alt {
				op.Header = cmp.Or(op.Header, sent(s))
			}
		}
		if i := among("Authorization"); i >= 0 {
			op.Header = names[i]
		}
		for _, additional := range op.Additional {
			additional.Header = op.Header
		}
	}
	return c
}

// Always returns the schemes whose credential the user gave, those that were given by name
// before others, without a second one at the same place.
func (c *Contract) Always(given func(*Scheme) (given, shared bool)) []*Scheme {
	var named, others []*Scheme
	for _, s := range c.Schemes {
		switch is, shared := given(s); {
		case !is || s.OnConnection():
		case !shared:
			named = append(named, s)
		default:
			others = append(others, s)
		}
	}
	if len(named) == 0 && len(others) > 0 {
		// The token is meant for one of them.
		i := slices.IndexFunc(others, (*Scheme).bearer)
		named = append(named, others[max(i, 0)])
	}
	var out []*Scheme
	for _, s := range named {
		in, name := s.Place()
		if !slices.ContainsFunc(out, func(o *Scheme) bool { i, n := o.Place(); return i == in && sameName(in, n, name) }) {
			out = append(out, s)
		}
	}
	return out
}

// Ask returns a contract whose operations carry these credentials also where their requests need
// none. Nothing is judged by that.
func (c *Contract) Ask(list []*Scheme) *Contract {
	c = c.Copy()
	list = every(list, func(s *Scheme) *Scheme {
		return c.Schemes[slices.IndexFunc(c.Schemes, func(own *Scheme) bool { return own.Name == s.Name })]
	})
	for _, op := range c.Operations {
		if op.Security != nil {
			continue
		}
		for _, row := range op.Rows() {
			row.Security, row.Unasked = [][]*Scheme{list}, true
		}
	}
	return c
}

// ChooseOther returns a contract that knows for which schemes the user gave the credential of another
// principal.
func (c *Contract) ChooseOther(given func(*Scheme) bool) *Contract {
	c = c.Copy()
	for _, op := range c.Operations {
		for _, alt := range op.Security {
			for _, s := range alt {
				s.Other = s.Given && !s.OnConnection() && given(s)
			}
		}
	}
	return c
}

// choose chooses an alternative and reports whether there is one.
func (o *Operation) choose() bool {
	if o.Security == nil {
		return true
	}
	for _, fits := range []func([]*Scheme) bool{
		func(alt []*Scheme) bool { return len(alt) > 0 && sure(alt) },
		func(alt []*Scheme) bool { return len(alt) > 0 },
		func(alt []*Scheme) bool { return len(alt) == 0 },
	} {
		for i, alt := range o.Security {
			if fits(alt) && Given(alt) {
				o.Chosen = i
				return true
			}
		}
	}
	return false
}

// untried names the alternatives that are never sent, and what a client certificate
// hides.
func (c *Contract) untried(op *Operation, hint func(*Scheme) string) {
	say := func(what string) { c.LeftOut = append(c.LeftOut, shown(op.Method+" "+op.Path)+": "+what) }
	for i, alt := range op.Security {
		if !op.Tried(i) {
			say("one security alternative is never sent: " + lacks(alt, hint))
		}
		for _, s := range alt {
			if s.Certificate() && s.Given {
				say("security scheme " + s.Name + ": requests without the client certificate are never sent, because every connection has it")
			}
			if s.Header != "" {
				say("security scheme " + s.Name + ": requests without header " + s.Header + " are never sent, because the user gives it for every request")
			}
		}
	}
}

// lacks says which credentials an alternative needs.
func lacks(alt []*Scheme, hint func(*Scheme) string) string {
	var out []string
	for _, s := range alt {
		if !s.Given || s.Shared {
			out = append(out, "security scheme "+s.Name+" "+hint(s))
		}
	}
	return strings.Join(out, ", and ")
}

// Scope reports whether a place is a parameter outside of the path whose value may name
// what the whole request is about: a tenant, a session. If-Match names a state instead.
func Scope(place string) bool {
	return !strings.HasPrefix(place, "/") && !strings.HasPrefix(place, "path/") && !IfMatch(place)
}

// IfMatch reports whether a place is the header field that names the state of a resource which
// the client knows (RFC 9110, 13.1.1).
func IfMatch(place string) bool { return strings.EqualFold(place, "header/If-Match") }
