package openapi

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/report"
)

// hints notes what descriptions and summaries say of an operation.
func (l *loader) hints(op *Operation, pointer string) {
	said := l.texts(pointer)
	switch op.Method {
	case http.MethodGet:
		op.NewestFirst = hints.NewestFirst(said)
	case http.MethodPost:
		op.Enlists = hints.Listed(said)
	case http.MethodDelete:
		op.Unlists = hints.Unlisted(said)
	}
	op.TellsGone, op.Bound = hints.Gone(l.texts(pointer+"/responses/410")), l.stateBound(op, pointer)
	if op.Body != nil && op.Body.Shape != nil {
		body, _, _ := strings.Cut(op.Body.Pointer, "/content/")
		op.Partial, op.Whole = l.rest(op, pointer, body)
		if op.Method == http.MethodPatch && op.Whole == nil {
			op.Keeps = hints.KeepsRest(l.texts(pointer, body, op.Body.Shape.Schema.Pointer))
		}
	}
	if op.Method == http.MethodPut && op.Partial == nil {
		op.Replaces = hints.ReplacesAll([]hints.Text{{Place: pointer + "/description", Said: text(l.root, pointer+"/description")}})
	}
}

// texts returns the descriptions and summaries of some places.
func (l *loader) texts(places ...string) []hints.Text {
	var out []hints.Text
	for _, at := range places {
		v := l.root.At(at)
		if at != "" && v.Get("$ref") != nil {
			at, v = l.resolve(at)
		}
		for _, name := range []string{"/description", "/summary"} {
			if said := text(v, name); said != "" {
				out = append(out, hints.Text{Place: at + name, Said: said})
			}
		}
	}
	return out
}

// rest returns what the document says of what becomes of members that a request of the operation
// leaves out: that they may stay, or that they do not.
func (l *loader) rest(op *Operation, pointer, body string) (may, not *report.Evidence) {
	said := func(at string) hints.Text {
		v := l.root.At(at)
		return hints.Text{Place: at, Said: text(v, "/summary") + ". " + text(v, "/description")}
	}
	var names []string
	members := []hints.Text{said(op.Body.Shape.Schema.Pointer)}
	for _, p := range op.Body.Shape.Schema.Properties {
		names, members = append(names, p.Name), append(members, said(p.Schema.Pointer))
	}
	return hints.Rest([]hints.Text{said(pointer), said(body)}, members, names)
}

// Droppable lists the members of a body that a request may leave out, and of which a server
// that stores the body as the whole of a thing then keeps nothing: members without a
// default that name no other thing and that the server does not make. All lists those with a
// default too.
func (o *Operation) Droppable(all bool) []*Property {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	var out []*Property
	for _, p := range o.Body.Shape.Schema.Properties {
		s, at := p.Schema, "/"+p.Name
		switch {
		case p.Required || s.ReadOnly || s.WriteOnly || s.Never || s.Default != nil && !all || s.Const != nil || len(s.Enum) > 0 || s.Type() == "boolean":
		case s.Items != nil && len(s.Items.Enum) > 0, Refers(p.Name) != "" || IsKey(p.Name) || o.Same[at] != "", o.binds(at):
		default:
			out = append(out, p)
		}
	}
	return out
}

// binds reports whether a member has to name something that exists.
func (o *Operation) binds(at string) bool {
	for _, path := range o.Bind {
		if path == at || strings.HasPrefix(path, at+"/") {
			return true
		}
	}
	return false
}
