package resource

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// Kind says where a value comes from.
type Kind uint8

// The kinds, best first.
const (
	Named    Kind = iota // the user names it
	Link                 // a link of the document
	Producer             // the answer of an operation that makes such a resource
	List                 // an item of a list
	Example              // an example or a default of the document
	Any                  // whatever the schema allows: the client chooses it
	Unknown              // no value was accepted
)

// String names the kind.
func (k Kind) String() string {
	return [...]string{"named", "link", "producer", "list", "example", "any value", "not known"}[k]
}

// Dependency is one way to a value.
type Dependency struct {
	Kind Kind
	// From is the operation that is asked. It is nil for examples.
	From *openapi.Operation
	// Pointer leads to the value in the answer; Header names the field instead. A
	// "-" in the pointer stands for an item of a list: the one that was made, or the
	// first.
	Pointer string
	Header  string
	// Item is which item of the list is taken if none of them was made.
	Item int
	// Request is the place in the request of From, for what the client chose itself.
	Request string
	// About reports whether From is asked about the same thing that the request names:
	// its ETag, say.
	About bool
	// Template is the path whose last expression a Location or the name of a resource fills.
	Template string
	// Value is that of an example.
	Value *jsontree.Value
}

// Makes reports whether each request to From makes another resource.
func (w Dependency) Makes() bool {
	return w.From != nil && (w.Kind == Producer || w.Kind == Link || w.Kind == Named) && !strings.Contains(w.Pointer, "/-") && !w.About
}

// None reports whether no way is known.
func (w Dependency) None() bool { return w.Kind == Unknown }

// String is the way as reports print it: createUser#/id.
func (w Dependency) String() string {
	switch {
	case w.From == nil && w.Value != nil:
		return w.Kind.String() + " " + jsontree.Cut(w.Value.String(), 60)
	case w.From == nil:
		return w.Kind.String()
	case w.Header != "":
		return w.From.First().Name() + "#" + w.Header
	case w.Request != "":
		return w.From.First().Name() + "#request" + dotted(w.Request)
	case w.Template != "":
		return w.From.First().Name() + "#" + w.Pointer + " (last segment)"
	}
	return w.From.First().Name() + "#" + w.Pointer
}

// dotted sets a parameter apart from a member of the body: .path/id and /name.
func dotted(path string) string {
	if strings.HasPrefix(path, "/") {
		return path
	}
	return "." + path
}

// Need is a place of a request whose value must name something that exists.
type Need struct {
	Path string // "path/id", "/owner"
	// Optional reports whether a request may do without it.
	Optional     bool
	Dependencies []Dependency // in the order in which they are tried
}

// Map holds the needs of every operation.
type Map struct {
	needs map[*openapi.Operation][]Need
	ops   []*openapi.Operation
	// at and of are the operations by path and by the resources that they are about, with by each
	// expression of their path, and giving the POST operations by the component that a success
	// has.
	at, of, with, giving map[string][]*openapi.Operation
	given                map[string][]Dependency // the ways that one operation gives, by operation and name
}

// index returns a map of the operations of a document.
func index(c *openapi.Contract) *Map {
	m := &Map{needs: map[*openapi.Operation][]Need{}, ops: c.Operations,
		at: map[string][]*openapi.Operation{}, of: map[string][]*openapi.Operation{}, with: map[string][]*openapi.Operation{}, giving: map[string][]*openapi.Operation{}, given: map[string][]Dependency{}}
	for _, op := range c.Operations {
		m.at[trimmed(op.Path)] = append(m.at[trimmed(op.Path)], op)
		if res := hints.One(resource(op.Path)); res != "" {
			m.of[res] = append(m.of[res], op)
		}
		for _, name := range openapi.Expressions(op.Path) {
			m.with[name] = append(m.with[name], op)
		}
		if op.Method != "POST" {
			continue
		}
		for _, s := range successes(op) {
			if list := m.giving[s.Name]; s.Name != "" && !slices.Contains(list, op) {
				m.giving[s.Name] = append(list, op)
			}
		}
	}
	return m
}

// Of returns the needs of an operation, path parameters first, in the order of the
// path.
func (m *Map) Of(op *openapi.Operation) []Need {
	if m == nil {
		return nil
	}
	return m.needs[op]
}

// Analyse finds the needs of all operations, and returns a contract that names them in
// Operation.Bind. Nothing is had from an operation that cannot be reached.
func Analyse(c *openapi.Contract, unreachable ...*openapi.Operation) (*Map, *openapi.Contract) {
	c = c.Copy()
	m := index(c)
	for _, op := range c.Rows() {
		op.Bind, op.Same = nil, repeated(op)
		for _, member := range Places(op) {
			if !m.mustExist(op, member) && !namesExampleUser(c, op, member) {
				continue
			}
			n := Need{Path: member.Path, Optional: !member.Required, Dependencies: m.linked(op, member.Path)}
			switch from := m.state(op, member); {
			case openapi.IfMatch(member.Path):
				// A tag that a link names is that of the answer which made the resource.
				n.Dependencies = slices.Concat(m.tags(op), n.Dependencies, []Dependency{{Kind: Example, Value: jsontree.NewString("*")}})
			case from != nil:
				n.Dependencies = append(n.Dependencies, Dependency{Kind: Producer, From: from, Pointer: member.Path, About: true})
			default:
				if at, key := m.patterned(op, member); at != nil {
					n.Dependencies = append(n.Dependencies, m.producers(at, key)...)
				}
				n.Dependencies = append(n.Dependencies, m.producers(op, member)...)
			}
			if op.Method != "GET" {
				n.Dependencies = listsLast(n.Dependencies)
			}
			n.Dependencies = unique(append(n.Dependencies, examples(c, op, member)...))
			if strings.HasPrefix(member.Path, "/") {
				n.Dependencies = listsLast(n.Dependencies)
			}
			n.Dependencies = append(sameKind(op, n.Dependencies), Dependency{Kind: Any})
			if chooses(op, member) && (op.Method == "POST" || !slices.ContainsFunc(n.Dependencies, Dependency.Makes)) || m.free(op, member) {
				n.Dependencies = unique(append([]Dependency{{Kind: Any}}, n.Dependencies...))
			}
			m.needs[op] = append(m.needs[op], n)
			op.Bind = append(op.Bind, member.Path)
		}
		m.needs[op] = inPathOrder(op, m.needs[op])
	}
	own := c.Own()
	for _, op := range unreachable {
		m.without(own(op))
	}
	m.useNamed()
	return m, c
}

