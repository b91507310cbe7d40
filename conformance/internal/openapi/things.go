package openapi

import (
	"cmp"
	"net/http"
	"strings"

	"plantstore/conformance/internal/hints"
)

// things notes which members of bodies have the id of a thing under its bare name, or whose
// description says so: project, where POST /projects makes things whose id is of the same type.
func (c *Contract) things() {
	made := map[string]*Schema{}
	for _, op := range c.Operations {
		path := strings.TrimSuffix(op.Path, "/")
		word := One(path[strings.LastIndexByte(path, '/')+1:])
		if key := op.key(); op.Method == http.MethodPost && word != "" && key != nil {
			made[word] = key
		}
	}
	for _, op := range c.Rows() {
		if op.Body == nil || op.Body.Shape == nil {
			continue
		}
		for _, p := range op.Body.Shape.Schema.Properties {
			name := p.Name
			if made[One(name)] == nil && p.holdsIDs() {
				name = cmp.Or(hints.IDOf(text(c.root.At(p.Schema.Pointer), "/description")), name)
			}
			if key := made[One(name)]; key != nil && p.mayName(key) {
				p.Thing = Flat(name)
			}
		}
	}
}

// key returns the schema of the id in a success of an operation, or nil.
func (o *Operation) key() *Schema {
	for _, r := range o.Documented(2) {
		for _, m := range r.Media {
			if m.Shape == nil {
				continue
			}
			if p := m.Shape.Schema.Property("id"); p != nil {
				return p.Schema
			}
		}
	}
	return nil
}

// holdsIDs reports whether a member has whole numbers without an upper bound, or UUIDs: other values
// often mean something by themselves.
func (p *Property) holdsIDs() bool {
	s := p.Schema
	return s.Type() == "integer" && s.Maximum == "" && s.Below == "" || s.Type() == "string" && s.Format == "uuid"
}

// mayName reports whether a member can hold an id with this schema.
func (p *Property) mayName(key *Schema) bool {
	s := p.Schema
	return p.holdsIDs() && names(s) && !s.ReadOnly && s.Default == nil && s.Type() == key.Type() && cmp.Or(s.Format, key.Format) == key.Format &&
		!IsKey(p.Name) && Refers(p.Name) == ""
}

// Refers is RefersAt for a member in a section of a request, or in its body if that is empty.
func (m Member) Refers(section string) string { return cmp.Or(RefersAt(section, m.Name), m.Thing) }
