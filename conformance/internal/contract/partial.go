package contract

import (
	"regexp"
	"strings"
)

// speaksOfRest are words with which documents say what becomes of members that a request
// leaves out.
var speaksOfRest = regexp.MustCompile(`(?i)\b(partial\w*|merg\w+|patch\w*|omit\w*|left out|leav\w+ out|absent|absence|missing|unchanged|untouched|preserv\w+|retain\w*|keep\w*|kept|remain\w*|stay\w*|only (the|those|given|what)|not (be )?(given|sent|provided|included|present|specified|supplied|named|set|passed))\b`)

// partial reports whether the document speaks of what becomes of members that a request of
// the operation leaves out: they may stay.
func (l *loader) partial(op *Operation, pointer string) bool {
	if op.Body == nil || op.Body.Shape == nil {
		return false
	}
	body, _, _ := strings.Cut(op.Body.Pointer, "/content/")
	places := []string{pointer, body, op.Body.Shape.Schema.Pointer}
	for _, p := range op.Body.Shape.Schema.Properties {
		places = append(places, p.Schema.Pointer)
	}
	for _, at := range places {
		v := l.root.At(at)
		if speaksOfRest.MatchString(text(v, "/summary") + " " + text(v, "/description")) {
			return true
		}
	}
	return false
}

// Droppable lists the members of a body that a request may leave out, and of which a server
// that stores the body as the whole of a thing then keeps nothing: members without a
// default that name no other thing and that the server does not make.
func (o *Operation) Droppable() []*Property {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	var out []*Property
	for _, p := range o.Body.Shape.Schema.Properties {
		s, at := p.Schema, "/"+p.Name
		switch {
		case p.Required || s.ReadOnly || s.WriteOnly || s.Never || s.Default != nil || s.Const != nil || len(s.Enum) > 0 || s.Type() == "boolean":
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