// repeated returns the members of a body that name the resource which the path names.
func repeated(op *openapi.Operation) map[string]string {
	names := openapi.Expressions(op.Path)
	if op.Body == nil || len(names) == 0 {
		return nil
	}
	out := map[string]string{}
	for i, name := range names {
		for _, p := range op.Body.Shape.Schema.Properties {
			same := hints.Flat(p.Name) == hints.Flat(name) || i == len(names)-1 && hints.Flat(p.Name) == "id" && hasItem(op)
			at := "/" + jsontree.EscapePointer(p.Name)
			if t := p.Schema.Type(); same && (t == "string" || t == "integer") {
				out[at] = openapi.PathPlace(name)
			}
			if i < len(names)-1 || !hasItem(op) || !hints.Called(p.Name, hints.Wrapper) {
				continue
			}
			for _, q := range p.Schema.Properties {
				if t := q.Schema.Type(); hints.Flat(q.Name) == hints.Flat(name) && (t == "string" || t == "integer") {
					out[at+"/"+jsontree.EscapePointer(q.Name)] = openapi.PathPlace(name)
				}
			}
		}
	}
	return out
}

// state returns the operation that reads the state of a resource which a required member of the body
// names, as If-Match does: a version that no request makes, and that reading the resource shows. It
// is nil for any other member.
func (m *Map) state(op *openapi.Operation, member openapi.Member) *openapi.Operation {
	if !member.Required || strings.LastIndexByte(member.Path, '/') != 0 || !hints.IsVersion(member.Name) || !hasItem(op) {
		return nil
	}
	has := func(s *schema.Schema) bool { return s.Property(member.Name) != nil }
	collection := op.Path[:strings.LastIndexByte(trimmed(op.Path), '/')]
	for _, from := range m.at[trimmed(collection)] {
		if from.Method == "POST" && from.Body != nil && has(from.Body.Shape.Schema) {
			return nil
		}
	}
	for _, from := range m.at[trimmed(op.Path)] {
		if from.Method == "GET" && slices.ContainsFunc(successes(from), has) {
			return from
		}
	}
	return nil
}

// tags returns the ways to the entity tag of the resource that a request names.
func (m *Map) tags(op *openapi.Operation) []Dependency {
	var out []Dependency
	for _, from := range m.ops {
		if from.Method == "GET" && from.Path == op.Path {
			out = append(out, Dependency{Kind: Producer, From: from, Header: "ETag", About: true})
		}
	}
	return out
}

// chosen reports whether the user named a value for the place.
func chosen(op *openapi.Operation, path string) bool {
	if path[0] == '/' {
		return op.Body.Shape.Domains[path].Value != nil
	}
	return op.Params.Domains["/"+path].Value != nil
}

// inPathOrder sorts the needs: parameters outside of the path, those of the path in its
// order, and the rest.
func inPathOrder(op *openapi.Operation, list []Need) []Need {
	names := openapi.Expressions(op.Path)
	rank := func(n Need) int {
		if name, found := strings.CutPrefix(n.Path, "path/"); found {
			plain, _ := jsontree.UnescapePointer(name)
			return slices.Index(names, plain)
		}
		if openapi.Scope(n.Path) {
			return -1 // what makes the resources of the path may be asked with it
		}
		return len(names)
	}
	slices.SortStableFunc(list, func(a, b Need) int { return rank(a) - rank(b) })
	return list
}

// unique drops ways that were listed before.
func unique(list []Dependency) []Dependency {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(w Dependency) bool {
		key := w.String()
		again := seen[key]
		seen[key] = true
		return again
	})
}

// sameKind puts before each way through an operation that makes a resource the one that makes it
// with the same alternative as the request has: a server may refuse to make a trailer of
// a vehicle.
func sameKind(op *openapi.Operation, list []Dependency) []Dependency {
	var out []Dependency
	for _, w := range list {
		if w.Makes() {
			same := w
			if same.From = op.Counterpart(w.From); same.From != w.From {
				out = append(out, same)
			}
		}
		out = append(out, w)
	}
	return out
}

// examples returns the values that the document gives for a place, but for those that are part of
// another path.
func examples(c *openapi.Contract, op *openapi.Operation, member openapi.Member) []Dependency {
	var out []Dependency
	for _, v := range c.Examples(op, member) {
		spells := func(path string) bool { return slices.Contains(strings.Split(path, "/"), v.Text) }
		if !strings.HasPrefix(member.Path, "path/") || !slices.ContainsFunc(op.Nearer, spells) {
			out = append(out, Dependency{Kind: Example, Value: v})
		}
	}
	return out
}
