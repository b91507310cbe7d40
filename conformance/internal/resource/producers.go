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

// maxWays bounds the ways to one value: each costs requests before it is given up.
const maxWays = 12

// producers returns the operations that may give the value of a member, the most
// likely first: those at the collection of the path, then those of the same resource
// elsewhere.
func (m *Map) producers(op *openapi.Operation, member openapi.Member) []Dependency {
	out := m.known(op, member)
	if len(out) > 0 {
		return out
	}
	section, _, _ := strings.Cut(member.Path, "/")
	named := member.Refers(section)
	if named == "" && (strings.HasSuffix(member.Path, "/*") || m.named(op, member)) {
		named = member.Name // a list has the name of what it holds
	}
	collection, item, res := "", "", named
	if strings.HasPrefix(member.Path, "path/") {
		collection, item = before(op.Path, member.Name)
		if word := resource(collection); word != "" {
			res = word
		}
	}
	var near, far []*openapi.Operation
	if item != "" {
		near = m.at[trimmed(collection)]
	}
	for _, word := range slices.Compact([]string{hints.One(res), hints.One(named)}) {
		for _, o := range m.of[word] {
			if (o != op.First() || op.IsAdditional() && o.Method == "POST") && !slices.Contains(near, o) {
				far = append(far, o) // another alternative may need no such thing: a page without a parent
			}
		}
	}
	for _, o := range m.showing(item) {
		if o != op.First() && !slices.Contains(near, o) && !slices.Contains(far, o) {
			far = append(far, o)
		}
	}
	made := m.putAt(op, member, item)
	for i, list := range [][]*openapi.Operation{near, far} {
		for _, method := range []string{"POST", "PUT", "GET"} {
			if i == 0 && method == "GET" && (op.Method != "GET" || slices.ContainsFunc(made, func(w Dependency) bool { return Creates(w.From) })) {
				// Another case may delete the item of a list, and a request should only change
				// what the run made.
				out = append(out, made...)
				made = nil
			}
			for _, from := range list {
				if from.Method == method && (method == "GET" || !hasItem(from)) && len(out) < maxWays {
					out = append(out, m.dependencies(from, member, item)...)
				}
			}
		}
	}
	out = append(out, made...)
	if section == "" {
		out = append(out, m.putIn(res, op)...)
	}
	if len(out) == 0 {
		out = m.sameKey(op, member)
	}
	if len(out) == 0 {
		for _, from := range m.shown(op, member) {
			out = append(out, m.dependencies(from, member, item)...)
		}
	}
	if len(out) == 0 && item == "" && section != "header" && section != "cookie" {
		out = m.alike(op, member)
	}
	return out[:min(len(out), maxWays)]
}

// putAt returns the ways to a resource whose key the client chooses: a PUT makes it.
func (m *Map) putAt(op *openapi.Operation, member openapi.Member, item string) []Dependency {
	var out []Dependency
	for _, from := range m.at[trimmed(item)] {
		if item != "" && (from.Method == "PUT" || Creates(from)) && from != op.First() && from.Path == item {
			out = append(out, Dependency{Kind: Producer, From: from, Request: member.Path})
		}
	}
	return out
}

// putIn returns the ways to the keys of resources that a PUT creates and a body names.
func (m *Map) putIn(res string, op *openapi.Operation) []Dependency {
	var out []Dependency
	for _, from := range m.of[hints.One(res)] {
		if names := openapi.Expressions(from.Path); Creates(from) && from != op.First() && len(names) == 1 {
			out = append(out, Dependency{Kind: Producer, From: from, Request: openapi.PathPlace(names[0])})
		}
	}
	return out
}

// listsLast puts the items of lists after the other ways to what a body names, or a request changes.
// Another case may have created such an item, and may change it too, or not be able to delete it
// while something refers to it.
func listsLast(dependencies []Dependency) []Dependency {
	lists, others := []Dependency{}, []Dependency{}
	for _, w := range dependencies {
		if w.Kind == List {
			lists = append(lists, w)
		} else {
			others = append(others, w)
		}
	}
	return append(others, lists...)
}

// Creates reports whether an operation is a PUT or a POST of one thing that lists 201: the client
// chooses the key.
func Creates(op *openapi.Operation) bool {
	return (op.Method == "PUT" || op.Method == "POST") && op.Response(201) != nil && hasItem(op)
}

// chooses reports whether a member is the key of the resource that a request creates.
func chooses(op *openapi.Operation, member openapi.Member) bool {
	if !Creates(op) || !strings.HasPrefix(member.Path, "path/") {
		return false
	}
	_, item := before(op.Path, member.Name)
	return item == op.Path
}

