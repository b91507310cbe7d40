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

// dependencies is waysOf, once for each operation, name and item.
func (m *Map) dependencies(from *openapi.Operation, member openapi.Member, item string) []Dependency {
	key := from.Slug + " " + member.Name + " " + item + " " + member.Schema.Type()
	list, known := m.given[key]
	if !known {
		list = waysOf(from, member, item)
		m.given[key] = list
	}
	return list
}

// waysOf returns where an operation's exchange may have the value.
func waysOf(from *openapi.Operation, member openapi.Member, item string) []Dependency {
	kind := Producer
	if from.Method == "GET" {
		kind = List
	}
	var out []Dependency
	add := func(pointer string) { out = append(out, Dependency{Kind: kind, From: from, Pointer: pointer}) }
	schemas := successes(from)
	// A text may hold a number, but what is a number is more likely.
	for _, usual := range []bool{true, false} {
		fits := func(s *schema.Schema) bool {
			return (member.Schema.Type() == "integer" && s.Type() == "string") != usual
		}
		for i, name := range slices.Concat([]string{member.Name}, hints.Names(hints.Identifier), ownKeys(item)) {
			for _, s := range schemas {
				for _, pointer := range within(s, name, kind == List, fits) {
					add(pointer)
				}
			}
			if i == 0 && kind == Producer && from.Body != nil {
				if p := from.Body.Shape.Schema.Property(name); p != nil && !p.Schema.ReadOnly && fits(p.Schema) {
					out = append(out, Dependency{Kind: Producer, From: from, Request: "/" + jsontree.EscapePointer(name)})
				}
			}
		}
	}
	if kind == Producer && item != "" {
		out = append(out, Dependency{Kind: Producer, From: from, Header: "Location", Template: item})
	}
	for _, s := range schemas {
		for _, pointer := range untold(s, member.Name, kind == List) {
			add(pointer)
		}
	}
	if names := resourceNames(from, kind, item); len(names) > 0 {
		return append(out[:min(len(out), maxWaysOf-1)], names...)
	}
	return out[:min(len(out), maxWaysOf)]
}

// maxWaysOf is how many places of one exchange are tried.
const maxWaysOf = 6

// resourceNames returns where an answer may have the name of a resource, whose last segment is the
// key: "shelves/s1" for /shelves/{shelf} (Google AIP-122).
func resourceNames(from *openapi.Operation, kind Kind, item string) []Dependency {
	text := func(s *schema.Schema) bool {
		return s.Type() == "string" && (s.ReadOnly || strings.Contains(s.Pattern, "/"))
	}
	if item == "" {
		return nil
	}
	for _, s := range successes(from) {
		if at := within(s, "name", kind == List, text); len(at) > 0 {
			return []Dependency{{Kind: kind, From: from, Pointer: at[0], Template: item}}
		}
	}
	return nil
}

// successes returns the schemas of the documented successes.
func successes(op *openapi.Operation) []*schema.Schema {
	out := schemas(op.Documented(2)...)
	if r := op.Response(200); len(out) == 0 && r != nil {
		out = schemas(r)
	}
	return out
}

func schemas(list ...*openapi.Response) []*schema.Schema {
	var out []*schema.Schema
	for _, r := range list {
		for _, media := range r.Media {
			if media.Shape != nil {
				out = append(out, media.Shape.Schema)
			}
		}
	}
	return out
}

// within returns the places of an answer that hold a scalar of that name which fits: in the
// answer itself, one object deeper, or in the items of a list.
func within(s *schema.Schema, name string, list bool, fits func(*schema.Schema) bool) []string {
	var out []string
	for _, one := range alternatives(s) {
		if list {
			out = append(out, listed(one, name, fits)...)
			continue
		}
		out = append(out, members(one, name, "", fits)...)
		if one.Type() == "array" && one.Items != nil { // a request may make several
			for _, item := range alternatives(one.Items) {
				out = append(out, members(item, name, "/0", fits)...)
			}
		}
		for _, p := range one.Properties {
			if p.Schema.Type() != "object" {
				continue
			}
			at := "/" + jsontree.EscapePointer(p.Name)
			for _, below := range alternatives(p.Schema) {
				out = append(out, members(below, name, at, fits)...)
				if hints.Flat(p.Name) == hints.Flat(name) {
					out = append(out, keyed(below, at, fits)...)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return slices.Compact(out)
}

// keyed returns the places of what names an object, such as the login of an owner: the most usual
// first.
func keyed(s *schema.Schema, at string, fits func(*schema.Schema) bool) []string {
	var out []string
	for _, key := range slices.Concat(hints.Names(hints.Account), hints.Names(hints.Identifier)) {
		out = append(out, members(s, key, at, fits)...)
	}
	return out
}

// untold returns the places where an answer may have a key that its schema does not name: in the
// answer itself, or in a named object that has no other members, or that allows members which it does
// not name.
func untold(s *schema.Schema, name string, list bool) []string {
	free := func(s *schema.Schema) bool {
		return s != nil && s.Type() == "object" && !s.Closed && (s.Extra != nil || len(s.Properties) == 0) && len(s.OneOf)+len(s.AnyOf) == 0
	}
	var at []string
	add := func(s *schema.Schema, place string) {
		switch {
		case !list && free(s):
			at = append(at, place)
		case list && s.Type() == "array" && free(s.Items):
			at = append(at, place+"/-")
		}
	}
	add(s, "")
	for _, p := range s.Properties {
		add(p.Schema, "/"+jsontree.EscapePointer(p.Name))
	}
	var out []string
	for _, place := range at {
		for _, key := range []string{name, "id"} {
			out = append(out, place+"/"+jsontree.EscapePointer(key))
		}
	}
	return slices.Compact(out)
}

// listed returns the places of that name in the items of a list, which may be the
// answer itself or a member of it.
func listed(s *schema.Schema, name string, fits func(*schema.Schema) bool) []string {
	var out []string
	items := func(list *schema.Schema, at string) {
		if list.Type() != "array" || list.Items == nil {
			return
		}
		for _, item := range alternatives(list.Items) {
			out = append(out, members(item, name, at+"/-", fits)...)
			if t := item.Type(); (t == "string" || t == "integer") && name == "id" && fits(item) {
				out = append(out, at+"/-")
			}
		}
	}
	items(s, "")
	for _, p := range s.Properties {
		at := "/" + jsontree.EscapePointer(p.Name)
		items(p.Schema, at)
		for _, q := range p.Schema.Properties {
			items(q.Schema, at+"/"+jsontree.EscapePointer(q.Name))
		}
	}
	return out
}

// members returns the scalar members of that name which fit.
func members(s *schema.Schema, name, at string, fits func(*schema.Schema) bool) []string {
	var out []string
	for _, p := range s.Properties {
		if t := p.Schema.Type(); hints.Flat(p.Name) == hints.Flat(name) && t != "object" && t != "array" && t != "boolean" && fits(p.Schema) {
			out = append(out, at+"/"+jsontree.EscapePointer(p.Name))
		}
	}
	return out
}

// alternatives returns a schema and the branches of its anyOf and oneOf.
func alternatives(s *schema.Schema) []*schema.Schema {
	out := []*schema.Schema{s}
	out = append(out, s.OneOf...)
	return append(out, s.AnyOf...)
}

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
