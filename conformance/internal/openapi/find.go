package openapi

import "strings"

// Find returns the operation with that name: an operationId, a slug, or a method and
// a path as in "GET /users/{id}". It is nil if there is none.
func (c *Contract) Find(name string) *Operation {
	for _, is := range []func(*Operation) bool{
		func(op *Operation) bool { return op.ID == name && name != "" },
		func(op *Operation) bool { return op.Slug == name },
		func(op *Operation) bool {
			method, path, found := strings.Cut(name, " ")
			return found && strings.EqualFold(method, op.Method) && strings.TrimSpace(path) == op.Path
		},
	} {
		for _, op := range c.Operations {
			if is(op) {
				return op
			}
		}
	}
	return nil
}

// Names returns the names by which Find knows the operations.
func (c *Contract) Names() []string {
	var out []string
	for _, op := range c.Operations {
		if op.ID != "" {
			out = append(out, op.ID)
		}
		out = append(out, op.Slug, op.Method+" "+op.Path)
	}
	return out
}

// Name is the name of an operation for people: its operationId, or its slug. Behind that
// of a further one is what is different in it.
func (o *Operation) Name() string {
	if o.IsFurther() {
		return o.first.Name() + " (" + o.Differs() + ")"
	}
	if o.ID != "" {
		return o.ID
	}
	return o.Slug
}