// showing returns the POST operations elsewhere whose answer has the same component as reading
// the item: POST /renders answers with a job, say.
func (m *Map) showing(item string) []*openapi.Operation {
	if item == "" {
		return nil
	}
	var out []*openapi.Operation
	for _, read := range m.at[trimmed(item)] {
		if read.Method != "GET" {
			continue
		}
		for _, s := range successes(read) {
			for _, o := range m.giving[s.Name] {
				if !strings.HasPrefix(o.Path, trimmed(item)) && !slices.Contains(out, o) {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// sameKey returns the ways to a key that has the same name in the path of another resource: if
// there is /links/{code}, /r/{code} gets what POST /links made.
func (m *Map) sameKey(op *openapi.Operation, member openapi.Member) []Dependency {
	var out []Dependency
	for _, o := range m.keyed(op, member) {
		collection, item := before(o.Path, member.Name)
		for _, from := range m.at[trimmed(collection)] {
			if from.Method == "POST" && from != op.First() {
				out = append(out, m.dependencies(from, member, item)...)
			}
		}
		for _, from := range m.at[trimmed(item)] {
			if Creates(from) && from != op.First() && len(openapi.Expressions(from.Path)) == 1 {
				out = append(out, Dependency{Kind: Producer, From: from, Request: openapi.PathPlace(member.Name)})
			}
		}
	}
	return out
}

// keyed returns an operation of each other resource whose path ends with a key of the same
// name and type.
func (m *Map) keyed(op *openapi.Operation, member openapi.Member) []*openapi.Operation {
	if hints.IsKey(member.Name) {
		return nil // every resource has one of that name
	}
	var out []*openapi.Operation
	for _, o := range m.with[member.Name] {
		collection, item := before(o.Path, member.Name)
		if item != o.Path || strings.HasPrefix(op.Path, collection) || o.Params == nil {
			continue
		}
		same := slices.ContainsFunc(o.Members(), func(other openapi.Member) bool {
			return other.Path == openapi.PathPlace(member.Name) && other.Schema.Type() == member.Schema.Type()
		})
		known := slices.ContainsFunc(out, func(other *openapi.Operation) bool { return other.Path == o.Path })
		if same && !known {
			out = append(out, o)
		}
	}
	return out
}

// alike returns the keys of resources that can be made without anything else and that
// have the type of a member: its name does not tell what it refers to, or no path does. Keys of the
// same component or pattern come first, then those of an object of the name that the member refers to.
func (m *Map) alike(op *openapi.Operation, member openapi.Member) []Dependency {
	var ranked [3][]Dependency
	fits := func(s *schema.Schema) bool {
		return s.Type() == member.Schema.Type() && s.Format == member.Schema.Format
	}
	for _, from := range m.ops {
		if from == op.First() || from.Method != "POST" || strings.Contains(from.Path, "{") || demands(from, member.Name) {
			continue
		}
		for _, s := range successes(from) {
			for _, key := range append([]string{member.Name}, hints.Names(hints.Identifier)[:3]...) {
				at := within(s, key, false, fits)
				if len(at) == 0 {
					continue
				}
				rank := 2
				switch key := s.At(at[0]); {
				case key != nil && interchangeable(key, member.Schema):
					rank = 0
				case hints.Flat(strings.Split(at[0], "/")[1]) == member.Refers(""):
					rank = 1
				}
				ranked[rank] = append(ranked[rank], Dependency{Kind: Producer, From: from, Pointer: at[0]})
			}
		}
	}
	return slices.Concat(ranked[:]...)
}

// demands reports whether a body must have a member of that name: an operation does not make a key
// that it needs.
func demands(op *openapi.Operation, name string) bool {
	if op.Body == nil {
		return false
	}
	p := op.Body.Shape.Schema.Property(name)
	return p != nil && p.Required
}

// hasItem reports whether an operation is about one thing that exists: its path ends
// with an expression.
func hasItem(op *openapi.Operation) bool { return strings.HasSuffix(trimmed(op.Path), "}") }

// minPattern is the length of the shortest pattern that tells one kind of keys from others.
const minPattern = 8

// patterned returns the operation and its path parameter that a member of a body may have the
// value of: both have the same pattern, and the operation is about other things. A member
// "to" with the pattern of the code in /locations/{code} names a location. A pattern says
// so much that the document may list 400 alone for what does not exist.
func (m *Map) patterned(op *openapi.Operation, member openapi.Member) (at *openapi.Operation, key openapi.Member) {
	pattern := member.Schema.Pattern
	if len(pattern) < minPattern || !strings.HasPrefix(member.Path, "/") || member.Schema.Type() != "string" || !listsOne(op, unfound) && op.Lists(http.StatusBadRequest) == nil {
		return nil, key
	}
	for _, from := range m.ops {
		for _, p := range from.Parameters {
			if p.In != "path" || p.Schema == nil || p.Schema.Pattern != pattern {
				continue
			}
			if collection, _ := before(from.Path, p.Name); !strings.HasPrefix(trimmed(op.Path)+"/", trimmed(collection)+"/") {
				return from, openapi.Member{Property: &schema.Property{Name: p.Name, Schema: p.Schema, Required: true}, Path: "path/" + jsontree.EscapePointer(p.Name)}
			}
		}
	}
	return nil, key
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
