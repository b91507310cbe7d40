package resource

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// wayOf returns the way to the value of an origin.
func wayOf(kind Kind, op *openapi.Operation, o openapi.Origin) Dependency {
	w := Dependency{Kind: kind, From: o.From}
	request, isRequest := strings.CutPrefix(o.What, "request")
	switch {
	case strings.HasPrefix(o.What, "/"):
		w.Pointer = o.What
	case isRequest && strings.HasPrefix(request, "/"):
		w.Request = request
	case isRequest && strings.HasPrefix(request, "."):
		w.Request = request[1:]
	default:
		w.Header = o.What
		if name, found := strings.CutPrefix(o.Place, "path/"); found && strings.EqualFold(o.What, "Location") {
			_, w.Template = before(op.Path, name)
		}
	}
	return w
}

// linked returns the ways that the links of the document give to a place.
func (m *Map) linked(op *openapi.Operation, path string) []Dependency {
	var out []Dependency
	for _, o := range op.First().Origins {
		if o.Place == path && o.Link != "" && slices.Contains(m.ops, o.From) {
			out = append(out, wayOf(Link, op, o))
		}
	}
	return out
}

// Places lists the members of a request, those of the alternatives of its body, and those that
// every baseline request has deeper inside the body.
func Places(op *openapi.Operation) []openapi.Member {
	out := op.Members()
	if op.Body == nil {
		return out
	}
	out = append(out, inside(op.Body.Shape.Schema, "", maxInside)...)
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

// maxInside is how deep the objects and lists of a body are looked into.
const maxInside = 3

// inside lists the scalar members of required objects and of the objects in required lists,
// such as the product that a line of an order names.
func inside(s *schema.Schema, at string, depth int) []openapi.Member {
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
func item(list *schema.Property, at string) []openapi.Member {
	s := list.Schema.Item(0)
	if s == nil || s.Type() != "string" && s.Type() != "integer" {
		return nil
	}
	one := &schema.Property{Name: strings.TrimSuffix(list.Name, "s"), Schema: s, Required: true}
	return []openapi.Member{{Property: one, Path: at + "/*"}}
}

// ownKeys are names of keys that begin with the word of the path for the resources: revision and
// revisionNumber below /revisions.
func ownKeys(item string) []string {
	res := hints.One(resource(item))
	if res == "" {
		return nil
	}
	words := []string{res}
	if stem, found := strings.CutSuffix(res, "y"); found {
		words = append(words, stem+"ie") // movies are those of a movie
	}
	var out []string
	for _, ending := range []string{"", "id", "number", "code", "key"} {
		for _, word := range words {
			out = append(out, word+ending)
		}
	}
	return out
}

// segments splits a path template.
func segments(path string) []string { return strings.Split(strings.Trim(path, "/"), "/") }

// resource returns the word of a path that names its resources: users for /v1/users and
// for /users/{id}.
func resource(path string) string {
	parts := segments(path)
	for i := len(parts) - 1; i >= 0; i-- {
		if !strings.Contains(parts[i], "{") {
			return parts[i]
		}
	}
	return ""
}

// before returns the path up to the segment with an expression: /users for name id
// in /users/{id}/orders. It is empty if that segment has other text too.
func before(path, name string) (collection string, item string) {
	head, _, found := strings.Cut(path, "{"+name+"}")
	if !found {
		return "", ""
	}
	at := strings.LastIndexByte(head, '/')
	rest := path[len(head):]
	if end := strings.IndexByte(rest, '/'); end >= 0 {
		rest = rest[:end]
	}
	if end := strings.Index(rest, "}:"); end >= 0 {
		rest = rest[:end+1] // a method of the thing (Google AIP-136)
	}
	return head[:max(at, 0)], head + rest
}

// without drops the ways through an operation that cannot be asked.
func (m *Map) without(op *openapi.Operation) {
	for to, list := range m.needs {
		for i := range list {
			list[i].Dependencies = slices.DeleteFunc(list[i].Dependencies, func(w Dependency) bool { return w.From != nil && w.From.First() == op })
		}
		m.needs[to] = list
	}
}

// useNamed makes each origin that the user names the only way to the value of its place.
func (m *Map) useNamed() {
	for _, op := range m.ops {
		for _, o := range op.Origins {
			if o.Link == "" {
				m.use(op, o)
			}
		}
	}
}

// use makes an origin the only way to the value of its place. A place with a constant keeps
// it.
func (m *Map) use(op *openapi.Operation, o openapi.Origin) {
	for _, additional := range op.Additional {
		if slices.ContainsFunc(Places(additional), func(member openapi.Member) bool { return member.Path == o.Place }) {
			m.use(additional, o)
		}
	}
	if chosen(op, o.Place) {
		return
	}
	w := wayOf(Named, op, o)
	w.About = o.From.Path == op.Path && !strings.HasPrefix(o.Place, "path/")
	list := m.needs[op]
	at := slices.IndexFunc(list, func(n Need) bool { return n.Path == o.Place })
	if at < 0 {
		at = len(list)
		list = append(list, Need{Path: o.Place, Optional: o.Optional})
		op.Bind = append(op.Bind, o.Place)
	}
	list[at].Dependencies = sameKind(op, []Dependency{w})
	m.needs[op] = inPathOrder(op, list)
}

// OfOwn reports whether an operation is about a resource, and each that its path names can be one
// that a run makes.
func (m *Map) OfOwn(op *openapi.Operation) bool {
	named := m.inPath(op)
	return len(named) > 0 && !slices.ContainsFunc(named, func(n Need) bool { return !slices.ContainsFunc(n.Dependencies, Dependency.Makes) })
}

// Deletable reports whether an operation makes a resource that another one deletes.
func (m *Map) Deletable(op *openapi.Operation) bool {
	return op.Method == http.MethodPost && slices.ContainsFunc(m.ops, func(other *openapi.Operation) bool {
		named := m.inPath(other)
		return other.Method == http.MethodDelete && len(named) > 0 &&
			slices.ContainsFunc(named[len(named)-1].Dependencies, func(w Dependency) bool { return w.Makes() && w.From.First() == op.First() })
	})
}

// Gives reports whether another operation may get a value from an exchange of this one.
func (m *Map) Gives(op *openapi.Operation) bool {
	if m == nil {
		return false
	}
	for other, needs := range m.needs {
		if other.First() != op.First() && slices.ContainsFunc(needs, func(n Need) bool {
			return slices.ContainsFunc(n.Dependencies, func(w Dependency) bool { return w.From != nil && !w.About && w.From.First() == op.First() })
		}) {
			return true
		}
	}
	return false
}

// inPath keeps the needs of the path of an operation.
func (m *Map) inPath(op *openapi.Operation) []Need {
	return slices.DeleteFunc(slices.Clone(m.Of(op)), func(n Need) bool { return !strings.HasPrefix(n.Path, "path/") })
}
